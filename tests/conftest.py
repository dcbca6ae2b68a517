"""What all tests share: waiting with a deadline, and one embedded PostgreSQL a session.

Each worker of pytest-xdist is a session of its own, so it has a server of its own.
"""

import asyncio
import itertools
import os
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import psycopg2
import pytest
from hypothesis import settings
from lattice_chassis.postgres.embedded import DatabaseUrls, EmbeddedPostgres
from lattice_chassis.postgres.roles import roles_of
from psycopg2 import sql

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
"""Durability costs time and proves nothing while the server outlives the test; tests that kill it start their own."""

# No deadline an example: a busy machine is no fault of the rule.
settings.register_profile("fast", max_examples=50, deadline=None)
settings.register_profile("soak", max_examples=500, stateful_step_count=100, deadline=None)
settings.load_profile("fast")  # `pytest --hypothesis-profile soak` loads the other

INTEGRATIONS_LIMIT = "10s"
"""How long files waits for integrations in tests: its own second passes on a machine that does other work, too."""

os.environ.setdefault("LATTICE_FILES_INTEGRATIONS_LIMIT", INTEGRATIONS_LIMIT)  # read by every process that tests start

DEADLINE = 30.0
"""Seconds to wait for what takes milliseconds on an idle machine."""


async def wait_until(condition: Callable[[], Awaitable[object]]) -> None:
    """Return once the condition holds; TimeoutError where it does not within DEADLINE."""
    async with asyncio.timeout(DEADLINE):
        while not await condition():  # noqa: ASYNC110  # another process brings the condition about
            await asyncio.sleep(0.01)


@pytest.fixture(scope="session")
def eventually() -> Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]:
    """Waits for a condition that another process brings about."""
    return wait_until


@pytest.fixture(scope="session")
def postgres() -> Iterator[EmbeddedPostgres]:
    """The session's PostgreSQL, gone with its data at the end."""
    # Not in pytest's own folders: those are closed to the system user that the server runs as under root.
    folder = Path(tempfile.mkdtemp(prefix="lattice-tests-"))
    try:
        with EmbeddedPostgres(folder, settings=FAST) as server:
            yield server
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def new_database(postgres: EmbeddedPostgres) -> Callable[[], DatabaseUrls]:
    """Makes an empty database with its three roles, which lives as long as the session."""
    numbers = itertools.count(1)
    return lambda: postgres.create_database(f"session_{next(numbers)}")


@pytest.fixture
def database_urls(postgres: EmbeddedPostgres, _database_numbers: Iterator[int]) -> Iterator[DatabaseUrls]:
    """An empty database with its three roles, for one test."""
    name = f"test_{next(_database_numbers)}"
    yield postgres.create_database(name)
    connection = psycopg2.connect(postgres.admin_dsn)
    connection.autocommit = True  # as DROP DATABASE demands
    roles = roles_of(name)
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        for role in (roles.owner, roles.service, roles.follower):
            cursor.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))
    connection.close()


@pytest.fixture(scope="session")
def _database_numbers() -> Iterator[int]:
    return itertools.count(1)
