"""Each image has what its program needs and no more, and works as a pod runs it."""

import asyncio
import json
import os
import shutil
import stat
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import grpc
import pytest
from deploy.containers import IMAGES, image
from grpc_health.v1 import health_pb2, health_pb2_grpc
from images.conftest import GROUP, running
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.readiness import READY
from lattice_cli import native_files
from lattice_cli.connection import Addresses, Person, connect
from lattice_cli.processes import free_address
from packaging.utils import canonicalize_name
from unit.house.test_distributions import dragged_in

DOCUMENT: Final = Path(__file__).parents[2] / "cli/src/lattice_cli/demo/launch-brief.docx"
pytestmark = pytest.mark.timeout(600)
START_SECONDS: Final = 300
"""A first start compiles nothing, but reads a hundred megabytes that no cache has yet."""


def installed(root: Path) -> set[str]:
    """The distributions of an image."""
    found = (root / "opt/lattice").rglob("*.dist-info")
    return {canonicalize_name(it.name.split("-")[0]) for it in found}


@pytest.mark.parametrize("name", IMAGES)
def test_an_image_has_its_distribution_with_what_that_needs_and_nothing_else(
    name: str, roots: Mapping[str, Path]
) -> None:
    distribution = image(name).distribution
    assert installed(roots[name]) == {canonicalize_name(it) for it in (*dragged_in(distribution), distribution)}


def test_integrations_has_neither_pydantic_ai_nor_lxml(roots: Mapping[str, Path]) -> None:
    for name, barred in {
        "integrations": {"pydantic-ai-slim", "lxml", "docx-scalpel", "obstore"},
        "files": {"pydantic-ai-slim", "lxml", "docx-scalpel"},
        "agent": {"lxml", "docx-scalpel", "obstore"},
        "wordcraft": {"pydantic-ai-slim", "sqlalchemy", "psycopg2-binary", "pyjwt"},
    }.items():
        assert installed(roots[name]) & barred == set()


@pytest.mark.parametrize("name", IMAGES)
def test_nothing_in_an_image_makes_its_user_more_than_it_is(name: str, roots: Mapping[str, Path]) -> None:
    """No program of ours can be changed by it."""
    for folder, _, files in os.walk(roots[name] / "opt/lattice"):
        for path in (Path(folder), *(Path(folder, it) for it in files)):
            found = path.lstat()
            assert found.st_uid == 0
            assert stat.S_ISLNK(found.st_mode) or not found.st_mode & (stat.S_IWOTH | stat.S_ISUID | stat.S_ISGID), path


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that containers share, as a volume of a pod is: of the pod's group."""
    folder = Path(tempfile.mkdtemp(prefix="pod-", dir="/run"))
    os.chown(folder, 0, GROUP)
    folder.chmod(0o2770)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def sockets(database_urls: DatabaseUrls) -> Path:
    """Where PostgreSQL listens, opened to the users of containers; the server is this test's alone."""
    folder = Path(unquote(database_urls.service.rpartition("host=")[2]))
    folder.chmod(0o755)
    for socket in folder.glob(".s.PGSQL.*"):
        socket.chmod(0o777)
    return folder


def environment_of(name: str, urls: DatabaseUrls, **settings: str) -> dict[str, str]:
    """What a service is told, beside where its database is."""
    prefix = f"LATTICE_{name.upper()}_"
    return {f"{prefix}DATABASE_URL": urls.service, **{f"{prefix}{key}": value for key, value in settings.items()}}


async def healthy(address: str, asked: str) -> bool:
    """Whether a probe would be content."""
    async with grpc.aio.insecure_channel(address) as bare:
        stub: Any = health_pb2_grpc.HealthStub(bare)
        try:
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=asked))
        except grpc.aio.AioRpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


@asynccontextmanager
async def service(
    name: str, root: Path, urls: DatabaseUrls, folders: Mapping[str, Path], **settings: str
) -> AsyncIterator[str]:
    """A migrated service that is ready; its address."""
    owner = {**environment_of(name, urls, **settings), f"LATTICE_{name.upper()}_DATABASE_URL": urls.owner}
    async with running(name, root, ["migrate"], owner, folders) as migration:
        assert await migration.wait() == 0
    address, health = free_address(), free_address()
    told = environment_of(name, urls, LISTEN=address, HEALTH_PORT=health, **settings)
    async with running(name, root, ["serve"], told, folders) as process:
        async with asyncio.timeout(START_SECONDS):
            while not await healthy(health, READY):
                assert process.returncode is None
                await asyncio.sleep(0.1)
        assert await healthy(health, "")
        yield address
    assert process.returncode == 0


@pytest.mark.parametrize("name", ["integrations", "agent"])
async def test_a_service_migrates_gets_ready_and_ends_as_its_user_on_a_root_that_is_read_only(
    name: str, roots: Mapping[str, Path], database_urls: DatabaseUrls, sockets: Path
) -> None:
    settings = {"FILES": "dns:///127.0.0.1:1"} if name == "agent" else {}
    async with service(name, roots[name], database_urls, {str(sockets): sockets}, **settings):
        pass


async def test_files_reads_and_draws_a_document_by_the_worker_of_the_other_container(
    roots: Mapping[str, Path], database_urls: DatabaseUrls, sockets: Path, shared: Path
) -> None:
    """SE-07, R-07: users of their own, one folder of sockets, and a worker that confines itself."""
    socket = image("wordcraft").entrypoint[2]
    apps = json.dumps([{"name": "wordcraft", "command": ["lattice-sidecar", "reach", socket]}])
    folders = {str(Path(socket).parent): shared, str(sockets): sockets}
    told = {"BLOBS_URL": "/tmp/blobs", "APPS": apps, "APP_START_LIMIT": f"{START_SECONDS}s"}  # noqa: S108 - a folder of the container
    async with (
        running("wordcraft", roots["wordcraft"], [], {}, {str(Path(socket).parent): shared}) as worker,
        service("files", roots["files"], database_urls, folders, **told) as files,
    ):
        assert worker.returncode is None
        addresses = Addresses(integrations="127.0.0.1:1", files=files, agent="127.0.0.1:1", spans="")
        async with connect(addresses, Person(tenant="acme", workspace="launch", user="alice")) as alice:
            artifact_id = (await native_files.upload(alice, DOCUMENT)).applied.artifact_id
            assert "Launch" in (await native_files.read_text(alice, artifact_id)).text
            asked = native_pb.RenderPageRequest(name=alice.person.artifact_name(artifact_id), page=1)
            assert (await alice.native_files.RenderPage(asked)).png.startswith(b"\x89PNG")
