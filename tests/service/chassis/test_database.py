"""Transactions of one tenant, and what row-level security keeps apart."""

import asyncio
import contextvars
from datetime import timedelta

import psycopg2.errors
import pytest
from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.postgres.database import Database, UnsafeRoleError, open_database
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.transactions import in_transaction
from sqlalchemy import column, delete, func, insert, make_url, select, table, text, update
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncConnection

notes = table("notes", column("tenant"), column("workspace"), column("note"), column("body"))


async def write(connection: AsyncConnection, tenant: str, note: int = 1) -> None:
    await connection.execute(insert(notes).values(tenant=tenant, workspace="w", note=note, body=f"of {tenant}"))


async def bodies(connection: AsyncConnection) -> list[str]:
    """All notes, without any condition on the tenant."""
    return list((await connection.execute(select(notes.c.body).order_by(notes.c.body))).scalars())


@pytest.fixture
async def two_tenants(database: Database) -> None:
    for tenant in ("acme", "globex"):
        async with database.transaction(tenant) as connection:
            await write(connection, tenant)


async def test_a_query_without_a_condition_sees_one_tenant_only(database: Database, two_tenants: None) -> None:
    """TN-01, TN-03: a cross-tenant query cannot be expressed."""
    async with database.transaction("acme") as connection:
        assert await bodies(connection) == ["of acme"]
    async with database.transaction("globex") as connection:
        assert await bodies(connection) == ["of globex"]


async def test_without_a_tenant_the_service_sees_and_changes_nothing(database: Database, two_tenants: None) -> None:
    """TN-01: a tenant is named, or there is no data."""
    async with database.across_tenants() as connection:
        assert await bodies(connection) == []
        assert (await connection.execute(update(notes).values(body="changed"))).rowcount == 0
        assert (await connection.execute(delete(notes))).rowcount == 0


async def test_changes_without_a_condition_stay_within_the_tenant(
    database: Database, follower: Database, two_tenants: None
) -> None:
    """TN-01, TN-03."""
    async with database.transaction("acme") as connection:
        assert (await connection.execute(update(notes).values(body="changed"))).rowcount == 1
    async with follower.across_tenants() as connection:
        assert await bodies(connection) == ["changed", "of globex"]


async def test_a_row_for_another_tenant_is_refused(database: Database) -> None:
    """TN-01."""
    with pytest.raises(ProgrammingError) as refused:
        async with database.transaction("acme") as connection:
            await write(connection, "globex")
    assert isinstance(refused.value.orig, psycopg2.errors.InsufficientPrivilege)


async def test_a_row_cannot_be_moved_to_another_tenant(database: Database, two_tenants: None) -> None:
    """TN-01."""
    with pytest.raises(ProgrammingError, match="row-level security"):
        async with database.transaction("acme") as connection:
            await connection.execute(update(notes).values(tenant="globex", note=2))


async def test_the_follower_reads_all_tenants_and_writes_only_what_it_is_granted(
    follower: Database, two_tenants: None
) -> None:
    """TN-03: what reads across tenants has a role of its own."""
    async with follower.across_tenants() as connection:
        assert await bodies(connection) == ["of acme", "of globex"]
        assert (await connection.execute(text("DELETE FROM requests"))).rowcount == 0
    with pytest.raises(ProgrammingError, match="permission denied"):
        async with follower.across_tenants() as connection:
            await connection.execute(delete(notes))


async def test_even_the_owner_is_bound_by_row_level_security(notes_urls: DatabaseUrls, two_tenants: None) -> None:
    """TN-03."""
    async with open_database(notes_urls.owner, application="owner") as owner, owner.across_tenants() as connection:
        assert await bodies(connection) == []


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE notes DISABLE ROW LEVEL SECURITY",
        "DROP POLICY one_tenant ON notes",
        "CREATE TABLE leak AS SELECT * FROM notes",
        "ALTER ROLE CURRENT_USER BYPASSRLS",
        "TRUNCATE notes",
    ],
)
async def test_no_role_of_a_service_can_lift_row_level_security(
    database: Database, follower: Database, two_tenants: None, statement: str
) -> None:
    """TN-03."""
    for opened in (database, follower):
        with pytest.raises(ProgrammingError):
            async with opened.across_tenants() as connection:
                await connection.execute(text(statement))


async def test_a_session_cannot_switch_row_level_security_off(database: Database, two_tenants: None) -> None:
    """TN-03."""
    with pytest.raises(ProgrammingError, match="row-level security"):
        await _bodies_without_row_security(database)


async def _bodies_without_row_security(database: Database) -> list[str]:
    async with database.across_tenants() as connection:
        await connection.execute(text("SET row_security = off"))
        return await bodies(connection)


