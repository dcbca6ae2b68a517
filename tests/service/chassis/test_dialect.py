"""The dialect on a real server: transactions, values, failures, cancellation."""

import asyncio
import gc
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import psycopg2
import psycopg2.errors
import pytest
import sqlalchemy as sa
from lattice_chassis.postgres import dialect, driver
from lattice_chassis.postgres.embedded import DatabaseUrls
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSTZRANGE, Range
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, InvalidRequestError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

DEADLINE = 30.0  # seconds for what takes milliseconds

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

metadata = sa.MetaData()
jobs = sa.Table(
    "jobs",
    metadata,
    sa.Column("id", sa.Integer, sa.Identity(), primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("uid", sa.Uuid, default=uuid.uuid4),
    sa.Column("data", JSONB, default=dict),
    sa.Column("tags", ARRAY(sa.Text), default=list),
    sa.Column("price", sa.Numeric(10, 2)),
    sa.Column("at", sa.DateTime(timezone=True)),
    sa.Column("during", TSTZRANGE),
    sa.Column("content", sa.LargeBinary),
)


@pytest.fixture
async def engine(database_urls: DatabaseUrls) -> AsyncIterator[AsyncEngine]:
    engine = create_async_engine(
        database_urls.owner,
        pool_size=5,
        max_overflow=5,
        pool_pre_ping=True,
        connect_args={"application_name": "dialect"},
    )
    async with engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
    yield engine
    await engine.dispose()


@pytest.fixture
async def witness(database_urls: DatabaseUrls) -> AsyncIterator[AsyncConnection]:
    """Another connection, each of whose statements sees what is committed."""
    engine = create_async_engine(database_urls.owner, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        yield connection
    await engine.dispose()


async def names(connection: AsyncConnection) -> list[str]:
    return list((await connection.execute(select(jobs.c.name).order_by(jobs.c.id))).scalars())


async def process_of(connection: AsyncConnection) -> int:
    return int((await connection.execute(select(func.pg_backend_pid()))).scalar_one())


async def is_gone(witness: AsyncConnection, process: int) -> bool:
    query = text("SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = :process")
    return bool((await witness.execute(query, {"process": process})).scalar_one())


async def is_active(witness: AsyncConnection, process: int) -> bool:
    query = text("SELECT state = 'active' FROM pg_stat_activity WHERE pid = :process")
    return bool((await witness.execute(query, {"process": process})).scalar_one())


async def waiting_for_a_lock(witness: AsyncConnection) -> int | None:
    query = text("SELECT pid FROM pg_stat_activity WHERE application_name = 'dialect' AND wait_event_type = 'Lock'")
    return (await witness.execute(query)).scalar_one_or_none()


def code_of(error: DBAPIError) -> str | None:
    assert isinstance(error.orig, psycopg2.Error)
    code: str | None = error.orig.pgcode
    return code


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
