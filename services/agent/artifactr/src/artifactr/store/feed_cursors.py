"""How far files' change feed of a workspace is taken up [MP-11]."""

from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from artifactr.core.actors import WorkspaceKey
from artifactr.ports import FeedPosition
from artifactr.store.tables import columns_of, feed_cursors, of_workspace, within

_READ: Final = select(feed_cursors.c.epoch, feed_cursors.c.sequence).where(of_workspace(feed_cursors))


async def read_cursor(connection: AsyncConnection, key: WorkspaceKey) -> FeedPosition | None:
    """The position taken up; None where nothing was."""
    row = (await connection.execute(_READ, columns_of(key))).one_or_none()
    return None if row is None else FeedPosition(epoch=row.epoch, sequence=row.sequence)


async def forget_cursor(connection: AsyncConnection, key: WorkspaceKey) -> None:
    """Know of nothing taken up: the feed has nothing, and what it begins with will have an epoch of its own."""
    await connection.execute(delete(feed_cursors).where(within(feed_cursors, key)))


async def save_cursor(connection: AsyncConnection, key: WorkspaceKey, position: FeedPosition) -> None:
    """Keep the position taken up, in the transaction that appends what lies before it."""
    row = {"epoch": position.epoch, "sequence": position.sequence}
    statement = insert(feed_cursors).values(tenant=key.tenant, workspace=key.workspace, **row)
    primary = (feed_cursors.c.tenant, feed_cursors.c.workspace)
    await connection.execute(statement.on_conflict_do_update(index_elements=primary, set_=row))
