"""The row that each service keeps for a workspace: its lock, its epoch and the head of its sequence.

Locking the row is the start of each command, so a workspace has one writer at a time and its sequence has no gaps
[WP-02, EV-01, SG-03]. The row comes into being with the first command [TN-02].
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    MetaData,
    Table,
    Text,
    Uuid,
    bindparam,
    func,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from lattice_chassis.paging import Cursor
from lattice_chassis.postgres.database import Database
from lattice_chassis.postgres.dialect import DEFERRED


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """A workspace's row as it was read."""

    tenant: str
    workspace: str
    epoch: str
    head: int

    @property
    def cursor(self) -> Cursor:
        """The position of whoever has seen all of the workspace's sequence."""
        return Cursor(epoch=self.epoch, sequence=self.head)


@dataclass(frozen=True, kw_only=True)
class LockedWorkspace(Workspace):
    """A workspace's row under its lock."""

    locked_at: datetime = field(compare=False)
    """The database's time, read after the wait for the lock: what leases are compared with [L-01]."""


def workspace_columns() -> tuple[Column[Any] | CheckConstraint, ...]:
    """The columns of the table `workspaces`, for a service's tables and its first migration."""
    return (
        Column("tenant", Text, primary_key=True),
        Column("workspace", Text, primary_key=True),
        Column("epoch", Uuid(as_uuid=False), nullable=False, server_default=func.gen_random_uuid()),
        Column("head", BigInteger, nullable=False, server_default="0"),
        CheckConstraint("head >= 0", name="workspaces_head_counts"),
    )


workspaces = Table("workspaces", MetaData(), *workspace_columns())

# Composed once: that takes longer than the database takes to answer.
_ROW: Final = select(workspaces.c.tenant, workspaces.c.workspace, workspaces.c.epoch, workspaces.c.head).where(
    workspaces.c.tenant == bindparam("tenant"), workspaces.c.workspace == bindparam("workspace")
)
_LOCKED: Final = _ROW.with_for_update().cte("locked").prefix_with("MATERIALIZED", dialect="postgresql")
# Beside FOR UPDATE the clock would be read before the wait; above a row that comes out of it, it is read after.
_LOCK: Final = select(_LOCKED, func.clock_timestamp(type_=DateTime(timezone=True)).label("locked_at"))
_MAKE: Final = insert(workspaces).on_conflict_do_nothing()
_ADVANCE: Final = (
    update(workspaces)
    .where(workspaces.c.tenant == bindparam("of_tenant"), workspaces.c.workspace == bindparam("of_workspace"))
    .execution_options(**DEFERRED)
)


async def lock_workspace(connection: AsyncConnection, tenant: str, workspace: str) -> LockedWorkspace:
    """Wait for the workspace's lock, held until the transaction ends, and read its row; made where it is missing.

    What a transaction read before it had the lock may be stale: load after this. `now()` is the time before the wait.
    """
    key = {"tenant": tenant, "workspace": workspace}
    row = (await connection.execute(_LOCK, key)).one_or_none()
    if row is None:
        await connection.execute(_MAKE, key)
        row = (await connection.execute(_LOCK, key)).one_or_none()
    if row is None:
        raise RuntimeError(f"the row of workspace {workspace} vanished while it was being locked")
    return LockedWorkspace(**row._mapping)  # noqa: SLF001  # the documented name


async def read_workspace(connection: AsyncConnection, tenant: str, workspace: str) -> Workspace | None:
    """The workspace's row without its lock; None for one never written to, whose sequence is empty [TN-02]."""
    row = (await connection.execute(_ROW, {"tenant": tenant, "workspace": workspace})).one_or_none()
    return None if row is None else Workspace(**row._mapping)  # noqa: SLF001


async def position(database: Database, tenant: str, workspace: str) -> Cursor | None:
    """Where the sequence of a workspace stands, read by itself; None for one never written to."""
    async with database.autocommit(tenant) as connection:
        row = await read_workspace(connection, tenant, workspace)
    return None if row is None else row.cursor


async def advance_head(connection: AsyncConnection, workspace: Workspace, head: int) -> None:
    """Move the head of a locked workspace forward to `head`, the number of the last event appended."""
    if head <= workspace.head:
        raise ValueError(f"the head of a sequence only grows: {workspace.head} is not below {head}")
    key = {"of_tenant": workspace.tenant, "of_workspace": workspace.workspace}
    await connection.execute(_ADVANCE, {**key, "head": head})
