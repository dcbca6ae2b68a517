"""The database of an imaginary service, opened as each of its roles."""

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from lattice_chassis.postgres.database import Database, open_database
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from service.chassis.jobs import metadata
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

NOTES_SCHEMA = "lattice_notes_schema"


@pytest.fixture(scope="session")
def notes_schema() -> Iterator[str]:
    """The package with the migrations of the service that keeps notes."""
    folder = str(Path(__file__).parent)
    sys.path.insert(0, folder)
    yield NOTES_SCHEMA
    sys.path.remove(folder)


@pytest.fixture
async def notes_urls(database_urls: DatabaseUrls, notes_schema: str) -> DatabaseUrls:
    """A migrated database."""
    await migrate(database_urls.owner, notes_schema)
    return database_urls


@pytest.fixture
async def database(notes_urls: DatabaseUrls) -> AsyncIterator[Database]:
    """The database as the service sees it."""
    async with open_database(notes_urls.service, application="notes") as opened:
        yield opened


@pytest.fixture
async def follower(notes_urls: DatabaseUrls) -> AsyncIterator[Database]:
    """The database as followers see it."""
    async with open_database(notes_urls.follower, application="notes follower") as opened:
        yield opened


@pytest.fixture
async def engine(database_urls: DatabaseUrls) -> AsyncIterator[AsyncEngine]:
    """The dialect on a database with a table of jobs."""
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
