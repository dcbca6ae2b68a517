"""Connections of the dialect: cancelled, cut off, silent, lost and many."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from datetime import timedelta

import psycopg2
import psycopg2.errors
import pytest
import sqlalchemy as sa
from lattice_chassis.postgres import dialect, driver
from lattice_chassis.postgres.embedded import DatabaseUrls
from service.chassis.jobs import is_active, is_gone, jobs, names, process_of, waiting_for_a_lock
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

DEADLINE = 30.0  # seconds for what takes milliseconds

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


async def test_a_statement_over_its_time_is_refused_and_its_connection_lives(database_urls: DatabaseUrls) -> None:
    engine = create_async_engine(database_urls.owner, connect_args={"options": "-c statement_timeout=1000"})
    async with engine.connect() as connection:
        process = await process_of(connection)
        with pytest.raises(OperationalError) as refused:
            await connection.execute(text("SELECT pg_sleep(30)"))
        assert isinstance(refused.value.orig, psycopg2.errors.QueryCanceled)
        assert not refused.value.connection_invalidated
        await connection.rollback()
        assert await process_of(connection) == process
    await engine.dispose()


async def test_a_cancelled_task_stops_its_statement_on_the_server(
    engine: AsyncEngine, witness: AsyncConnection, eventually: Eventually
) -> None:
    """WP-07: a cancelled caller leaves no lock behind."""
    async with engine.begin() as holder:
        await holder.execute(insert(jobs).values(name="locked"))
    async with engine.connect() as connection:
        await connection.execute(select(jobs).with_for_update())
        process = await process_of(connection)
        waiting = asyncio.create_task(connection.execute(text("SELECT pg_sleep(60)")))
        await eventually(lambda: is_active(witness, process))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    await eventually(lambda: is_gone(witness, process))
    free = select(func.count()).select_from(select(jobs).with_for_update(skip_locked=True).subquery())
    assert (await witness.execute(free)).scalar_one() == 1


async def test_a_writer_cancelled_in_the_queue_for_a_lock_never_writes(
    engine: AsyncEngine, witness: AsyncConnection, eventually: Eventually
) -> None:
    """WP-07: a cancelled caller leaves no lock behind."""
    async with engine.begin() as connection:
        await connection.execute(insert(jobs).values(name="before"))

    async def write() -> None:
        async with engine.begin() as connection:
            await connection.execute(update(jobs).values(name="written by the cancelled"))

    async with engine.begin() as holder:
        await holder.execute(select(jobs).with_for_update())
        writer = asyncio.create_task(write())
        await eventually(lambda: waiting_for_a_lock(witness))
        process = await waiting_for_a_lock(witness)
        assert process is not None
        writer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writer
        await eventually(lambda: is_gone(witness, process))
    assert await names(witness) == ["before"]


async def test_a_cancelled_commit_is_a_cancellation(
    engine: AsyncEngine, witness: AsyncConnection, eventually: Eventually
) -> None:
    """WP-07: it may have taken effect all the same; what counts is that the caller is told of no other error."""
    slow_commit = """
        CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER dawdles AFTER INSERT ON jobs DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION dawdle()
    """
    await witness.execute(text(slow_commit))
    processes: list[int] = []

    async def write() -> None:
        async with engine.begin() as connection:
            await connection.execute(insert(jobs).values(name="unknown"))
            processes.append(await process_of(connection))

    writer = asyncio.create_task(write())

    async def committing() -> bool:
        query = text("SELECT count(*) = 1 FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'")
        return bool((await witness.execute(query)).scalar_one())

    await eventually(committing)
    writer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writer
    await eventually(lambda: is_gone(witness, processes[0]))
    assert await names(witness) == []


async def test_a_deadline_is_a_timeout_not_a_cancellation(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await connection.execute(text("SELECT pg_sleep(60)"))


async def test_a_storm_of_cancellations_leaves_the_pool_whole(
    engine: AsyncEngine, witness: AsyncConnection, eventually: Eventually
) -> None:
    async def one(milliseconds: int) -> None:
        async with asyncio.timeout(milliseconds / 1000), engine.begin() as connection:
            for _ in range(5):
                await connection.execute(text("SELECT pg_sleep(0.005)"))

    outcomes = await asyncio.gather(*(one(n % 60) for n in range(200)), return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} <= {TimeoutError, type(None)}
    assert engine.pool.status().endswith("Current Checked out connections: 0")
    few = text("SELECT count(*) <= 10 FROM pg_stat_activity WHERE application_name = 'dialect'")

    async def only_the_pool_is_left() -> bool:
        return bool((await witness.execute(few)).scalar_one())

    await eventually(only_the_pool_is_left)
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT 1"))).scalar_one() == 1


async def test_a_connection_that_died_in_the_pool_is_replaced(
    engine: AsyncEngine, witness: AsyncConnection, eventually: Eventually
) -> None:
    async with engine.connect() as connection:
        process = await process_of(connection)
        pooled = (await connection.get_raw_connection()).driver_connection

    async def noticed() -> bool:
        return pooled is not None and bool(pooled.closed)

    await witness.execute(select(func.pg_terminate_backend(process)))
    await eventually(noticed)
    async with engine.connect() as connection:
        assert await process_of(connection) != process


async def test_a_connection_that_was_silent_for_long_is_asked_before_use(
    engine: AsyncEngine, witness: AsyncConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with engine.connect() as connection:
        process = await process_of(connection)
    last = text("SELECT query FROM pg_stat_activity WHERE pid = :process")
    async with engine.connect():
        assert (await witness.execute(last, {"process": process})).scalar_one() == "ROLLBACK"
    monkeypatch.setattr(dialect, "TRUSTED_FOR", timedelta(0))
    async with engine.connect():
        assert (await witness.execute(last, {"process": process})).scalar_one() == "SELECT 1"


async def test_a_connection_killed_in_the_middle_is_invalidated(
    engine: AsyncEngine, witness: AsyncConnection, eventually: Eventually
) -> None:
    async with engine.connect() as connection:
        process = await process_of(connection)
        waiting = asyncio.create_task(connection.execute(text("SELECT pg_sleep(60)")))
        await eventually(lambda: is_active(witness, process))
        await witness.execute(select(func.pg_terminate_backend(process)))
        with pytest.raises(DBAPIError) as lost:
            await waiting
        assert lost.value.connection_invalidated
    async with engine.connect() as connection:
        assert await process_of(connection) != process


async def test_a_commit_on_a_lost_connection_fails(
    engine: AsyncEngine, witness: AsyncConnection, eventually: Eventually
) -> None:
    connection = await engine.connect()
    await connection.execute(insert(jobs).values(name="lost"))
    process = await process_of(connection)
    await witness.execute(select(func.pg_terminate_backend(process)))
    await eventually(lambda: is_gone(witness, process))
    with pytest.raises((OperationalError, InterfaceError)):
        await connection.commit()
    await connection.close()
    assert await names(witness) == []


async def test_fifty_connections_work_at_once(database_urls: DatabaseUrls) -> None:
    engine = create_async_engine(database_urls.owner, pool_size=50, max_overflow=0)
    together = asyncio.Barrier(50)

    async def one() -> int:
        async with engine.begin() as connection:
            process = await process_of(connection)
            await together.wait()
            return process

    async with asyncio.timeout(DEADLINE):
        assert len(set(await asyncio.gather(*(one() for _ in range(50))))) == 50
    await engine.dispose()


async def test_an_unreachable_server_is_an_operational_error(tmp_path: str) -> None:
    engine = create_async_engine(f"postgresql+aiopg://nobody@/none?host={tmp_path}")
    with pytest.raises(OperationalError):
        async with engine.connect():
            pass
    await engine.dispose()


async def test_an_unknown_host_is_an_operational_error() -> None:
    engine = create_async_engine("postgresql+aiopg://nobody@host.invalid/none")
    with pytest.raises(OperationalError, match="cannot be resolved"):
        async with engine.connect():
            pass
    await engine.dispose()


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning", "ignore::ResourceWarning")
async def test_a_forgotten_connection_is_closed_when_collected(
    engine: AsyncEngine, witness: AsyncConnection, eventually: Eventually
) -> None:
    connection = await engine.connect()
    process = await process_of(connection)
    del connection
    gc.collect()
    await eventually(lambda: is_gone(witness, process))


async def test_a_cancelled_statement_stops_nobody_else_while_the_server_is_silent(database_urls: DatabaseUrls) -> None:
    """WP-07, X-06: a frozen server must not freeze the program that gives up on it."""
    parameters = dialect.connection_parameters(sa.make_url(database_urls.owner))
    connected = 0

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connected
        connected += 1
        path = f"{parameters['host']}/.s.PGSQL.{parameters.get('port', 5432)}"
        is_path = str(parameters["host"]).startswith("/")
        there = await (
            asyncio.open_unix_connection(path)
            if is_path
            else asyncio.open_connection(parameters["host"], int(parameters.get("port", 5432)))
        )
        await asyncio.gather(_pump(reader, there[1]), _pump(there[0], writer), return_exceptions=True)

    proxy = await asyncio.start_server(pass_on, "127.0.0.1", 0)
    port = proxy.sockets[0].getsockname()[1]
    connection = await driver.connect({**parameters, "host": "127.0.0.1", "port": port})
    statement = asyncio.create_task(connection.execute(connection.new_cursor(), b"SELECT pg_sleep(60)"))
    await asyncio.sleep(0.1)
    proxy.close()  # whoever tried to reach the server now would wait
    statement.cancel()
    began = asyncio.get_running_loop().time()
    await asyncio.wait([statement])
    assert connection.closed
    assert asyncio.get_running_loop().time() - began < 1
    assert connected == 1


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(65_536):
        writer.write(piece)
    writer.close()
