"""The switches of a workspace, read as they stand or changed under its lock.

Every block is of one tenant, and one that changes is one transaction; nothing is sent to anybody in it.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from lattice_chassis.postgres.database import Database
from lattice_chassis.postgres.listen import Announcer, Listener, Subscription
from lattice_chassis.postgres.workspaces import LockedWorkspace, advance_head, lock_workspace, read_workspace
from sqlalchemy import Row, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from lattice_integrations.domain.actors import Actor, ActorKind
from lattice_integrations.domain.registry import Registry
from lattice_integrations.domain.switches import Setting, Source, SwitchChange
from lattice_integrations.domain.workspaces import WorkspaceKey
from lattice_integrations.store import queries
from lattice_integrations.store.positions import Cursor, cursor_at, revision_after
from lattice_integrations.store.requests import RememberedSwitches
from lattice_integrations.store.tables import switch_changes

CHANNEL: Final = "lattice_integrations"
"""Where commits are announced to the other processes of the service."""


@dataclass(frozen=True, kw_only=True)
class ChangePage:
    """The changes after a position, oldest first; the last ones if there are fewer than were asked for."""

    changes: Sequence[tuple[SwitchChange, Cursor]]
    """Each with the position after it."""
    position: Cursor
    """The position after the last of them."""
    waiting: int
    """How many changes there were after the position that was asked for."""


class Switches:
    """Reads, each of which sees what was committed before it."""

    def __init__(self, connection: AsyncConnection, scope: WorkspaceKey, registry: Registry) -> None:
        self._connection = connection
        self._scope = scope
        self._registry = registry

    async def setting(self, key: str) -> Setting | None:
        """What was set last for a key, or None where nobody set it [I-07]."""
        asked = {**asdict(self._scope), "key": key}
        row = (await self._connection.execute(queries.NEWEST_SETTING, asked)).one_or_none()
        return None if row is None else Setting(enabled=row.enabled, revision=row.revision)

    async def settings(self) -> tuple[Mapping[str, Setting], Cursor]:
        """What was set last for each key, and the position of that answer: no change is half in it."""
        rows = (await self._connection.execute(queries.newest_settings(self._scope))).all()
        settings = {row.key: Setting(enabled=row.enabled, revision=row.revision) for row in rows}
        # One of the settings is the workspace's newest change. A head read by itself may already be beyond it.
        newest = max((setting.revision for setting in settings.values()), default=0)
        return settings, cursor_at(newest, await self._head(), self._registry)

    async def changes_before(self, revision: int | None, *, key: str | None, limit: int) -> Sequence[SwitchChange]:
        """Up to `limit` changes below a revision, or from the newest on, newest first; of one key or of all."""
        rows = await self._connection.execute(queries.changes_before(self._scope, revision, key, limit))
        return [_change(row) for row in rows]

    async def changes_after(self, cursor: Cursor, *, limit: int) -> ChangePage:
        """Up to `limit` changes after a position, oldest first; CursorReset where the history has no such position."""
        now = await self._head()
        after = revision_after(cursor, now, self._registry)
        rows = (await self._connection.execute(queries.changes_after(self._scope, after, limit))).all()
        # The workspace may have got its first change, and with it an epoch, after its head was read.
        now = now if now or not rows else await self._head()
        changes = [_change(row) for row in rows]
        return ChangePage(
            changes=[(change, cursor_at(change.revision, now, self._registry)) for change in changes],
            position=cursor_at(changes[-1].revision if changes else after, now, self._registry),
            waiting=max(len(changes), (now.sequence if now else 0) - after),
        )

    async def _head(self) -> Cursor | None:
        row = await read_workspace(self._connection, self._scope.tenant, self._scope.workspace)
        return None if row is None else row.cursor


class LockedSwitches(Switches):
    """Reads and writes of the one transaction that may write in this workspace now [WP-02]."""

    def __init__(
        self, connection: AsyncConnection, scope: WorkspaceKey, registry: Registry, workspace: LockedWorkspace
    ) -> None:
        super().__init__(connection, scope, registry)
        self._workspace = workspace
        self.requests = RememberedSwitches(connection, scope)
        """What was answered to earlier requests [ID-03]."""
        self.appended: int | None = None
        """The revision appended in here, which the others are told of after the commit."""

    @property
    def next_revision(self) -> int:
        """The number of the next change of the workspace, from 1 without gaps."""
        return self._workspace.head + 1

    @property
    def now(self) -> datetime:
        """The database's time, read after the lock."""
        return self._workspace.locked_at

    async def append(self, change: SwitchChange) -> None:
        """Put the one change of this transaction on record."""
        row = asdict(change) | {"tenant": self._scope.tenant, "workspace": self._scope.workspace}
        await self._connection.execute(insert(switch_changes).values(row))
        await advance_head(self._connection, self._workspace, change.revision)
        self.appended = change.revision


class SwitchStore:
    """The database of the service, shared by all its calls."""

    def __init__(self, database: Database, listener: Listener, announcer: Announcer, registry: Registry) -> None:
        self._database = database
        self._listener = listener
        self._announcer = announcer
        self._registry = registry

    @asynccontextmanager
    async def reading(self, scope: WorkspaceKey) -> AsyncIterator[Switches]:
        """Reads that wait for nobody; a workspace needs no creation to be read [TN-02]."""
        async with self._database.autocommit(scope.tenant) as connection:
            yield Switches(connection, scope, self._registry)

    @asynccontextmanager
    async def changing(self, scope: WorkspaceKey) -> AsyncIterator[LockedSwitches]:
        """A transaction that holds the workspace's lock; commits on leaving, then wakes the watchers everywhere."""
        async with self._database.transaction(scope.tenant) as connection:
            workspace = await lock_workspace(connection, scope.tenant, scope.workspace)
            switches = LockedSwitches(connection, scope, self._registry, workspace)
            yield switches
        if switches.appended is not None:
            self._announcer.announce(scope.tenant, scope.workspace, switches.appended)

    def wakings(self, scope: WorkspaceKey) -> AbstractContextManager[Subscription]:
        """Yields once at first and then whenever there may be changes, at least every poll interval [SB-07]."""
        return self._listener.subscribed(scope.tenant, scope.workspace)


def _change(row: Row[Any]) -> SwitchChange:
    columns = dict(row._mapping)  # noqa: SLF001  # the documented name
    actor = columns.pop("actor")
    return SwitchChange(
        actor=Actor(**actor | {"kind": ActorKind(actor["kind"])}),
        source_before=Source(columns.pop("source_before")),
        **columns,
    )
