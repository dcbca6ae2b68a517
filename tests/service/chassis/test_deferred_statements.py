"""Statements that wait for the next one of their transaction, or for its commit."""

from decimal import Decimal

import psycopg2
import psycopg2.errors
import pytest
from lattice_chassis.postgres import dialect
from service.chassis.jobs import jobs, names
from sqlalchemy import insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


async def test_deferred_statements_are_seen_by_the_next_and_kept_by_the_commit(
    engine: AsyncEngine, witness: AsyncConnection
) -> None:
    """WP-02: they belong to the transaction as all others do, with one set of parameters or several."""
    deferred = insert(jobs).inline().execution_options(**dialect.DEFERRED)
    async with engine.begin() as connection:
        await connection.execute(deferred, {"name": "50 %, %s"})
        await connection.execute(deferred, [{"name": "two"}, {"name": "three"}])
        assert await names(connection) == ["50 %, %s", "two", "three"]
        await connection.execute(update(jobs).values(price=7).execution_options(**dialect.DEFERRED))
        assert await names(witness) == []
    prices = (await witness.execute(select(jobs.c.price))).scalars().all()
    assert prices == [Decimal("7.00")] * 3


async def test_a_transaction_of_deferred_statements_alone_takes_effect(
    engine: AsyncEngine, witness: AsyncConnection
) -> None:
    async with engine.begin() as connection:
        await connection.execute(insert(jobs).inline().execution_options(**dialect.DEFERRED), {"name": "alone"})
    assert await names(witness) == ["alone"]


async def test_what_a_deferred_statement_raises_the_commit_raises_and_nothing_is_kept(
    engine: AsyncEngine, witness: AsyncConnection
) -> None:
    """WP-02: also what was written before it and after it."""
    deferred = insert(jobs).inline().execution_options(**dialect.DEFERRED)
    async with engine.connect() as connection:
        await connection.execute(insert(jobs), {"name": "before"})
        await connection.execute(deferred, [{"name": "twice"}, {"name": "twice"}, {"name": "after"}])
        with pytest.raises(IntegrityError) as refused:
            await connection.commit()
    assert isinstance(refused.value.orig, psycopg2.errors.UniqueViolation)
    assert await names(witness) == []
    async with engine.begin() as connection:  # the connection is of use again
        await connection.execute(deferred, {"name": "next"})
    assert await names(witness) == ["next"]


async def test_a_rollback_forgets_what_was_deferred(engine: AsyncEngine, witness: AsyncConnection) -> None:
    deferred = insert(jobs).inline().execution_options(**dialect.DEFERRED)
    async with engine.connect() as connection:
        await connection.execute(deferred, {"name": "forgotten"})
        await connection.rollback()
        await connection.execute(deferred, {"name": "kept"})
        await connection.commit()
    async with engine.connect() as connection:
        await connection.execute(deferred, {"name": "left"})  # by a block that neither commits nor rolls back
    async with engine.begin() as connection:
        assert await names(connection) == ["kept"]
    assert await names(witness) == ["kept"]


async def test_in_autocommit_nothing_is_deferred(engine: AsyncEngine, witness: AsyncConnection) -> None:
    async with engine.connect() as connection:
        own = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await own.execute(insert(jobs).inline().execution_options(**dialect.DEFERRED), {"name": "at once"})
        assert await names(witness) == ["at once"]


async def test_a_statement_that_cannot_be_bound_takes_no_deferred_one_with_it(
    engine: AsyncEngine, witness: AsyncConnection
) -> None:
    """WP-02: whoever catches that and goes on loses nothing."""
    async with engine.begin() as connection:
        await connection.execute(insert(jobs).inline().execution_options(**dialect.DEFERRED), {"name": "kept"})
        with pytest.raises(ValueError, match="NUL"):
            await connection.execute(select(jobs.c.id).where(jobs.c.name == "zero \0"))
    assert await names(witness) == ["kept"]


async def test_a_transaction_in_which_a_statement_failed_cannot_be_committed(
    engine: AsyncEngine, witness: AsyncConnection
) -> None:
    """WP-02: PostgreSQL would answer the commit, and undo all in silence."""
    async with engine.connect() as connection:
        await connection.execute(insert(jobs), {"name": "undone"})
        with pytest.raises(DBAPIError):
            await connection.execute(text("SELECT 1 / 0"))
        with pytest.raises(DBAPIError, match="a statement of the transaction failed"):
            await connection.commit()
    assert await names(witness) == []
    async with engine.begin() as connection:
        assert await names(connection) == []
