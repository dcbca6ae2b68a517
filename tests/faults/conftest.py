"""A suite of its own for each test: these tests kill its processes."""

import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from lattice_cli.connection import Connection, Person, connect
from lattice_cli.suite import Suite, running_suite


@pytest.fixture
async def suite() -> AsyncIterator[Suite]:
    """All services, on a PostgreSQL that keeps what it committed."""
    folder = Path(tempfile.mkdtemp(prefix="lattice-faults-"))
    try:
        async with running_suite(folder) as running:
            yield running
    finally:
        shutil.rmtree(folder)


@pytest.fixture
async def alice(suite: Suite) -> AsyncIterator[Connection]:
    """A person who edits."""
    person = Person(tenant="acme", workspace="main", user="alice", name="Alice")
    async with connect(suite.addresses, person) as connection:
        yield connection


@pytest.fixture
def document() -> Path:
    """The project's own document with comments and tracked changes."""
    return Path(__file__).resolve().parents[2] / "cli/src/lattice_cli/demo/launch-brief.docx"
