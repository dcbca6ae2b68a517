"""The dialect on a real server: transactions, values, failures, cancellation."""

import uuid
from datetime import UTC, datetime
from decimal import Decimal

import pytest
import sqlalchemy as sa
from lattice_chassis.postgres.embedded import DatabaseUrls
from service.chassis.jobs import code_of, jobs, names
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.dialects.postgresql import Range
from sqlalchemy.exc import DBAPIError, IntegrityError, InvalidRequestError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine


async def test_what_is_committed_is_seen_by_others(engine: AsyncEngine, witness: AsyncConnection) -> None:
    async with engine.begin() as connection:
        await connection.execute(insert(jobs).values(name="kept"))
        assert await names(witness) == []
    assert await names(witness) == ["kept"]


async def test_an_exception_rolls_everything_back(engine: AsyncEngine, witness: AsyncConnection) -> None:
    async def fail_after_writing() -> None:
        async with engine.begin() as connection:
            await connection.execute(insert(jobs).values(name="lost"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail_after_writing()
    assert await names(witness) == []


async def test_a_savepoint_rolls_back_alone(engine: AsyncEngine, witness: AsyncConnection) -> None:
    async with engine.begin() as connection:
        await connection.execute(insert(jobs).values(name="kept"))
        with pytest.raises(IntegrityError):
            async with connection.begin_nested():
                await connection.execute(insert(jobs).values(name="kept"))
        await connection.execute(insert(jobs).values(name="kept too"))
    assert await names(witness) == ["kept", "kept too"]


async def test_begin_and_tenant_ride_once_in_front_of_the_first_statement(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        scoped = await connection.execution_options(lattice_tenant="o'neil 100%")
        query = text("SELECT current_query(), current_setting('lattice.tenant'), :share")
        sent, tenant, share = (await scoped.execute(query, {"share": "5%"})).one()
        assert sent.startswith("BEGIN; SET LOCAL lattice.tenant = 'o''neil 100%'; SELECT current_query()")
        assert (tenant, share) == ("o'neil 100%", "5%")
        again = (await scoped.execute(text("SELECT current_query()"))).scalar_one()
        assert again == "SELECT current_query()"


async def test_a_tenant_does_not_outlive_its_connections_use(database_urls: DatabaseUrls) -> None:
    """TN-01: the pool's next borrower starts without one."""
    engine = create_async_engine(database_urls.service, pool_size=1, max_overflow=0)
    query = text("SELECT pg_backend_pid(), current_setting('lattice.tenant', true)")
    async with engine.connect() as connection:
        scoped = await connection.execution_options(lattice_tenant="first")
        process, tenant = (await scoped.execute(query)).one()
        assert tenant == "first"
    async with engine.connect() as connection:
        assert tuple((await connection.execute(query)).one()) == (process, "")
    await engine.dispose()


async def test_a_tenant_cannot_change_inside_a_transaction(engine: AsyncEngine) -> None:
    """TN-01: a transaction has one tenant."""
    async with engine.begin() as connection:
        await connection.execute(text("SELECT 1"))
        with pytest.raises(InvalidRequestError):
            _ = await connection.execution_options(lattice_tenant="other")


async def test_a_connection_that_executes_nothing_begins_nothing(engine: AsyncEngine, witness: AsyncConnection) -> None:
    async with engine.begin() as connection:
        process = (await connection.get_raw_connection()).driver_connection.raw.get_backend_pid()  # type: ignore[union-attr]
        query = text("SELECT state FROM pg_stat_activity WHERE pid = :process")
        assert (await witness.execute(query, {"process": process})).scalar_one() == "idle"


async def test_values_come_back_as_they_went(engine: AsyncEngine) -> None:
    now = datetime.now(UTC)
    row = {
        "name": "a'b%c \\ é",
        "uid": uuid.uuid4(),
        "data": {"k": [1, {"x": None}], "share": "50%"},
        "tags": ["x", "y,z"],
        "price": Decimal("1.50"),
        "at": now,
        "during": Range(now, None, bounds="[)"),
        "content": b"\x00\x01%",
    }
    async with engine.begin() as connection:
        await connection.execute(insert(jobs).values(row))
        found = (await connection.execute(select(*(jobs.c[name] for name in row)))).one()
        by_json = select(jobs.c.name).where(
            jobs.c.data["k"][0].as_integer() == 1, jobs.c.data.contains({"share": "50%"})
        )
        assert (await connection.execute(by_json)).scalar_one() == row["name"]
    assert dict(found._mapping) == row


async def test_several_sets_of_parameters_count_all_their_rows(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(insert(jobs), [{"name": f"job {n}"} for n in range(500)])
        change = update(jobs).where(jobs.c.name == sa.bindparam("old")).values(name=sa.bindparam("new"))
        done = await connection.execute(change, [{"old": f"job {n}", "new": f"done {n}"} for n in (1, 2, 999)])
        assert done.rowcount == 2
        changed = select(func.count()).where(jobs.c.name.startswith("done"))
        assert (await connection.execute(changed)).scalar_one() == 2


async def test_a_large_value_arrives_whole(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        value = (await connection.execute(text("SELECT repeat(:letter, 3000000)"), {"letter": "é"})).scalar_one()
    assert value == "é" * 3_000_000


async def test_a_stream_is_refused(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        with pytest.raises(InvalidRequestError):
            await connection.stream(text("SELECT 1"))


async def test_the_first_failure_of_a_transaction_ends_it(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        with pytest.raises(DBAPIError):
            await connection.execute(text("SELECT 1 / 0"))
        with pytest.raises(DBAPIError) as refused:
            await connection.execute(text("SELECT 1"))
        assert code_of(refused.value) == "25P02"  # in_failed_sql_transaction
        await connection.rollback()
        assert (await connection.execute(text("SELECT 1"))).scalar_one() == 1


@pytest.mark.parametrize("level", ["SERIALIZABLE", "REPEATABLE READ", "READ COMMITTED"])
async def test_an_isolation_level_holds_for_one_use_of_a_connection(engine: AsyncEngine, level: str) -> None:
    async with engine.connect() as connection:
        scoped = await connection.execution_options(isolation_level=level)
        assert (await scoped.execute(text("SHOW transaction_isolation"))).scalar_one() == level.lower()
    async with engine.connect() as connection:
        assert (await connection.execute(text("SHOW transaction_isolation"))).scalar_one() == "read committed"


async def test_a_read_only_transaction_refuses_to_write(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        scoped = await connection.execution_options(postgresql_readonly=True, postgresql_deferrable=True)
        with pytest.raises(DBAPIError) as refused:
            await scoped.execute(insert(jobs).values(name="never"))
        assert code_of(refused.value) == "25006"  # read_only_sql_transaction


async def test_autocommit_runs_outside_of_transactions(engine: AsyncEngine) -> None:
    async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        await connection.execute(text("VACUUM jobs"))
        assert await connection.get_isolation_level() == "AUTOCOMMIT"


async def test_two_writers_of_one_snapshot_conflict(engine: AsyncEngine) -> None:
    serial = engine.execution_options(isolation_level="REPEATABLE READ")
    async with engine.begin() as connection:
        await connection.execute(insert(jobs).values(name="one"))
    async with serial.connect() as first, serial.connect() as second:
        assert (await names(first), await names(second)) == (["one"], ["one"])
        await first.execute(update(jobs).values(name="two"))
        await first.commit()
        with pytest.raises(OperationalError) as refused:
            await second.execute(update(jobs).values(name="three"))
        assert code_of(refused.value) == "40001"  # serialization_failure
