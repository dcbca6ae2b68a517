"""The database of an imaginary service, opened as each of its roles."""

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from lattice_chassis.postgres.database import Database, open_database
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate

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
