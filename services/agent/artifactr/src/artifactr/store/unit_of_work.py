"""One transaction on one workspace: lock it, load, decide, save, number and append events, commit [WP-02].

Entries are numbered as they are appended and written together at the end. Any exception rolls back everything:
entities, entries, history, cursors [SG-02]. Subscribers are woken after the commit, never before.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from datetime import UTC, datetime
from uuid import uuid4

from google.protobuf.timestamp_pb2 import Timestamp
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice_chassis.postgres.database import Database
from lattice_chassis.postgres.listen import Announcer, Listener
from lattice_chassis.postgres.workspaces import LockedWorkspace, advance_head, lock_workspace
from lattice_chassis.telemetry import current_traceparent
from sqlalchemy.ext.asyncio import AsyncConnection

from artifactr.core.actors import Actor, AgentActor, WorkspaceKey
from artifactr.core.events import OwnEvent
from artifactr.store import log
from artifactr.wire import actors, to_entry


class Work:
    """An open transaction that holds the workspace's lock. Made by `UnitOfWork.begin`."""

    def __init__(self, connection: AsyncConnection, locked: LockedWorkspace) -> None:
        self.connection = connection
        self.key = WorkspaceKey(tenant=locked.tenant, workspace=locked.workspace)
        self._locked = locked
        self._appended: list[tuple[int, log_pb.LogEntry]] = []

    @property
    def head(self) -> int:
        """The number of the last entry, those appended here included."""
        return self._locked.head + len(self._appended)

    @property
    def appended(self) -> bool:
        """Whether this transaction appends anything."""
        return bool(self._appended)

    def append(self, event: OwnEvent, actor: Actor) -> int:
        """Append an event of agent's own and answer its number; what an agent causes carries its run [AC-06]."""
        entry = to_entry.from_event(event)
        if isinstance(actor, AgentActor):
            entry.run_id = actor.run_id
        entry.entry_id = f"evt_{uuid4().hex}"
        entry.actor.CopyFrom(actors.to_proto(actor))
        entry.traceparent = current_traceparent() or ""
        return self._number(entry, commit=self._locked.head + 1)

    def append_commit(self, changes: Sequence[bytes]) -> int:
        """Append the changes of one commit in files, side by side, and answer the number of the last [MP-12]."""
        commit = self.head + 1
        for change in changes:
            self._number(log_pb.LogEntry.FromString(change), commit=commit)
        return self.head

    async def write(self) -> None:
        """Write what was appended; called once, at the end."""
        if not self._appended:
            return
        now = _timestamp(self._locked.locked_at)
        for _, entry in self._appended:
            if not entry.HasField("time"):  # what came from files keeps its time there [MP-13]
                entry.time.CopyFrom(now)
        await log.insert_entries(self.connection, self.key, self._appended)
        await advance_head(self.connection, self._locked, self.head)

    def _number(self, entry: log_pb.LogEntry, *, commit: int) -> int:
        entry.log_sequence = self.head + 1
        self._appended.append((commit, entry))
        return entry.log_sequence


class UnitOfWork:
    """Begins transactions on workspaces; may be shared by all tasks of an event loop."""

    def __init__(self, database: Database, announcer: Announcer, listener: Listener) -> None:
        self._database = database
        self._announcer = announcer
        self._listener = listener

    @asynccontextmanager
    async def begin(self, key: WorkspaceKey) -> AsyncIterator[Work]:
        """Wait for the workspace's lock and work under it; commits on leaving, rolls back on any exception."""
        async with self._database.transaction(key.tenant) as connection:
            work = Work(connection, await lock_workspace(connection, key.tenant, key.workspace))
            yield work
            await work.write()
        if work.appended:
            self._announcer.announce(key.tenant, key.workspace, work.head)

    @asynccontextmanager
    async def unlocked(self, key: WorkspaceKey) -> AsyncIterator[AsyncConnection]:
        """Statements without the workspace's lock, each a transaction by itself.

        They read, or write one row that is its own lock, as a claim's is.
        """
        async with self._database.autocommit(key.tenant) as connection:
            yield connection

    def signal(self, key: WorkspaceKey, name: str) -> None:
        """Tell whoever hears a name, in every process; after the commit of what it is about."""
        self._announcer.signal(key.tenant, key.workspace, name)

    def hearing(self, key: WorkspaceKey, name: str) -> AbstractContextManager[asyncio.Event]:
        """An event that is set by each signal of a name; one may be lost."""
        return self._listener.hearing(key.tenant, key.workspace, name)


def _timestamp(time: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(time.astimezone(UTC))
    return stamp
