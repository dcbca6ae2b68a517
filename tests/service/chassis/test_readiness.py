"""Readiness asks the database, and a schema that is behind is as good as none."""

from collections.abc import AsyncIterator

import pytest
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from lattice_chassis.postgres.readiness import SchemaBehind, last_revision, open_readiness
from lattice_chassis.readiness import Look
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine


async def at_revision(url: str, revision: str) -> None:
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})
    await engine.dispose()


@pytest.fixture
async def look(database_urls: DatabaseUrls, notes_schema: str) -> AsyncIterator[Look]:
    async with open_readiness(database_urls.service, notes_schema, application="notes") as opened:
        yield opened


async def test_a_database_is_ready_once_it_has_the_last_revision_of_this_release(
    look: Look, database_urls: DatabaseUrls, notes_schema: str
) -> None:
    """RO-01."""
    with pytest.raises(DBAPIError):
        await look()
    await migrate(database_urls.owner, notes_schema)
    await look()
    await at_revision(database_urls.owner, "0001")
    with pytest.raises(SchemaBehind):
        await look()


async def test_the_release_before_goes_on_with_a_database_that_is_ahead(look: Look, notes_urls: DatabaseUrls) -> None:
    """RO-01."""
    await at_revision(notes_urls.owner, "0099")
    await look()


@pytest.mark.parametrize(
    "package", ["lattice_integrations.store.migrations", "lattice_files.store.migrations", "artifactr.store.migrations"]
)
async def test_the_last_revision_by_name_is_the_one_that_is_applied_last(
    package: str, database_urls: DatabaseUrls
) -> None:
    assert (await migrate(database_urls.owner, package))[-1] == last_revision(package)
