"""The second wall: what a query does that has no condition on its tenant, in every table of every service."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

import psycopg2.errors
import pytest
from lattice_chassis.errors import WorkspaceErased
from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.dialect import connection_parameters
from lattice_chassis.postgres.erasure import Extent, open_erasure
from lattice_chassis.postgres.roles import roles_of
from service.isolation.schemas import Schema
from sqlalchemy import CursorResult, make_url, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.ext.asyncio import AsyncConnection

pytestmark = [pytest.mark.xdist_group("isolation"), pytest.mark.long]  # one set of services for all of them

NOBODYS: Final = {
    "artifactr": {"alembic_version", "erasures"},
    "lattice_files": {"alembic_version", "artifact_types", "erasures"},
    "lattice_integrations": {"alembic_version", "erasures"},
}
"""The tables of each service that hold nothing of a tenant's [TN-06]."""

LOOKED_ACROSS: Final = {
    "artifactr": {"claims", "messages", "requests", "runs", "threads"},
    "lattice_files": {"requests"},
    "lattice_integrations": {"requests"},
}
"""What the follower role may read: what is looked for after a crash, and what is purged by its age."""


class _Undone(Exception):
    """Rolls back what a test tried."""


@asynccontextmanager
async def connected(schema: Schema, role: str, tenant: str | None) -> AsyncIterator[AsyncConnection]:
    """A transaction of a role, and of a tenant where one is named, that is rolled back."""
    url = getattr(schema.urls, role)
    async with open_database(url, application="isolation") as database:
        opened = database.across_tenants() if tenant is None else database.transaction(tenant)
        with suppress(_Undone):
            async with opened as connection:
                yield connection
                raise _Undone


async def attempted(connection: AsyncConnection, statement: str) -> "CursorResult[object] | str":
    """What a statement answers, or the sentence with which the database refuses it for want of a right."""
    savepoint = await connection.begin_nested()
    try:
        return await connection.execute(text(statement))
    except ProgrammingError as error:
        if not isinstance(error.orig, psycopg2.errors.InsufficientPrivilege):
            raise
        await savepoint.rollback()
        return str(error.orig).strip()


async def touched(connection: AsyncConnection, statement: str) -> int:
    """How many rows a statement changes; 0 where the role may not do such a thing at all."""
    answer = await attempted(connection, statement)
    if isinstance(answer, str):
        assert "permission denied" in answer
        return 0
    return answer.rowcount


async def tenants_seen(connection: AsyncConnection, table: str) -> Sequence[str]:
    """Whose rows a query without any condition reads."""
    return sorted((await connection.execute(text(f"SELECT tenant FROM {table}"))).scalars())  # noqa: S608 - our names


def has_right(schema: Schema, role: str, table: str, right: str) -> bool:
    """Whether a role was granted a right on a table."""
    name = getattr(roles_of(make_url(schema.urls.owner).database or ""), role)
    ((granted,),) = schema.asked("SELECT has_table_privilege(%s, %s, %s)", name, table, right)
    return bool(granted)