async def test_a_superuser_is_no_role_for_a_service(notes_urls: DatabaseUrls) -> None:
    """TN-03: no policy would bind it."""
    superuser = make_url(notes_urls.service).set(username="postgres").render_as_string()
    with pytest.raises(UnsafeRoleError, match="postgres"):
        async with open_database(superuser, application="notes"):
            pass


async def test_a_transaction_is_known_to_be_open_until_it_ends(database: Database) -> None:
    """Architecture, section 4: no RPC while a transaction is open."""
    assert not in_transaction()
    async with database.transaction("acme"):
        assert in_transaction()
        assert await asyncio.create_task(asyncio.to_thread(in_transaction))
    assert not in_transaction()
    with pytest.raises(ZeroDivisionError):
        async with database.transaction("acme"):
            raise ZeroDivisionError
    assert not in_transaction()


async def test_statements_in_autocommit_are_of_one_tenant_and_each_is_a_transaction(
    database: Database, two_tenants: None
) -> None:
    """TN-01, N-05: each sees what was committed before it, and what it writes is there at once and for good."""

    async def write_beside() -> None:
        async with database.transaction("acme") as connection:
            assert await bodies(connection) == ["of acme"]
            await write(connection, "acme", note=2)

    async with database.autocommit("acme") as connection:
        assert await bodies(connection) == ["of acme"]
        await asyncio.create_task(write_beside(), context=contextvars.Context())
        assert await bodies(connection) == ["of acme", "of acme"]
        await write(connection, "acme", note=3)
        with pytest.raises(ProgrammingError):  # row-level security
            await write(connection, "globex", note=4)
    assert not in_transaction()
    async with database.transaction("acme") as connection:  # on the same connection, and it sees one tenant still
        assert await bodies(connection) == ["of acme"] * 3


async def test_a_task_has_one_transaction_at_a_time(database: Database) -> None:
    async with database.transaction("acme"):
        with pytest.raises(RuntimeError, match="open already"):
            async with database.transaction("acme"):
                pass


async def test_a_transaction_without_a_tenant_says_so(database: Database) -> None:
    """TN-01."""
    with pytest.raises(ValueError, match="tenant"):
        async with database.transaction(""):
            pass


async def test_an_exception_undoes_the_transaction(database: Database) -> None:
    """WP-02: any exception rolls back everything."""
    with pytest.raises(ZeroDivisionError):
        await write_and_fail(database)
    async with database.transaction("acme") as connection:
        assert await bodies(connection) == []


async def write_and_fail(database: Database) -> None:
    async with database.transaction("acme") as connection:
        await write(connection, "acme")
        raise ZeroDivisionError


async def test_a_statement_is_cut_off_after_its_time(notes_urls: DatabaseUrls) -> None:
    """X-06: the database is the peer that does not answer, and nothing of the tenant's is in what is logged."""
    limit = timedelta(milliseconds=50)
    async with open_database(notes_urls.service, application="notes", statement_timeout=limit) as database:
        with pytest.raises(PeerUnavailable) as refused:
            async with database.transaction("acme") as connection:
                await connection.execute(select(func.pg_sleep(30), func.length("of a tenant")))
        cause = refused.value.__cause__
        assert isinstance(cause, DBAPIError)
        assert isinstance(cause.orig, psycopg2.errors.QueryCanceled)
        assert (refused.value.peer, "of a tenant" in str(cause)) == ("database", False)


async def test_a_transaction_left_idle_is_ended_by_the_server(notes_urls: DatabaseUrls) -> None:
    """WP-07: a process that hangs in a transaction does not keep its locks for ever."""
    limit = timedelta(milliseconds=500)
    async with open_database(notes_urls.service, application="notes", statement_timeout=limit) as database:
        with pytest.raises(PeerUnavailable):
            await write_and_hang(database)
        async with database.transaction("acme") as connection:
            assert await bodies(connection) == []


async def write_and_hang(database: Database) -> None:
    async with database.transaction("acme") as connection:
        await write(connection, "acme")
        await asyncio.sleep(1.5)  # the fault itself
        await bodies(connection)


async def test_an_exhausted_pool_refuses_after_its_time(notes_urls: DatabaseUrls) -> None:
    wait = timedelta(milliseconds=50)
    async with open_database(notes_urls.service, application="notes", pool_size=1, pool_timeout=wait) as database:
        taken, refused = asyncio.Event(), asyncio.Event()

        async def hold() -> None:
            async with database.transaction("acme") as connection:
                await bodies(connection)
                taken.set()
                await refused.wait()

        holder = asyncio.create_task(hold())
        await taken.wait()
        with pytest.raises(PeerUnavailable):
            async with database.transaction("acme"):
                pass
        refused.set()
        await holder


async def test_times_are_read_in_utc(database: Database) -> None:
    async with database.transaction("acme") as connection:
        now = (await connection.execute(select(func.clock_timestamp()))).scalar_one()
    assert now.utcoffset() == timedelta(0)
