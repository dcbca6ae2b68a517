"""The row that each service keeps for a workspace: its lock, its epoch and the head of its sequence.

Locking the row is the start of each command, so a workspace has one writer at a time and its sequence has no gaps
[WP-02, EV-01, SG-03]. The row comes into being with the first command [TN-02].
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Column, MetaData, Table, Text, Uuid, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from lattice_chassis.paging import Cursor


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


async def lock_workspace(connection: AsyncConnection, tenant: str, workspace: str) -> Workspace:
    """Wait for the workspace's lock, held until the transaction ends, and read its row; made where it is missing.

    What a transaction read before it had the lock may be stale: load after this. `now()` is the time before the wait,
    `clock_timestamp()` the one to compare leases with [L-01].
    """
    locked = await _read(connection, tenant, workspace, lock=True)
    if locked is None:
        row = insert(workspaces).values(tenant=tenant, workspace=workspace).on_conflict_do_nothing()
        await connection.execute(row)
        locked = await _read(connection, tenant, workspace, lock=True)
    if locked is None:
        raise RuntimeError(f"the row of workspace {workspace} vanished while it was being locked")
    return locked


async def read_workspace(connection: AsyncConnection, tenant: str, workspace: str) -> Workspace | None:
    """The workspace's row without its lock; None for one never written to, whose sequence is empty [TN-02]."""
    return await _read(connection, tenant, workspace, lock=False)


async def advance_head(connection: AsyncConnection, workspace: Workspace, head: int) -> None:
    """Move the head of a locked workspace forward to `head`, the number of the last event appended."""
    if head <= workspace.head:
        raise ValueError(f"the head of a sequence only grows: {workspace.head} is not below {head}")
    key = (workspaces.c.tenant == workspace.tenant) & (workspaces.c.workspace == workspace.workspace)
    await connection.execute(update(workspaces).where(key).values(head=head))


async def _read(connection: AsyncConnection, tenant: str, workspace: str, *, lock: bool) -> Workspace | None:
    columns = (workspaces.c.tenant, workspaces.c.workspace, workspaces.c.epoch, workspaces.c.head)
    query = select(*columns).where(workspaces.c.tenant == tenant, workspaces.c.workspace == workspace)
    row = (await connection.execute(query.with_for_update() if lock else query)).one_or_none()
    return None if row is None else Workspace(**row._mapping)  # noqa: SLF001  # the documented name
