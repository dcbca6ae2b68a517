"""The service on a real database, and people of a tenant that nobody else uses."""

import itertools
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from lattice_chassis.server import BoundServer
from lattice_integrations.main import MIGRATIONS, running
from lattice_integrations.settings import WORDCRAFT, DeclaredIntegration, IntegrationsSettings
from pydantic import SecretStr
from service.integrations.people import SKETCH, MakeSettings, Person, person


@pytest.fixture(scope="session")
async def integrations_urls(new_database: Callable[[], DatabaseUrls]) -> DatabaseUrls:
    """A migrated database; tests keep apart by their tenants."""
    urls = new_database()
    await migrate(urls.owner, MIGRATIONS)
    return urls


@pytest.fixture(scope="session")
def make_settings(integrations_urls: DatabaseUrls) -> MakeSettings:
    """Settings for a server on that database: two integrations, one of them off by default."""
    sketch = DeclaredIntegration(key=SKETCH, title="Sketch", enabled_by_default=False, governed_kinds=("native_svg",))
    defaults = {
        "database_url": SecretStr(integrations_urls.service),
        "registry": (WORDCRAFT, sketch),
        "notice": "0ms",
        "grace": "2s",
        "watch_progress": "200ms",
    }
    return lambda **changed: IntegrationsSettings(**{**defaults, **changed})


@pytest.fixture(scope="session")
async def server(make_settings: MakeSettings) -> AsyncIterator[BoundServer]:
    """The service."""
    async with running(make_settings()) as bound:
        yield bound


@pytest.fixture(scope="session")
async def door(make_settings: MakeSettings) -> AsyncIterator[BoundServer]:
    """The service with its door for OpenFeature open."""
    async with running(make_settings(flagd=True)) as bound:
        yield bound


@pytest.fixture(scope="session")
def _tenant_numbers() -> Iterator[int]:
    return itertools.count(1)


@pytest.fixture
def tenant(_tenant_numbers: Iterator[int]) -> str:
    """A tenant of this test alone."""
    return f"tenant-{next(_tenant_numbers)}"


@pytest.fixture
async def admin(server: BoundServer, tenant: str) -> AsyncIterator[Person]:
    """An administrator of the tenant."""
    async with person(server.address, tenant, "ada", role="administrator") as ada:
        yield ada


@pytest.fixture
async def alice(server: BoundServer, tenant: str) -> AsyncIterator[Person]:
    """An editor of the tenant, who may look but not switch."""
    async with person(server.address, tenant, "alice") as editor:
        yield editor
