"""Transactions of one workspace: reading beside everybody, writing one at a time.

Nothing that waits for another program happens inside one: no RPC, blob or worker call [WP-02].
"""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from lattice_chassis.failpoints import failpoint
from lattice_chassis.postgres.database import Database
from lattice_chassis.postgres.listen import Announcer, Listener, Subscription
from lattice_chassis.postgres.workspaces import LockedWorkspace, lock_workspace
from sqlalchemy import ColumnElement, Table, and_, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from lattice_files.domain.workspaces import WorkspaceKey

CHANNEL: Final = "lattice_files"
"""The name under which commits are announced."""

_CLOCK: Final = select(func.clock_timestamp())


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Statements without the workspace's lock, each a transaction that sees what was committed before it."""

    connection: AsyncConnection
    scope: WorkspaceKey

    def own(self, table: Table) -> ColumnElement[bool]:
        """That a row is of this workspace; part of every query."""
        return and_(table.c.tenant == self.scope.tenant, table.c.workspace == self.scope.workspace)

    @property
    def key(self) -> dict[str, str]:
        """The columns that begin every row."""
        return {"tenant": self.scope.tenant, "workspace": self.scope.workspace}

    async def clock(self) -> datetime:
        """The database's time now, not that of the transaction's start [L-01]."""
        now: datetime = (await self.connection.execute(_CLOCK)).scalar_one()
        return now


@dataclass(frozen=True, kw_only=True)
class Work(Reading):
    """A transaction that holds the workspace's lock: the only one that writes in it."""

    workspace: LockedWorkspace
    """The row as it was locked."""
    heads: list[int] = field(default_factory=list)
    """The heads of the feed that this transaction wrote; the last is announced once it committed."""

    @property
    def now(self) -> datetime:
        """The database's time, read after the lock: what leases are compared with and commits are dated by."""
        return self.workspace.locked_at

    @property
    def head(self) -> int:
        """The number of the feed's last change, those of this transaction included."""
        return self.heads[-1] if self.heads else self.workspace.head


class UnitOfWork:
    """Opens the transactions of a service; shared by all its calls."""

    def __init__(self, database: Database, announcer: Announcer, listener: Listener) -> None:
        self._database = database
        self._announcer = announcer
        self._listener = listener

    @asynccontextmanager
    async def reading(self, scope: WorkspaceKey) -> AsyncIterator[Reading]:
        """Read without waiting for writers; a statement that writes in here has its rows' own locks alone."""
        async with self._database.autocommit(scope.tenant) as connection:
            yield Reading(connection=connection, scope=scope)

    @asynccontextmanager
    async def together(self, scope: WorkspaceKey) -> AsyncIterator[Reading]:
        """Statements that take effect together, without the workspace's lock; any exception undoes them."""
        async with self._database.transaction(scope.tenant) as connection:
            yield Reading(connection=connection, scope=scope)

    @asynccontextmanager
    async def begin(self, scope: WorkspaceKey) -> AsyncIterator[Work]:
        """Wait for the workspace and hold it until the commit on leaving; any exception rolls all of it back."""
        async with self._database.transaction(scope.tenant) as connection:
            workspace = await lock_workspace(connection, scope.tenant, scope.workspace)
            work = Work(connection=connection, scope=scope, workspace=workspace)
            yield work
        if work.heads:
            failpoint("commit.done")
            self._announcer.announce(scope.tenant, scope.workspace, work.head)

    def wakings(self, scope: WorkspaceKey) -> AbstractContextManager[Subscription]:
        """Wakings for the feed of a workspace: once at first, then whenever to read on [SB-07]."""
        return self._listener.subscribed(scope.tenant, scope.workspace)
