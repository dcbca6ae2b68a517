"""files and integrations as in the tests of files, and a database of agent."""

from collections.abc import Callable

import pytest
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from pydantic_ai import models
from service.files.conftest import (  # noqa: F401 - fixtures are found by their names
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
