"""What reconciling reads and rewrites: which changes of files the log has, and under which numbers [MP-22]."""

from collections.abc import Collection, Mapping
from typing import Final

from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice_chassis.postgres.workspaces import workspaces
from sqlalchemy import bindparam, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from artifactr.core.actors import WorkspaceKey
from artifactr.store.tables import feed_cursors, log, within

_FOLLOWED: Final = select(feed_cursors.c.tenant, feed_cursors.c.workspace).order_by(
    feed_cursors.c.tenant, feed_cursors.c.workspace
)


async def followed(connection: AsyncConnection) -> list[WorkspaceKey]:
    """Every workspace of which changes were taken up, of all tenants."""
    return [WorkspaceKey(tenant=row.tenant, workspace=row.workspace) for row in await connection.execute(_FOLLOWED)]


async def known_ids(connection: AsyncConnection, key: WorkspaceKey) -> Mapping[str, int | None]:
    """The ids of all entries of the log, each with its number in files as far as it has one."""
    rows = await connection.execute(select(log.c.entry_id, log.c.change_sequence).where(within(log, key)))
    return {row.entry_id: row.change_sequence for row in rows}


async def renumber(connection: AsyncConnection, key: WorkspaceKey, numbers: Mapping[str, int | None]) -> None:
    """Give entries, by their ids, other numbers in files, or none; what they tell stays."""
    own = within(log, key) & log.c.entry_id.in_(list(numbers))
    rows = (await connection.execute(select(log.c.entry_id, log.c.entry).where(own))).all()
    await connection.execute(update(log).where(own).values(change_sequence=None))  # first: numbers are unique
    for row in rows:
        entry = log_pb.LogEntry.FromString(bytes(row.entry))
        number = numbers[row.entry_id]
        entry.change_sequence = number or 0
        changed = update(log).where(within(log, key), log.c.entry_id == bindparam("named"))
        values = {"change_sequence": number, "entry": entry.SerializeToString()}
        await connection.execute(changed.values(**values), {"named": row.entry_id})


async def begin_new_history(connection: AsyncConnection, key: WorkspaceKey) -> None:
    """Give the log another epoch: whoever watched it reads it again from the start."""
    await connection.execute(update(workspaces).where(within(workspaces, key)).values(epoch=func.gen_random_uuid()))


def lost(known: Mapping[str, int | None], feed: Collection[str]) -> dict[str, int | None]:
    """The entries whose change is not in the feed any more, without their numbers."""
    return {it: None for it, number in known.items() if number is not None and it not in feed}
