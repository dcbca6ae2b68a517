"""Agents with a scripted model, in workspaces on a real database, before a files service that answers as written."""

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta

import grpc
import pytest
from artifactr import NativeFiles, Workspace, Workspaces, open_workspaces
from artifactr.core.actors import UserActor
from artifactr.core.threads import Thread
from lattice.files.v1 import changes_service_pb2, native_files_service_pb2
from lattice_chassis.channels import channel
from lattice_chassis.identity import DevelopmentAuthenticator
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from lattice_chassis.server import serving
from pydantic_ai import models
from unit.artifactr_agent.conversation import Conversation
from unit.artifactr_agent.scripted_files import ScriptedFile, ScriptedFiles

models.ALLOW_MODEL_REQUESTS = False


@pytest.fixture(scope="session")
def scripted_files() -> ScriptedFiles:
    return ScriptedFiles()  # type: ignore[abstract]  # what no agent calls is UNIMPLEMENTED


@pytest.fixture(scope="session")
async def files_channel(scripted_files: ScriptedFiles) -> AsyncIterator[grpc.aio.Channel]:
    authenticator, at_once = DevelopmentAuthenticator(), timedelta(0)
    contracts = [native_files_service_pb2.DESCRIPTOR, changes_service_pb2.DESCRIPTOR]
    async with (
        serving("127.0.0.1:0", scripted_files.services(), authenticator, grace=at_once, notice=at_once) as server,
        channel(server.address, contracts) as opened,
    ):
        yield opened


@pytest.fixture(scope="session")
async def agent_urls(new_database: Callable[[], DatabaseUrls]) -> DatabaseUrls:
    urls = new_database()
    await migrate(urls.owner, "artifactr.store.migrations")
    return urls


@pytest.fixture(scope="session")
async def workspaces(agent_urls: DatabaseUrls, files_channel: grpc.aio.Channel) -> AsyncIterator[Workspaces]:
    async with open_workspaces(agent_urls.service, files_channel) as opened:
        yield opened


@pytest.fixture(scope="session")
def _numbers() -> Iterator[int]:
    return itertools.count(1)


@pytest.fixture
def alice(workspaces: Workspaces, _numbers: Iterator[int]) -> Workspace:
    """A person in a workspace of this test alone."""
    return workspaces.open("acme", f"w-{next(_numbers)}", UserActor(id="alice", name="Alice"))


@pytest.fixture
def brief(alice: Workspace, scripted_files: ScriptedFiles) -> ScriptedFile:
    """The one native file of the workspace."""
    return scripted_files.files[f"tenants/{alice.tenant}/workspaces/{alice.workspace}"]


@pytest.fixture
async def thread(alice: Workspace) -> Thread:
    return await alice.create_thread("Launch")


@pytest.fixture
def conversation(
    alice: Workspace, thread: Thread, brief: ScriptedFile, files_channel: grpc.aio.Channel
) -> Conversation:
    return Conversation(alice, thread, brief, NativeFiles(files_channel))
