"""files and integrations as servers on a real database, the fake app's workers, and people of one workspace."""

import itertools
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from lattice_chassis.server import BoundServer
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.main import MIGRATIONS, running
from lattice_files.settings import AppSettings, FilesSettings
from lattice_integrations.main import MIGRATIONS as INTEGRATIONS_MIGRATIONS
from lattice_integrations.main import running as running_integrations
from lattice_integrations.settings import DeclaredIntegration, IntegrationsSettings
from service.files.blob_rows import BlobRows, blob_rows
from service.files.blob_stores import chosen_store, stored_digests
from service.files.people import FAKEAPP, Administrator, Participant, administrator, agent, participant, user
from service.files.structured import NOTE, TASK, registers

MakeSettings = Callable[..., FilesSettings]

FAKE_APP = AppSettings(name="fakeapp", command=(sys.executable, str(Path(__file__).parents[2] / "fakes" / "fake_app")))


@pytest.fixture(scope="session")
async def files_urls(new_database: Callable[[], DatabaseUrls]) -> DatabaseUrls:
    """A migrated database; tests keep apart by their tenants."""
    urls = new_database()
    await migrate(urls.owner, MIGRATIONS)
    return urls


@pytest.fixture(scope="session")
async def integrations_settings(new_database: Callable[[], DatabaseUrls]) -> IntegrationsSettings:
    """Settings of integrations, on a migrated database of its own."""
    urls = new_database()
    await migrate(urls.owner, INTEGRATIONS_MIGRATIONS)
    declared = DeclaredIntegration(key=FAKEAPP, title="Fake app", enabled_by_default=True)
    given = {"database_url": urls.service, "registry": (declared,), "notice": "0ms", "grace": "2s"}
    return IntegrationsSettings.model_validate(given)


@pytest.fixture(scope="session")
async def integrations(integrations_settings: IntegrationsSettings) -> AsyncIterator[BoundServer]:
    """The integrations service."""
    async with running_integrations(integrations_settings) as bound:
        yield bound


@pytest.fixture(scope="session")
def blobs_url() -> Iterator[str]:
    """Where all servers of the session keep their blobs: a folder, or with LATTICE_TEST_BLOBS=s3 an S3 server."""
    with chosen_store() as url:
        yield url


@pytest.fixture(scope="session")
def make_settings(files_urls: DatabaseUrls, blobs_url: str, integrations: BoundServer) -> MakeSettings:
    """Settings for a server of files with the fake app, beside the integrations service."""
    defaults = {
        "database_url": files_urls.service,
        "blobs_url": blobs_url,
        "integrations": integrations.address,
        "apps": (FAKE_APP,),
        "app_slots": 2,
        "app_time_limit": "5s",
        "slot": "30s",
        "commit": "30s",
        "notice": "0ms",
        "grace": "2s",
    }
    return lambda **changed: FilesSettings.model_validate({**defaults, **changed})


@pytest.fixture(scope="session")
async def server(make_settings: MakeSettings) -> AsyncIterator[BoundServer]:
    """The files service."""
    async with running(make_settings()) as bound:
        yield bound


@pytest.fixture(scope="session")
def _tenant_numbers() -> Iterator[int]:
    return itertools.count(1)


@pytest.fixture
def tenant(_tenant_numbers: Iterator[int]) -> str:
    """A tenant of this test alone."""
    return f"tenant-{next(_tenant_numbers)}"


@pytest.fixture
async def alice(server: BoundServer, tenant: str) -> AsyncIterator[Participant]:
    """A person who may write."""
    async with participant(server.address, user(tenant, "alice"), "main") as person:
        yield person


@pytest.fixture
async def bob(server: BoundServer, tenant: str) -> AsyncIterator[Participant]:
    """Another person who may write."""
    async with participant(server.address, user(tenant, "bob"), "main") as person:
        yield person


@pytest.fixture
async def reviewer(server: BoundServer, tenant: str) -> AsyncIterator[Participant]:
    """A member who may read and answer what others propose."""
    async with participant(server.address, user(tenant, "rita", role="reviewer"), "main") as person:
        yield person


@pytest.fixture
async def viewer(server: BoundServer, tenant: str) -> AsyncIterator[Participant]:
    """A member who may only read."""
    async with participant(server.address, user(tenant, "vera", role="viewer"), "main") as person:
        yield person


@pytest.fixture
async def operator(server: BoundServer, tenant: str) -> AsyncIterator[Participant]:
    """An administrator, who registers types, breaks check-outs and collects blobs."""
    async with participant(server.address, user(tenant, "olga", "administrator", "operator"), "main") as person:
        yield person


@pytest.fixture
async def task(operator: Participant, tenant: str) -> str:
    """A structured kind of this test alone: types belong to the deployment."""
    return (await registers(operator, f"task_{tenant.replace('-', '_')}", TASK)).kind


@pytest.fixture
async def note(operator: Participant, tenant: str) -> str:
    """A text kind of this test alone, whose policy has agents propose."""
    kind = f"note_{tenant.replace('-', '_')}"
    return (await registers(operator, kind, NOTE, policy=artifacts_pb.WRITE_POLICY_PROPOSE)).kind


@pytest.fixture
async def assistant(server: BoundServer, tenant: str) -> AsyncIterator[Participant]:
    """The agent of the thread thr_1, in its run run_1."""
    async with participant(server.address, agent(tenant, "thr_1"), "main") as thread:
        yield thread


@pytest.fixture
async def admin(integrations: BoundServer, tenant: str) -> AsyncIterator[Administrator]:
    """An administrator, who switches integrations."""
    async with administrator(integrations.address, tenant, "main") as person:
        yield person


@pytest.fixture
async def ada(server: BoundServer, tenant: str) -> AsyncIterator[Participant]:
    """An administrator of files, whose collections keep the grace of a day."""
    async with participant(server.address, user(tenant, "ada", role="administrator"), "main") as person:
        yield person


@pytest.fixture
def rows(files_urls: DatabaseUrls, tenant: str) -> Iterator[BlobRows]:
    """The rows of this test's workspace."""
    with blob_rows(files_urls.service, tenant) as found:
        yield found


@pytest.fixture
def stored(blobs_url: str, tenant: str) -> Callable[[], frozenset[str]]:
    """What lies in the store for this test's workspace."""
    return lambda: stored_digests(blobs_url, WorkspaceKey(tenant=tenant, workspace="main"))
