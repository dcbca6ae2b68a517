"""Migrations: applied once, by whoever comes first."""

import asyncio
from pathlib import Path

import pytest
from alembic.util import CommandError
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine


async def ask(url: str, query: str) -> list[tuple[object, ...]]:
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        rows = [tuple(row) for row in await connection.execute(text(query))]
    await engine.dispose()
    return rows


async def test_a_second_run_finds_nothing_to_do(database_urls: DatabaseUrls, notes_schema: str) -> None:
    assert await migrate(database_urls.owner, notes_schema) == ["0001", "0002"]
    assert await migrate(database_urls.owner, notes_schema) == []


async def test_of_runs_at_once_one_applies_each_revision(database_urls: DatabaseUrls, notes_schema: str) -> None:
    applied = await asyncio.gather(*(migrate(database_urls.owner, notes_schema) for _ in range(4)))
    assert sorted(map(list, applied)) == [[], [], [], ["0001", "0002"]]


async def test_every_table_of_tenants_forces_row_level_security(notes_urls: DatabaseUrls) -> None:
    """TN-03, TN-06."""
    query = (
        "SELECT relname, relrowsecurity AND relforcerowsecurity FROM pg_class"
        " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname"
    )
    protected = [("notes", True), ("requests", True), ("workspaces", True)]
    assert await ask(notes_urls.owner, query) == [("alembic_version", False), *protected]


async def test_the_service_has_no_access_to_what_no_migration_granted(notes_urls: DatabaseUrls) -> None:
    assert await ask(notes_urls.service, "SELECT * FROM alembic_version") == [("0002",)]  # which readiness looks at
    for url, query in (
        (notes_urls.service, "DELETE FROM alembic_version"),
        (notes_urls.follower, "SELECT * FROM alembic_version"),
    ):
        with pytest.raises(DBAPIError, match="permission denied"):
            await ask(url, query)


def schema(folder: Path, name: str, body: str) -> str:
    """Write a package with one revision, for what no real service should have."""
    package = folder / name
    package.mkdir()
    (package / "__init__.py").touch()
    head = "from alembic import op\nfrom sqlalchemy import Column, Text\n"
    head += (
        "from lattice_chassis.postgres.migrations import create_tenant_table\nrevision, down_revision = '0001', None\n"
    )
    (package / "r0001_only.py").write_text(f"{head}def upgrade():\n    {body}\n")
    return name


async def test_a_failing_revision_leaves_nothing_behind(
    database_urls: DatabaseUrls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    broken = schema(tmp_path, "lattice_broken_schema", "op.execute('CREATE TABLE half (); SELECT 1 / 0')")
    with pytest.raises(DBAPIError):
        await migrate(database_urls.owner, broken)
    tables = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    assert await ask(database_urls.owner, tables) == []


async def test_a_table_whose_key_does_not_begin_with_its_tenant_is_refused(
    database_urls: DatabaseUrls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TN-06: every primary key of tenants' data begins with tenant, then workspace."""
    monkeypatch.syspath_prepend(str(tmp_path))
    leaky = schema(
        tmp_path,
        "lattice_leaky_schema",
        "create_tenant_table('leaky', Column('id', Text, primary_key=True), Column('tenant', Text, primary_key=True))",
    )
    with pytest.raises(ValueError, match="begin with tenant and workspace"):
        await migrate(database_urls.owner, leaky)


async def test_a_database_newer_than_the_program_is_refused(
    notes_urls: DatabaseUrls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    older = schema(tmp_path, "lattice_older_schema", "pass")
    with pytest.raises(CommandError, match="0002"):
        await migrate(notes_urls.owner, older)
