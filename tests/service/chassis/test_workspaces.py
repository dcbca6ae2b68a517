"""The row that orders the commands of a workspace."""

import asyncio
from datetime import datetime

import pytest
from lattice_chassis.paging import Cursor
from lattice_chassis.postgres.database import Database
from lattice_chassis.postgres.workspaces import advance_head, lock_workspace, read_workspace
from sqlalchemy import text

BLOCKED = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")


async def test_a_workspace_never_written_to_has_no_row(database: Database) -> None:
    """TN-02: opening needs no creation."""
    async with database.transaction("acme") as connection:
        assert await read_workspace(connection, "acme", "w") is None


async def test_the_first_command_makes_the_row_and_its_epoch_stays(database: Database) -> None:
    """TN-02, MP-22."""
    async with database.transaction("acme") as connection:
        made = await lock_workspace(connection, "acme", "w")
    async with database.transaction("acme") as connection:
        found = await lock_workspace(connection, "acme", "w")
    assert found == made
    assert made.cursor == Cursor(epoch=made.epoch, sequence=0)


async def test_commands_at_once_number_their_events_without_gaps(database: Database) -> None:
    """WP-02, EV-01, SG-03: one writer at a time, from the very first one on."""

    async def command() -> int:
        async with database.transaction("acme") as connection:
            workspace = await lock_workspace(connection, "acme", "w")
            await advance_head(connection, workspace, workspace.head + 1)
            return workspace.head + 1

    assert sorted(await asyncio.gather(*(command() for _ in range(40)))) == list(range(1, 41))


async def test_two_tenants_use_the_same_name_without_seeing_each_other(database: Database) -> None:
    """TN-03: the pair of tenant and workspace is the unit of ordering and locking."""
    async with database.transaction("acme") as connection:
        acme = await lock_workspace(connection, "acme", "w")
        await advance_head(connection, acme, 7)
    async with database.transaction("globex") as connection:
        globex = await lock_workspace(connection, "globex", "w")
    assert globex.head == 0
    assert globex.epoch != acme.epoch


async def test_a_head_never_goes_back(database: Database) -> None:
    """SG-03."""
    async with database.transaction("acme") as connection:
        workspace = await lock_workspace(connection, "acme", "w")
        with pytest.raises(ValueError, match="only grows"):
            await advance_head(connection, workspace, 0)


async def test_the_time_of_a_lock_is_read_after_the_wait_for_it(database: Database) -> None:
    """L-01: also where the one before changed nothing, so that the row is as it was when the wait began."""
    async with database.transaction("acme") as connection:
        await lock_workspace(connection, "acme", "w")
    held = asyncio.Event()

    async def next_one() -> datetime:
        await held.wait()
        async with database.transaction("acme") as connection:
            return (await lock_workspace(connection, "acme", "w")).locked_at

    waiting = asyncio.create_task(next_one())
    async with database.transaction("acme") as connection:
        await lock_workspace(connection, "acme", "w")
        held.set()
        async with asyncio.timeout(10):
            while (await connection.execute(BLOCKED)).scalar_one() == 0:
                await connection.execute(text("SELECT pg_stat_clear_snapshot()"))
        held_until: datetime = (await connection.execute(text("SELECT clock_timestamp()"))).scalar_one()
    assert await waiting > held_until