def test_every_table_either_has_a_tenant_or_is_known_to_hold_nothing_of_one(schema: Schema) -> None:
    """TN-06: whoever adds a table without one has to say so here."""
    tables = schema.asked("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert {name for (name,) in tables} - set(schema.tenant_tables) == NOBODYS[schema.service]
    assert schema.tenant_tables


def test_every_key_of_tenants_data_begins_with_tenant_and_workspace(schema: Schema) -> None:
    """TN-06, X-08: and every other unique index does, or an id that one tenant chose would be refused to another."""
    keys = schema.asked(
        "SELECT indrelid::regclass::text, indexrelid::regclass::text,"
        " array(SELECT attname::text FROM unnest(indkey::int2[]) WITH ORDINALITY k (number, place)"
        "       JOIN pg_attribute ON attrelid = indrelid AND attnum = number ORDER BY place)"
        " FROM pg_index WHERE indisunique AND indrelid::regclass::text = ANY(%s)",
        list(schema.tenant_tables),
    )
    assert {table for table, _, _ in keys} == set(schema.tenant_tables)
    assert {str(index): list(columns)[:2] for _, index, columns in keys} == {  # type: ignore[call-overload]
        str(index): ["tenant", "workspace"] for _, index, _ in keys
    }


async def test_a_query_without_its_tenant_sees_and_changes_nothing_of_another(schema: Schema) -> None:
    """TN-01, TN-03, X-08: in any table, as the service role in a transaction of hooli."""
    async with connected(schema, "service", "hooli") as connection:
        for table in schema.tenant_tables:
            assert await tenants_seen(connection, table) == ["hooli"], table
            for right, statement in (
                ("UPDATE", f"UPDATE {table} SET workspace = workspace || 'x'"),  # noqa: S608 - our names
                ("DELETE", f"DELETE FROM {table}"),  # noqa: S608 - our names
            ):
                expected = 1 if has_right(schema, "service", table, right) else 0
                assert await touched(connection, statement) == expected, (table, right)
    async with connected(schema, "service", "initech") as connection:
        for table in schema.tenant_tables:
            assert await tenants_seen(connection, table) == ["initech"], table


async def test_no_row_is_written_for_another_tenant_or_given_to_it(schema: Schema) -> None:
    """TN-01, X-08: and the refusal is the same whether the other tenant has such a row or not."""
    async with connected(schema, "service", "hooli") as connection:
        for table in schema.tenant_tables:
            told = [
                await attempted(connection, schema.insertion(table, tenant, more))
                for tenant in ("initech", "nobody")
                for more in ("", "ON CONFLICT DO NOTHING")
            ]
            assert set(told) == {f'new row violates row-level security policy for table "{table}"'}, table
            moved = await attempted(connection, f"UPDATE {table} SET tenant = 'initech'")  # noqa: S608 - our names
            assert isinstance(moved, str), table
            assert "row-level security" in moved or "permission denied" in moved, table


async def test_without_a_tenant_there_is_nothing(schema: Schema) -> None:
    """TN-01: as the service role, nothing is seen, changed or written."""
    async with connected(schema, "service", None) as connection:
        for table in schema.tenant_tables:
            assert await tenants_seen(connection, table) == [], table
            assert await touched(connection, f"UPDATE {table} SET workspace = 'x'") == 0, table  # noqa: S608 - our names
            assert await touched(connection, f"DELETE FROM {table}") == 0, table  # noqa: S608 - our names
            told = await attempted(connection, schema.insertion(table, "hooli"))
            assert "row-level security" in str(told), table


async def test_the_follower_reads_what_it_looks_for_and_writes_nothing(schema: Schema) -> None:
    """TN-03: what works across tenants reads no document, and all that it may change is to forget old requests."""
    async with connected(schema, "follower", None) as connection:
        for table in schema.tenant_tables:
            if table in LOOKED_ACROSS[schema.service]:
                assert {"hooli", "initech"} <= set(await tenants_seen(connection, table))
            else:
                told = await attempted(connection, f"SELECT tenant FROM {table}")  # noqa: S608 - our names
                assert told == f"permission denied for table {table}"
            for statement in (
                f"UPDATE {table} SET workspace = 'x'",  # noqa: S608 - our names
                schema.insertion(table, "somebody"),
                f"TRUNCATE {table}",
            ):
                assert await attempted(connection, statement) == f"permission denied for table {table}"
            forgotten = await touched(connection, f"DELETE FROM {table}")  # noqa: S608 - our names
            assert (forgotten >= 2) == (table == "requests"), table


async def test_even_the_owner_is_bound(schema: Schema) -> None:
    """TN-03: a migration that forgets the tenant reads nothing, either."""
    for tenant, seen in ((None, []), ("hooli", ["hooli"])):
        async with connected(schema, "owner", tenant) as connection:
            for table in schema.tenant_tables:
                assert await tenants_seen(connection, table) == seen, table
                assert await touched(connection, f"DELETE FROM {table}") == len(seen), table  # noqa: S608 - our names


@pytest.mark.parametrize("workspace", [None, "main"])
async def test_no_row_of_what_was_erased_is_written_again(schema: Schema, workspace: str | None) -> None:
    """ER-02: in any table, whatever its name; other workspaces and tenants go on."""
    tenant = f'"Umbrella\t\\ é" {workspace}'
    async with open_erasure(schema.urls.owner, Extent(tenant=tenant, workspace=workspace)) as erasure:
        await erasure.close()
    async with open_database(schema.urls.service, application="isolation") as database:
        for table in schema.tenant_tables:
            statement = text(schema.insertion(table, tenant).replace(":", "\\:"))
            with pytest.raises(WorkspaceErased) as refused:
                async with database.transaction(tenant) as connection:
                    await connection.execute(statement)
            assert refused.value.id == "main", table
        if workspace is not None:
            async with database.transaction(tenant) as connection:
                row = {"tenant": tenant, "workspace": "other"}
                await connection.execute(text("INSERT INTO workspaces VALUES (:tenant, :workspace)"), row)


def test_nothing_in_the_schema_goes_round_the_policies(schema: Schema) -> None:
    """TN-03: no function runs with another's rights, no view reads for others, and one policy alone is of all rows."""
    assert schema.asked("SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace") == []
    kinds = "SELECT relname FROM pg_class WHERE relkind IN ('v', 'm', 'f') AND relnamespace = 'public'::regnamespace"
    assert schema.asked(kinds) == []
    follower = roles_of(make_url(schema.urls.owner).database or "").follower
    policies = schema.asked("SELECT tablename, roles::text[], qual, with_check FROM pg_policies")
    guarded = {table for table, roles, *_ in policies if roles == ["public"]}
    assert guarded == set(schema.tenant_tables)
    for table, roles, qual, check in policies:
        if roles != [follower]:
            assert (roles, qual) == (["public"], check), table
            assert "lattice.tenant" in str(qual), table


async def test_the_roles_of_one_service_do_not_enter_the_database_of_another(schemas: dict[str, Schema]) -> None:
    """SE-01: whoever has the key of one has the key of one."""
    databases = {service: make_url(schema.urls.owner).database for service, schema in schemas.items()}
    for service, schema in schemas.items():
        for role in ("service", "follower", "owner"):
            for other in databases.keys() - {service}:
                elsewhere = make_url(getattr(schema.urls, role)).set(database=databases[other])
                with pytest.raises(psycopg2.OperationalError, match="permission denied for database"):
                    psycopg2.connect(**connection_parameters(elsewhere))
