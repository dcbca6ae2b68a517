"""The whole suite as processes, once a session, and the people who use it."""

import os
import shutil
import tempfile
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from lattice_cli.connection import Connection, Person, connect
from lattice_cli.suite import Suite, running_suite

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
CORPUS = Path(os.environ.get("LATTICE_CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus"))


@pytest.fixture(scope="session")
async def suite() -> AsyncIterator[Suite]:
    """All services and their workers, on an embedded PostgreSQL."""
    # Not in pytest's own folders: those are closed to the system user that the server runs as under root.
    folder = Path(tempfile.mkdtemp(prefix="lattice-suite-"))
    try:
        async with running_suite(folder, postgres_settings=FAST) as running:
            yield running
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def workspace() -> str:
    """A workspace that nobody wrote to."""
    return f"w-{uuid.uuid4().hex[:12]}"


@pytest.fixture
async def alice(suite: Suite, workspace: str) -> AsyncIterator[Connection]:
    """A person who edits."""
    person = Person(tenant="acme", workspace=workspace, user="alice", name="Alice")
    async with connect(suite.addresses, person) as connection:
        yield connection


@pytest.fixture
async def admin(suite: Suite, workspace: str) -> AsyncIterator[Connection]:
    """An administrator of the same workspace."""
    person = Person(tenant="acme", workspace=workspace, user="adam", name="Adam", administrator=True)
    async with connect(suite.addresses, person) as connection:
        yield connection


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real documents; without it tests are skipped, and in CI they fail."""
    if not CORPUS.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"the corpus is missing: {CORPUS}")
        pytest.skip(f"the corpus is missing: {CORPUS}")
    return CORPUS
