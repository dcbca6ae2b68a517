"""Agent's workspaces on a real database, beside files whose feed the test writes."""

import itertools
from collections.abc import AsyncIterator, Callable, Iterator

import grpc
import pytest
from artifactr.core.actors import AgentActor, UserActor
from artifactr.workspace import Workspace, Workspaces, open_workspaces
from lattice.files.v1 import artifacts_service_pb2, changes_service_pb2, proposals_service_pb2
from lattice_chassis.channels import channel
from lattice_chassis.postgres.embedded import DatabaseUrls, EmbeddedPostgres
from lattice_chassis.postgres.migrations import migrate
from lattice_chassis.server import BoundServer
from psycopg2.extensions import make_dsn
from service.agent.database_administration import DatabaseAdministration
from service.agent.scripted_files import ALICE, ScriptedFiles, serving_files
from sqlalchemy import make_url

MIGRATIONS = "artifactr.store.migrations"
CONTRACTS = [artifacts_service_pb2.DESCRIPTOR, changes_service_pb2.DESCRIPTOR, proposals_service_pb2.DESCRIPTOR]


@pytest.fixture(scope="session")
async def agent_urls(new_database: Callable[[], DatabaseUrls]) -> DatabaseUrls:
    """A migrated database; tests keep apart by their tenants."""
    urls = new_database()
    await migrate(urls.owner, MIGRATIONS)
    return urls


@pytest.fixture(scope="session")
def agent_database(postgres: EmbeddedPostgres, agent_urls: DatabaseUrls) -> DatabaseAdministration:
    """The administrator of that database."""
    return DatabaseAdministration(make_dsn(postgres.admin_dsn, dbname=make_url(agent_urls.owner).database))


@pytest.fixture(scope="session")
def files() -> ScriptedFiles:
    """The feeds that tests write."""
    return ScriptedFiles()  # type: ignore[abstract]  # the calls that it does not serve are UNIMPLEMENTED


@pytest.fixture(scope="session")
async def files_server(files: ScriptedFiles) -> AsyncIterator[BoundServer]:
    """Files, serving those feeds."""
    async with serving_files(files) as server:
        yield server


@pytest.fixture(scope="session")
async def files_channel(files_server: BoundServer) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to files."""
    async with channel(files_server.address, CONTRACTS) as opened:
        yield opened


@pytest.fixture(scope="session")
async def workspaces(agent_urls: DatabaseUrls, files_channel: grpc.aio.Channel) -> AsyncIterator[Workspaces]:
    """A replica of agent, without its gRPC."""
    async with open_workspaces(agent_urls.service, files_channel) as opened:
        yield opened


@pytest.fixture(scope="session")
async def other_replica(agent_urls: DatabaseUrls, files_channel: grpc.aio.Channel) -> AsyncIterator[Workspaces]:
    """A second replica, with connections of its own."""
    async with open_workspaces(agent_urls.service, files_channel) as opened:
        yield opened


@pytest.fixture(scope="session")
def _tenant_numbers() -> Iterator[int]:
    return itertools.count(1)


@pytest.fixture
def tenant(_tenant_numbers: Iterator[int]) -> str:
    """A tenant of this test alone."""
    return f"tenant-{next(_tenant_numbers)}"


@pytest.fixture
def name(tenant: str) -> str:
    """The name of the test's workspace."""
    return f"tenants/{tenant}/workspaces/main"


@pytest.fixture
def alice(workspaces: Workspaces, tenant: str) -> Workspace:
    """A person in the workspace."""
    return workspaces.open(tenant, "main", ALICE)


@pytest.fixture
def bob(other_replica: Workspaces, tenant: str) -> Workspace:
    """Another person, who works through the other replica."""
    return other_replica.open(tenant, "main", UserActor(id="bob", name="Bob"))


@pytest.fixture
def assistant(alice: Workspace) -> Workspace:
    """The agent of the thread thr_1, in its run run_1."""
    return alice.acting_as(AgentActor(thread_id="thr_1", run_id="run_1"))
