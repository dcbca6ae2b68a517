"""One running program for all tests of a module; each leaves it as it likes."""

from collections.abc import AsyncIterator, Callable

import pytest
from faults.integrations.program import Program
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from lattice_integrations.main import MIGRATIONS


@pytest.fixture(scope="module")
async def service_urls(new_database: Callable[[], DatabaseUrls]) -> DatabaseUrls:
    """A migrated database; tests keep apart by their tenants, since a program takes seconds to start."""
    urls = new_database()
    await migrate(urls.owner, MIGRATIONS)
    return urls


@pytest.fixture(scope="module")
async def _program(service_urls: DatabaseUrls) -> AsyncIterator[Program]:
    program = Program(service_urls.service)
    yield program
    if program.runs:
        await program.kill()


@pytest.fixture
async def program(_program: Program) -> Program:
    """The program, running, whatever the test before did to it."""
    if not _program.runs:
        await _program.start()
    return _program
