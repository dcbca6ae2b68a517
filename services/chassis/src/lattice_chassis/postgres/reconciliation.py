"""Beginning new histories after a restore: positions that were given out before are worth nothing any more [MP-22]."""

from sqlalchemy import text

from lattice_chassis.postgres.operating import operating


async def begin_new_histories(administrator_url: str, *also: str) -> int:
    """Give the sequence of every workspace another epoch, and answer how many workspaces there are.

    In the same transaction go the statements `also`, of what belongs to the old histories. It takes a role that
    row-level security does not bind and that may write: the one that restored the database.
    """
    async with operating(administrator_url, "reconcile") as engine, engine.begin() as connection:
        for statement in also:
            await connection.execute(text(statement))
        return (await connection.execute(text("UPDATE workspaces SET epoch = gen_random_uuid()"))).rowcount
