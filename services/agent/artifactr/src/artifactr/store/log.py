"""The unified log: numbering and appending under the workspace's lock, and reading windows [EV-01, EV-02, SB-01]."""

from collections.abc import Sequence
from typing import Final

from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice_chassis.postgres.dialect import DEFERRED
from sqlalchemy import ColumnElement, Row, Select, bindparam, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from artifactr.core.actors import WorkspaceKey
from artifactr.core.events import Envelope
from artifactr.store.tables import columns_of, log, of_workspace, within
from artifactr.wire import from_entry

PAGE: Final = 500
"""The most entries of a window; a page of whole commits may exceed it by the rest of its last commit."""

SHARED_EVENTS: Final = (
    "artifact_created",
    "artifact_changed",
    "artifact_archived",
    "proposal_created",
    "proposal_resolved",
)
"""The events delivered to the followers of every thread [SB-03]."""

# Composed once, as wherever a run does it at every step: that takes longer than the database takes to answer.
_APPEND: Final = insert(log).execution_options(**DEFERRED)
_COMMITS_AFTER: Final[Select[tuple[int, bytes]]] = (
    select(log.c.commit, log.c.entry)
    .where(of_workspace(log), log.c.log_sequence > bindparam("after"), log.c.commit <= bindparam("last"))
    .order_by(log.c.log_sequence)
)
_HEARD_SINCE: Final[Select[tuple[int, bytes]]] = (
    select(log.c.commit, log.c.entry)
    .where(
        of_workspace(log),
        log.c.log_sequence > bindparam("after"),
        or_(
            bindparam("listener") == "",
            log.c.thread_id.is_(None),
            log.c.thread_id == bindparam("listener"),
            log.c.event.in_(SHARED_EVENTS),
        ),
    )
    .order_by(log.c.log_sequence)
    .limit(PAGE)
)


async def insert_entries(
    connection: AsyncConnection, key: WorkspaceKey, entries: Sequence[tuple[int, log_pb.LogEntry]]
) -> None:
    """Append numbered entries, each with the first number of its commit; the workspace's lock is held."""
    rows = [
        {
            **columns_of(key),
            "log_sequence": entry.log_sequence,
            "change_sequence": entry.change_sequence or None,
            "commit": commit,
            "entry_id": entry.entry_id,
            "event": entry.WhichOneof("event") or "unknown",
            "thread_id": entry.thread_id or None,
            "run_id": entry.run_id or None,
            "artifact_id": _artifact_of(entry),
            "entry": entry.SerializeToString(),
        }
        for commit, entry in entries
    ]
    await connection.execute(_APPEND, rows)


def _artifact_of(entry: log_pb.LogEntry) -> str | None:
    event = entry.WhichOneof("event")
    return getattr(entry, event).artifact_id if event in SHARED_EVENTS else None


def window(
    key: WorkspaceKey,
    *,
    after: int,
    before: int | None,
    thread_ids: Sequence[str] = (),
    limit: int = PAGE,
    newest: bool = False,
) -> Select[tuple[int, bytes]]:
    """At most `limit` entries of after < log_sequence < before: the first oldest first, or the newest newest first."""
    query = select(log.c.commit, log.c.entry).where(within(log, key), log.c.log_sequence > after)
    if before is not None:
        query = query.where(log.c.log_sequence < before)
    if thread_ids:
        query = query.where(_heard_by(thread_ids))
    order = log.c.log_sequence.desc() if newest else log.c.log_sequence
    return query.order_by(order).limit(limit)


async def commits_after(connection: AsyncConnection, key: WorkspaceKey, after: int) -> list[Envelope]:
    """The next entries in whole commits, oldest first: about a page of them."""
    # The sequence has no gaps, so the commits that begin within the next page are bounded by its size.
    given = {**columns_of(key), "after": after, "last": after + PAGE}
    return [_envelope(row) for row in await connection.execute(_COMMITS_AFTER, given)]


async def heard_since(connection: AsyncConnection, key: WorkspaceKey, after: int, thread_id: str) -> list[Envelope]:
    """The next page that followers of a thread hear of, oldest first; of all entries where no thread is named."""
    given = {**columns_of(key), "after": after, "listener": thread_id}
    return [_envelope(row) for row in await connection.execute(_HEARD_SINCE, given)]


def entries_of_run(key: WorkspaceKey, run_id: str) -> Select[tuple[int, bytes]]:
    """Every entry of a run, oldest first; a run's record is bounded by its requests to the model."""
    own = within(log, key) & (log.c.run_id == run_id)
    return select(log.c.commit, log.c.entry).where(own).order_by(log.c.log_sequence)


def entry_at(key: WorkspaceKey, log_sequence: int) -> Select[tuple[int, bytes]]:
    """The entry with this number: one row or none."""
    own = within(log, key) & (log.c.log_sequence == log_sequence)
    return select(log.c.commit, log.c.entry).where(own)


async def read(connection: AsyncConnection, query: Select[tuple[int, bytes]]) -> list[Envelope]:
    """The envelopes of a query, in its order."""
    return [_envelope(row) for row in await connection.execute(query)]


async def artifacts_created_in(connection: AsyncConnection, key: WorkspaceKey, thread_id: str) -> frozenset[str]:
    """The ids of the artifacts created in a thread, by whomever [CN-03]."""
    created = (log.c.thread_id == thread_id) & (log.c.event == "artifact_created")
    query = select(log.c.artifact_id).where(within(log, key), created)
    return frozenset(row.artifact_id for row in await connection.execute(query))


def _heard_by(thread_ids: Sequence[str]) -> ColumnElement[bool]:
    return log.c.thread_id.is_(None) | log.c.thread_id.in_(thread_ids) | log.c.event.in_(SHARED_EVENTS)


def _envelope(row: Row[tuple[int, bytes]]) -> Envelope:
    return from_entry.envelope(bytes(row.entry), commit=row.commit)
