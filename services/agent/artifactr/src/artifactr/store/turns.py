"""How often turns were begun without anybody asking, and which runs were asked to stop [RN-15, RN-16]."""

from typing import Final

from sqlalchemy import ColumnElement, Table, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from artifactr.core.actors import WorkspaceKey
from artifactr.store.tables import messages, runs, within

AUTOMATIC_TURNS: Final = 2
"""How many a message gets, so that a thread that always fails does not fail for ever [TH-10]."""


async def count_turn_of_message(connection: AsyncConnection, key: WorkspaceKey, log_sequence: int) -> bool:
    """Count an automatic turn that begins with a message; false where it has had all of its own."""
    return await _count(connection, messages, within(messages, key) & (messages.c.log_sequence == log_sequence))


async def count_turn_of_run(connection: AsyncConnection, key: WorkspaceKey, run_id: str) -> bool:
    """Count an automatic turn that resumes a run; false where it has had all of its own."""
    return await _count(connection, runs, within(runs, key) & (runs.c.run_id == run_id))


async def request_stop(connection: AsyncConnection, key: WorkspaceKey, run_id: str) -> None:
    """Keep that a run is to be stopped by whoever executes it."""
    await connection.execute(update(runs).where(_run(key, run_id)).values(stop_requested=True))


async def stop_requested(connection: AsyncConnection, key: WorkspaceKey, run_id: str) -> bool:
    """Whether a run is to be stopped; false for one that is not there."""
    return bool((await connection.execute(select(runs.c.stop_requested).where(_run(key, run_id)))).scalar_one_or_none())


async def _count(connection: AsyncConnection, table: Table, own: ColumnElement[bool]) -> bool:
    left = own & (table.c.automatic_turns < AUTOMATIC_TURNS)
    counted = update(table).where(left).values(automatic_turns=table.c.automatic_turns + 1)
    return (await connection.execute(counted.returning(table.c.automatic_turns))).one_or_none() is not None


def _run(key: WorkspaceKey, run_id: str) -> ColumnElement[bool]:
    return within(runs, key) & (runs.c.run_id == run_id)
