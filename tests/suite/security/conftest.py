"""The three services as a deployment runs them: they believe tokens, and sign for their calls of each other."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice_agent.main import running as running_agent
from lattice_agent.settings import AgentSettings
from lattice_chassis.identity import Identity
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from lattice_files.main import running as running_files
from lattice_files.settings import AppSettings, FilesSettings
from lattice_integrations.main import running as running_integrations
from lattice_integrations.settings import DeclaredIntegration, IntegrationsSettings
from service.files.contract.good_calls import EVERYTHING
from service.files.contract.places import IDENTITIES, People, Place, prepare, register_kinds
from service.files.people import FAKEAPP, new_request_id, participant
from suite.security.calling import Metadata, Suite, connected
from suite.security.credentials import Issuers, delegate
from suite.security.rows import Stage

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

OF_INTEGRATIONS = ("lattice.integrations.v1", "flagd.evaluation.v1", "flagd.evaluation.v2")
"""The packages of the contracts that integrations serves."""

FAKE_APP = AppSettings(name="fakeapp", command=(sys.executable, str(Path(__file__).parents[2] / "fakes" / "fake_app")))


@pytest.fixture(scope="session")
def issuers(tmp_path_factory: pytest.TempPathFactory) -> Issuers:
    """Whose tokens are believed."""
    return Issuers(tmp_path_factory.mktemp("issuers"))


@pytest.fixture(scope="session")
async def addresses(
    issuers: Issuers, new_database: Callable[[], DatabaseUrls], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[dict[str, str]]:
    """Where the services answer, by the packages of their contracts."""
    ends = {"notice": "0ms", "grace": "2s"}
    urls = [new_database() for _ in range(3)]
    packages = ("lattice_integrations", "lattice_files", "artifactr")
    for url, package in zip(urls, packages, strict=True):
        await migrate(url.owner, f"{package}.store.migrations")
    integrations_settings = IntegrationsSettings.model_validate(
        {
            "database_url": urls[0].service,
            "auth": issuers.believed(files=True),
            "flagd": True,
            "registry": (DeclaredIntegration(key=FAKEAPP, title="Fake app", enabled_by_default=True),),
            **ends,
        }
    )
    async with AsyncExitStack() as stack:
        integrations = await stack.enter_async_context(running_integrations(integrations_settings))
        files_settings = FilesSettings.model_validate(
            {
                "database_url": urls[1].service,
                "blobs_url": str(tmp_path_factory.mktemp("blobs")),
                "auth": issuers.believed(agents=True),
                "credential": issuers.credential(issuers.files),
                "integrations": integrations.address,
                "apps": (FAKE_APP,),
                "app_slots": 2,
                **ends,
            }
        )
        files = await stack.enter_async_context(running_files(files_settings))
        agent_settings = AgentSettings.model_validate(
            {
                "database_url": urls[2].service,
                "auth": issuers.believed(),
                "credential": issuers.credential(issuers.agent),
                "files": files.address,
                **ends,
            }
        )
        agent = await stack.enter_async_context(running_agent(agent_settings))
        yield {
            **dict.fromkeys(OF_INTEGRATIONS, integrations.address),
            "lattice.files.v1": files.address,
            "lattice.agent.v1": agent.address,
        }


@pytest.fixture(scope="session")
async def suite(addresses: dict[str, str]) -> AsyncIterator[Suite]:
    """The services."""
    async with connected(addresses) as opened:
        yield opened


@pytest.fixture(scope="session")
async def people(addresses: dict[str, str], issuers: Issuers) -> AsyncIterator[People]:
    """Who makes workspaces ready; the kinds that they use are registered."""
    async with AsyncExitStack() as stack:
        there = {
            key: await stack.enter_async_context(
                participant(addresses["lattice.files.v1"], _able(identity), "everything", issuers.shown_by)
            )
            for key, identity in IDENTITIES.items()
        }
        await register_kinds(there)
        yield there


@pytest.fixture(scope="session")
async def stage(people: People, suite: Suite, issuers: Issuers, eventually: Eventually) -> Stage:
    """The workspace `everything`, which holds what each good call needs."""
    stage = Stage(place=Place("everything"))
    await prepare(people, stage.place, *EVERYTHING)
    return await _with_run(suite, issuers.shown_by(IDENTITIES["alice"]), stage, eventually)


def _able(identity: Identity) -> Identity:
    """The identity as a token may stand for it: an agent works for alice in one workspace."""
    agent = identity.actor.WhichOneof("kind") == "agent"
    return delegate(IDENTITIES["alice"], "everything") if agent else identity


async def _with_run(suite: Suite, alice: Metadata, stage: Stage, eventually: Eventually) -> Stage:
    """The stage with two threads of alice's, in the first of which a run has ended."""
    for thread_id in ("thr_1", "thr_2"):
        thread = threads_pb.CreateThreadRequest(
            workspace=stage.workspace, thread_id=thread_id, title="Launch", request_id=new_request_id()
        )
        await suite.answers("ThreadsService/CreateThread", thread, alice)
    message = threads_pb.SendMessageRequest(name=stage.thread, content="Hello?", request_id=new_request_id())
    run_id = (await suite.answers("ThreadsService/SendMessage", message, alice)).run_id
    whole = replace(stage, run_id=run_id)

    async def has_ended() -> bool:
        answer = await suite.answers("RunsService/GetRun", runs_pb.GetRunRequest(name=whole.run), alice)
        return bool(answer.run.status != runs_pb.RUN_STATUS_RUNNING)

    await eventually(has_ended)
    return whole
