"""A suite for each module of tests, and people of any workspace of it."""

import json
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from faults.keeping.stage import SETTINGS, Opened
from lattice_cli.connection import Connection, Person, connect
from lattice_cli.suite import Suite, running_suite


@pytest.fixture(scope="module")
async def suite() -> AsyncIterator[Suite]:
    """All services; nothing here is killed but what a test kills itself."""
    folder = Path(tempfile.mkdtemp(prefix="lattice-keeping-"))
    try:
        async with running_suite(folder, settings=SETTINGS, postgres_settings={"fsync": "off"}) as running:
            yield running
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def opened(suite: Suite) -> Opened:
    """Opens a connection of an administrator of some tenant's workspace."""

    def open_as(tenant: str, workspace: str) -> AbstractAsyncContextManager[Connection]:
        person = Person(tenant=tenant, workspace=workspace, user="ada", administrator=True)
        return connect(suite.addresses, person)

    return open_as


@pytest.fixture
def document(tmp_path: Path) -> Path:
    """A file of the fake app's."""
    path = tmp_path / "plan.fake"
    path.write_text(json.dumps({"paragraphs": [f"Paragraph {number} of the plan." for number in range(100)]}))
    return path
