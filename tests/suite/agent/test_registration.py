"""Registering an application's types with files when an agent starts."""

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import grpc
import pytest
from artifactr import Applied, Artifact, ArtifactWorkspace, Runner, Session, Workspace, Workspaces
from artifactr.testing import Script
from artifactr.workspace import TypeRefused
from lattice.files.v1 import artifacts_service_pb2 as pb
from lattice.files.v1.artifacts_service_pb2_grpc import ArtifactsServiceStub
from lattice_agent.main import running
from lattice_agent.settings import AgentSettings
from lattice_chassis.identity import acting_as
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from pydantic import SecretStr
from pydantic_ai import Agent
from suite.agent.conftest import migrated
from suite.agent.planning import Planning

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


def memo(kind: str, **fields: object) -> type[Artifact]:
    """A type of one test alone, with text fields of these defaults; `...` for none."""
    annotations = dict.fromkeys(fields, str)
    defaults = {name: default for name, default in fields.items() if default is not ...}
    made = type("Memo", (Artifact,), {"__module__": __name__, "__annotations__": annotations, "kind": kind, **defaults})
    assert issubclass(made, Artifact)
    return made


def runner_of(*types: type[Artifact], name: str = "assistant") -> Runner[None, str]:
    """A runner whose agent may create these."""
    agent = Agent(Script([]).model, deps_type=Session[None], capabilities=[ArtifactWorkspace(types=types)])
    return Runner(agent, app=None, agent_name=name)


def settings_with(database_url: str, files: str) -> AgentSettings:
    """Settings of a service that stops at once."""
    none = timedelta(0)
    return AgentSettings(database_url=SecretStr(database_url), files=files, notice=none, grace=none, run_grace=none)


async def registered(files: grpc.aio.Channel, workspace: Workspace, kind: str) -> pb.ArtifactType | None:
    """The type as files has it."""
    with acting_as(workspace.identity):
        answer: pb.ListTypesResponse = await ArtifactsServiceStub(files).ListTypes(pb.ListTypesRequest(page_size=500))
    return next((it for it in answer.types if it.kind == kind), None)


async def test_types_are_registered_with_their_schema_and_policy(
    planning: Planning, files_channel: grpc.aio.Channel
) -> None:
    """AT-01, AT-06: so a client in any language meets the same rules."""
    notes = await registered(files_channel, planning.alice, "release_notes")
    assert notes is not None
    assert (notes.schema_revision, notes.is_text, notes.write_policy) == (1, True, pb.WRITE_POLICY_PROPOSE)


async def test_replicas_that_start_at_once_or_again_register_once(
    workspaces: Workspaces, alice_at_work: Workspace, files_channel: grpc.aio.Channel
) -> None:
    """AT-01."""
    types = [memo("memo_at_once", text=...)]

    async def start() -> None:
        async with workspaces.registering(types):
            pass

    await asyncio.gather(*(start() for _ in range(5)))
    await start()
    found = await registered(files_channel, alice_at_work, "memo_at_once")
    assert found is not None
    assert found.schema_revision == 1


async def test_a_schema_that_widens_is_taken_and_one_that_narrows_fails_the_start(
    workspaces: Workspaces, alice_at_work: Workspace, files_channel: grpc.aio.Channel
) -> None:
    """AT-01: naming the type and why; what is registered stays."""
    kind = "memo_widened"
    async with workspaces.registering([memo(kind, text=...)]):
        outcome = await alice_at_work.commit(memo(kind, text=...).from_data({"text": "x"}).create())
    async with workspaces.registering([memo(kind, text=..., author="")]):
        pass
    with pytest.raises(TypeRefused, match="required") as refused:
        async with workspaces.registering([memo(kind, text=..., author=...)]):
            pytest.fail("the block began")
    assert refused.value.kind == kind
    found = await registered(files_channel, alice_at_work, kind)
    assert found is not None
    assert found.schema_revision == 2
    assert isinstance(outcome, Applied)
    assert (await alice_at_work.artifact(outcome.artifact_id)).version == 1


async def test_an_agent_service_registers_the_types_of_its_runner(
    new_database: Callable[[], DatabaseUrls],
    files_server: BoundServer,
    files_channel: grpc.aio.Channel,
    alice_at_work: Workspace,
) -> None:
    """AT-01, RN-23, TH-13: those of all of its agents, or it does not start."""
    settings = settings_with(await migrated(new_database, "artifactr"), files_server.address)
    planner, writer = runner_of(memo("memo_served", text=...)), runner_of(memo("memo_written", text=...), name="writer")
    async with running(settings, lambda _settings, _files: planner, lambda _settings, _files: writer):
        assert await registered(files_channel, alice_at_work, "memo_served")
        assert await registered(files_channel, alice_at_work, "memo_written")
    with pytest.raises(TypeRefused):
        async with running(settings, lambda _settings, _files: runner_of(memo("memo_served", other=...))):
            pytest.fail("it started")


@asynccontextmanager
async def reached_by(path: Path, address: str) -> AsyncIterator[None]:
    """Files, reached by a socket from now on."""
    host, port = address.rsplit(":", 1)

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        files_reader, files_writer = await asyncio.open_connection(host, int(port))
        await asyncio.wait(
            [asyncio.create_task(it) for it in (_copy(reader, files_writer), _copy(files_reader, writer))]
        )

    async with await asyncio.start_unix_server(relay, path):
        yield


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while received := await reader.read(65_536):
        writer.write(received)
        await writer.drain()
    writer.close()


async def test_an_agent_starts_without_files_and_registers_once_it_can_be_reached(
    new_database: Callable[[], DatabaseUrls],
    files_server: BoundServer,
    files_channel: grpc.aio.Channel,
    workspaces: Workspaces,
    alice_at_work: Workspace,
    eventually: Eventually,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """AT-01: a type that files then refuses is named in the log, and keeps no other from being registered."""
    async with workspaces.registering([memo("memo_refused", text=...)]):
        pass
    with tempfile.TemporaryDirectory(prefix="lattice-") as folder:  # short, as the path of a socket must be
        socket = Path(folder) / "files.sock"
        settings = settings_with(await migrated(new_database, "artifactr"), f"unix:{socket}")
        runner = runner_of(memo("memo_refused", other=...), memo("memo_late", text=...))
        async with running(settings, lambda _settings, _files: runner):
            assert await registered(files_channel, alice_at_work, "memo_late") is None
            async with reached_by(socket, files_server.address):
                await eventually(lambda: registered(files_channel, alice_at_work, "memo_late"))
    (error,) = [it for it in caplog.records if it.name == "artifactr.types" and it.levelno == logging.ERROR]
    assert "memo_refused" in error.getMessage()
