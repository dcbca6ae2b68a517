"""The tables. Every primary key begins with tenant then workspace [TN-06]; `workspaces` and `requests` are chassis's.

An entity is JSON beside the columns that are filtered by; not JSONB, so that its keys keep their order [SG-06].
"""

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    DateTime,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    bindparam,
    func,
    text,
)

from artifactr.core.actors import WorkspaceKey

_metadata: Final = MetaData()


def _table(name: str, *columns: Column[object]) -> Table:
    scope = (Column("tenant", Text, primary_key=True), Column("workspace", Text, primary_key=True))
    return Table(name, _metadata, *scope, *columns)


log: Final = _table(
    "log",
    Column("log_sequence", BigInteger, primary_key=True),
    Column("change_sequence", BigInteger),
    Column("commit", BigInteger, nullable=False),
    Column("entry_id", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("thread_id", Text),
    Column("run_id", Text),
    Column("artifact_id", Text),
    Column("entry", LargeBinary, nullable=False),
)
"""The unified log. `entry` is the contract's LogEntry, serialised: the stored shape is the wire's [EV-01, EV-03].

`commit` is the first log_sequence of the entry's transaction. `change_sequence` is unique where it is set, so a replay
of files' feed is a no-op [MP-11].
"""

threads: Final = _table(
    "threads",
    Column("thread_id", Text, primary_key=True),
    Column("position", BigInteger, nullable=False),
    Column("agent_name", Text, nullable=False, server_default=text("''")),
    Column("entity", JSON, nullable=False),
)
"""Threads; `position` is the log_sequence of their creation, by which they are listed.

`agent_name` is written once: a replica that knows no agents by name must not lose it as it keeps the entity [TH-13].
"""

messages: Final = _table(
    "messages",
    Column("message_id", Text, primary_key=True),
    Column("thread_id", Text, nullable=False),
    Column("log_sequence", BigInteger, nullable=False),
    Column("participant", Text, nullable=False),
    Column("author", Text),
    Column("through_runner", Boolean, nullable=False),
    Column("began_run", Text),
    Column("automatic_turns", SmallInteger, nullable=False, server_default=text("0")),
    Column("principal", JSON(none_as_null=True)),
)
"""The used message ids, unique over all threads of a workspace [ID-01], and where each message stands on the log.

`author` is the participant key; a replica of before leaves it out, and compares the id alone, `participant`.
`began_run` is the run whose segment began with the message, none while it waits or where it steered one [CM-08].
`principal`, here and of runs, is for whom the agent works, written once: no replica and no later message changes it
[SE-08].
"""

runs: Final = _table(
    "runs",
    Column("run_id", Text, primary_key=True),
    Column("thread_id", Text, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("status", Text, nullable=False),
    Column("claim_token", BigInteger, nullable=False),
    Column("recorded_at", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
    Column("entity", JSON, nullable=False),
    Column("stop_requested", Boolean, nullable=False, server_default=text("false")),
    Column("automatic_turns", SmallInteger, nullable=False, server_default=text("0")),
    Column("principal", JSON(none_as_null=True)),
)
"""Runs. `claim_token` is that of the claim under which the newest segment runs, 0 for a direct run [RN-13, RN-18].

`automatic_turns`, here and of messages, counts the turns that began without anybody asking [RN-15].
"""

history: Final = _table(
    "history",
    Column("thread_id", Text, primary_key=True),
    Column("log_sequence", BigInteger, primary_key=True),
    Column("run_id", Text, nullable=False),
    Column("notes_through", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
"""The model history: a chunk a segment, at the log_sequence of the fact that closed it [HI-01, HI-02]."""

claims: Final = _table(
    "claims",
    Column("thread_id", Text, primary_key=True),
    Column("holder", Text),
    Column("token", BigInteger, nullable=False),
    Column("expires_at", DateTime(timezone=True), nullable=False),
    Column("address", Text, nullable=False, server_default=text("''")),
)
"""The claims on threads. A row is never deleted, so its token only grows; without a holder it is free [RN-10].

`address` is where other replicas reach the one whose run holds it, empty for a process that none can reach [RN-16].
"""

feed_cursors: Final = _table(
    "feed_cursors",
    Column("epoch", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),
)
"""How far files' feed of a workspace is taken up, and in which history [MP-11, MP-22]."""


def within(table: Table, key: WorkspaceKey) -> ColumnElement[bool]:
    """The rows of one workspace: part of every query [TN-03]."""
    return (table.c.tenant == key.tenant) & (table.c.workspace == key.workspace)


def of_workspace(table: Table) -> ColumnElement[bool]:
    """The same for a statement that is composed once: its parameters are those of `columns_of`."""
    return (table.c.tenant == bindparam("tenant")) & (table.c.workspace == bindparam("workspace"))


def columns_of(key: WorkspaceKey) -> dict[str, str]:
    """The columns that begin every row of a workspace."""
    return {"tenant": key.tenant, "workspace": key.workspace}
