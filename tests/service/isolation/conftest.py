"""The three services' databases, each with one row of two tenants in every table; and the services themselves."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from lattice_agent.main import running as running_agent
from lattice_agent.settings import AgentSettings
from lattice_chassis.postgres.embedded import EmbeddedPostgres
from lattice_chassis.postgres.migrations import migrate
from lattice_files.main import running as running_files
from lattice_files.settings import FilesSettings
from lattice_integrations.main import running as running_integrations
from lattice_integrations.settings import DeclaredIntegration, IntegrationsSettings
from psycopg2.extensions import make_dsn
from service.files.conftest import FAKE_APP
from service.files.people import FAKEAPP
from service.isolation.schemas import MIGRATIONS, Schema
from service.isolation.suite import Suite
from sqlalchemy import make_url


@pytest.fixture(scope="session")
async def schemas(postgres: EmbeddedPostgres) -> dict[str, Schema]:
    """The migrated database of each service."""
    return {service: await _migrated(postgres, service) for service in MIGRATIONS}


@pytest.fixture(scope="session", params=MIGRATIONS)
def schema(request: pytest.FixtureRequest, schemas: dict[str, Schema]) -> Schema:
    """One of them, where hooli and initech have the same row in each table."""
    schema = schemas[request.param]
    for table in schema.tenant_tables:
        for tenant in ("hooli", "initech"):
            schema.asked(schema.insertion(table, tenant, "ON CONFLICT DO NOTHING"))  # some come of others
    return schema


@pytest.fixture(scope="session")
async def suite(schemas: dict[str, Schema], tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Suite]:
    """The three services on them, with the fake app."""
    quiet = {"notice": "0ms", "grace": "2s"}
    urls = {service: schema.urls.service for service, schema in schemas.items()}
    declared = DeclaredIntegration(key=FAKEAPP, title="Fake app", enabled_by_default=True)
    integrations_given = {"database_url": urls["lattice_integrations"], "registry": (declared,), **quiet}
    files_given = {"database_url": urls["lattice_files"], "apps": (FAKE_APP,), "app_slots": 1, "slot": "30s", **quiet}
    async with AsyncExitStack() as stack:
        integrations = await stack.enter_async_context(
            running_integrations(IntegrationsSettings.model_validate(integrations_given))
        )
        blobs = tmp_path_factory.mktemp("blobs")
        where = {"integrations": integrations.address, "blobs_url": str(blobs)}
        files = await stack.enter_async_context(running_files(FilesSettings.model_validate({**files_given, **where})))
        agent_given = {"database_url": urls["artifactr"], "files": files.address, **quiet}
        agent = await stack.enter_async_context(running_agent(AgentSettings.model_validate(agent_given)))
        yield Suite(files=files.address, agent=agent.address, integrations=integrations.address, blobs=blobs)


async def _migrated(postgres: EmbeddedPostgres, service: str) -> Schema:
    urls = postgres.create_database(f"isolated_{service}")
    await migrate(urls.owner, MIGRATIONS[service])
    return Schema(service, urls, make_dsn(postgres.admin_dsn, dbname=make_url(urls.owner).database))
