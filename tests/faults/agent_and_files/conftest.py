"""files and integrations as in the tests of files, and a database of agent."""

from collections.abc import AsyncIterator, Callable

import pytest
from faults.agent_and_files.mortal import MortalFiles, mortal_files
from faults.agent_and_files.stage import stage  # noqa: F401 - fixtures are found by their names
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from pydantic_ai import models
from service.files.conftest import (  # noqa: F401 - fixtures are found by their names
    MakeSettings,
    _tenant_numbers,
    blobs_url,
    files_urls,
    integrations,
    integrations_settings,
    make_settings,
    server,
    tenant,
)

models.ALLOW_MODEL_REQUESTS = False


@pytest.fixture(scope="module")
async def agent_urls(new_database: Callable[[], DatabaseUrls]) -> DatabaseUrls:
    """A migrated database of agent; tests keep apart by their tenants."""
    urls = new_database()
    await migrate(urls.owner, "artifactr.store.migrations")
    return urls


@pytest.fixture(scope="package")
async def _files(
    make_settings: MakeSettings,  # noqa: F811 - the fixture
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[MortalFiles]:
    async with mortal_files(make_settings(), tmp_path_factory.mktemp("files")) as files:
        yield files


@pytest.fixture
async def files(_files: MortalFiles) -> MortalFiles:
    """Files as a process, running, whatever the test before did to it: it takes a second to start."""
    await _files.comes_back()
    return _files
