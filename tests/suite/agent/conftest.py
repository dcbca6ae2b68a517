"""Agents with a scripted model before the real files and integrations, with the fake app's workers."""

import itertools
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import grpc
import pytest
from artifactr import NativeFiles, Workspace, Workspaces, open_workspaces
from artifactr.core.actors import UserActor
from lattice.files.v1 import artifacts_service_pb2, changes_service_pb2, native_files_service_pb2, proposals_service_pb2
from lattice_chassis.channels import channel
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from lattice_chassis.server import BoundServer
from lattice_files.main import running as running_files
from lattice_files.settings import AppSettings, FilesSettings
from lattice_integrations.main import running as running_integrations
from lattice_integrations.settings import DeclaredIntegration, IntegrationsSettings
from pydantic_ai import models
from service.files.people import FAKEAPP, Administrator, Participant, administrator, participant, user
from suite.agent.colleagues import Colleagues
from suite.agent.lease_rows import LeaseRows, lease_rows
from suite.agent.planning import TYPES, Planning

models.ALLOW_MODEL_REQUESTS = False

FAKE_APP = Path(__file__).parents[2] / "fakes" / "fake_app"
CONTRACTS = [
    it.DESCRIPTOR
    for it in (artifacts_service_pb2, changes_service_pb2, native_files_service_pb2, proposals_service_pb2)
]


async def migrated(new_database: Callable[[], DatabaseUrls], service: str) -> str:
    """The URL of a migrated database for a service's own role."""
    urls = new_database()
    await migrate(urls.owner, f"{service}.store.migrations")
    return urls.service


@pytest.fixture(scope="session")
async def integrations(new_database: Callable[[], DatabaseUrls]) -> AsyncIterator[BoundServer]:
    declared = DeclaredIntegration(key=FAKEAPP, title="Fake app", enabled_by_default=True)
    url = await migrated(new_database, "lattice_integrations")
    given = {"database_url": url, "registry": (declared,), "notice": "0ms", "grace": "2s"}
    async with running_integrations(IntegrationsSettings.model_validate(given)) as bound:
        yield bound


@pytest.fixture(scope="session")
async def files_database(new_database: Callable[[], DatabaseUrls]) -> str:
    """The URL of the database of files."""
    return await migrated(new_database, "lattice_files")


@pytest.fixture(scope="session")
async def files_server(files_database: str, integrations: BoundServer) -> AsyncIterator[BoundServer]:
    with tempfile.TemporaryDirectory(prefix="lattice-blobs-") as blobs:
        given = {
            "database_url": files_database,
            "blobs_url": blobs,
            "integrations": integrations.address,
            "apps": (AppSettings(name="fakeapp", command=(sys.executable, str(FAKE_APP))),),
            "app_slots": 2,
            "app_time_limit": "2s",
            "file_bytes": 1_000_000,
            "notice": "0ms",
            "grace": "2s",
        }
        async with running_files(FilesSettings.model_validate(given)) as bound:
            yield bound


@pytest.fixture(scope="session")
async def files_channel(files_server: BoundServer) -> AsyncIterator[grpc.aio.Channel]:
    async with channel(files_server.address, CONTRACTS) as opened:
        yield opened


@pytest.fixture(scope="session")
async def agent_url(new_database: Callable[[], DatabaseUrls]) -> str:
    return await migrated(new_database, "artifactr")


@pytest.fixture(scope="session")
async def workspaces(agent_url: str, files_channel: grpc.aio.Channel) -> AsyncIterator[Workspaces]:
    async with open_workspaces(agent_url, files_channel) as opened:
        yield opened


@pytest.fixture(scope="session")
def _numbers() -> Iterator[int]:
    return itertools.count(1)


@pytest.fixture
def alice_at_work(workspaces: Workspaces, _numbers: Iterator[int]) -> Workspace:
    """A person in a workspace of this test alone."""
    return workspaces.open("acme", f"w-{next(_numbers)}", UserActor(id="alice", name="Alice"))


@pytest.fixture
async def switches(integrations: BoundServer, alice_at_work: Workspace) -> AsyncIterator[Administrator]:
    """An administrator of the same workspace."""
    async with administrator(integrations.address, alice_at_work.tenant, alice_at_work.workspace) as ada:
        yield ada


@pytest.fixture
async def bob(files_server: BoundServer, alice_at_work: Workspace) -> AsyncIterator[Participant]:
    """Another person of the same workspace, who calls files directly."""
    identity = user(alice_at_work.tenant, "bob")
    async with participant(files_server.address, identity, alice_at_work.workspace) as person:
        yield person


@pytest.fixture
def leases(files_database: str, alice_at_work: Workspace) -> Iterator[LeaseRows]:
    """The leases of the same workspace."""
    with lease_rows(files_database, alice_at_work.tenant, alice_at_work.workspace) as rows:
        yield rows


@pytest.fixture
async def colleagues(alice_at_work: Workspace, files_channel: grpc.aio.Channel) -> Colleagues:
    """Alice and her agent, with a plan that she uploaded."""
    return await Colleagues.at_work(alice_at_work, NativeFiles(files_channel))


@pytest.fixture(scope="session")
async def _registered(workspaces: Workspaces) -> AsyncIterator[None]:
    async with workspaces.registering(TYPES):
        yield


@pytest.fixture
async def planning(alice_at_work: Workspace, _registered: None) -> Planning:
    """Alice and her agent, with types of artifacts of their own."""
    return Planning(alice_at_work, await alice_at_work.create_thread("Launch"))
