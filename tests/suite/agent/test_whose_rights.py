"""For whom a run works, at the real files: it may what its starter may, and what an agent may in its workspace."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from uuid import uuid4

import grpc
import pytest
from artifactr import ArtifactWorkspace, NativeFiles, Runner, Session, Workspace, Workspaces, open_workspaces
from artifactr.core import AnswerDeferred
from artifactr.core.actors import AgentActor, UserActor
from artifactr.core.events import DeferredAnswered, RunEnded, RunStatus, ToolStatus
from artifactr.core.rejections import Forbidden
from artifactr.files.values import Command
from artifactr.testing import Script, call
from artifactr.workspace.recording import RUNNER
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1.native_files_service_pb2_grpc import NativeFilesServiceStub
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice.integrations.v1.integrations_service_pb2_grpc import IntegrationsServiceStub
from lattice_chassis.channels import channel
from lattice_chassis.errors import refusal_of
from lattice_chassis.identity import Identity, acting_as, current_identity, forwarded_identity
from lattice_chassis.server import BoundServer
from pydantic_ai import Agent, RunContext, ToolCallPart
from service.files.people import FAKEAPP
from suite.agent.colleagues import Colleagues
from suite.agent.conftest import CONTRACTS

pytestmark = pytest.mark.long

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


@pytest.fixture
def calls() -> list[Identity]:
    """Under whose identity files was called."""
    return []


@pytest.fixture
async def recorded(
    calls: list[Identity], files_server: BoundServer, agent_url: str, colleagues: Colleagues
) -> AsyncIterator[Colleagues]:
    """Alice and her agent, in a replica that writes down under whose identity it calls files."""

    def written_down() -> tuple[tuple[str, str], ...]:
        calls.append(current_identity())
        return forwarded_identity()

    async with (
        channel(files_server.address, CONTRACTS, identity=written_down) as files,
        open_workspaces(agent_url, files) as workspaces,
    ):
        alice = colleagues.alice
        handle = workspaces.open(alice.tenant, alice.workspace, alice.actor, roles=alice.caller.roles)
        yield replace(colleagues, alice=handle, files=NativeFiles(files))


def colleague(workspaces: Workspaces, colleagues: Colleagues, name: str, role: str) -> Colleagues:
    """The same thread and plan, with somebody else at work who has one role in this workspace alone."""
    alice = colleagues.alice
    roles = {f"{alice.workspace}/{role}"}
    handle = workspaces.open(alice.tenant, alice.workspace, UserActor(id=name, name=name.capitalize()), roles=roles)
    return replace(colleagues, alice=handle)


async def test_a_run_calls_files_as_its_agent_on_behalf_of_whoever_started_it(
    recorded: Colleagues, calls: list[Identity]
) -> None:
    """SE-08, AC-06: what agent asks for itself, it asks as one who may only look in that workspace."""
    read = call("read_native", artifact_id=recorded.plan)
    await recorded.ask(read, recorded.edit(1), "Moved.")
    where = recorded.alice.workspace
    agents = [it for it in calls if it.actor.HasField("agent")]
    systems = [it for it in calls if it.actor.HasField("system")]
    assert len(agents) >= 2
    assert len(agents) + len(systems) == len(calls)
    for agent in agents:
        assert agent.roles == {f"{where}/editor"}
        assert agent.actor.agent.run_id
        assert agent.on_behalf_of == recorded.alice.identity
    assert {it.actor.system.name for it in systems} == {"agent"}
    assert {it.roles for it in systems} == {frozenset({f"{where}/viewer"})}
    assert await recorded.version() == 2


async def test_a_run_may_no_more_than_whoever_started_it_and_does_not_try_again(
    workspaces: Workspaces, colleagues: Colleagues
) -> None:
    """SE-08, GT-03: the refusal is one sentence to the model, and one failed call on the record."""
    rita = colleague(workspaces, colleagues, "rita", "reviewer")
    script = await rita.ask(rita.edit(1), "I may not.")
    (refusal,) = script.asked[1].returns
    assert refusal.outcome == "failed"
    assert "Not allowed: writing needs the role of an editor." in refusal.text
    assert [it.status for it in await colleagues.returned()] == [ToolStatus.ERROR]
    assert len(script.asked) == 2
    assert await colleagues.version() == 1


async def test_who_steers_a_run_adds_nothing_to_it_and_their_own_message_begins_a_run_of_theirs(
    workspaces: Workspaces, colleagues: Colleagues
) -> None:
    """SE-08, TH-08."""
    rita, bob = (colleague(workspaces, colleagues, *who) for who in (("rita", "reviewer"), ("bob", "editor")))

    async def steered() -> list[ToolCallPart]:
        await bob.alice.post_message(bob.thread.id, "I am an editor: do it.")
        return colleagues.edit(1)

    script = await rita.ask(steered, "I may not.")
    assert script.asked[1].prompts == ["I am an editor: do it."]
    assert await colleagues.version() == 1
    await bob.ask(colleagues.edit(1), "Moved.", words="Then once more.")
    assert await colleagues.version() == 2


@pytest.mark.parametrize(("starter", "version"), [("reviewer", 1), ("editor", 2)])
async def test_a_turn_that_nobody_asks_for_works_for_whoever_sent_its_message(
    workspaces: Workspaces, colleagues: Colleagues, eventually: Eventually, starter: str, version: int
) -> None:
    """SE-08, RN-15: whoever finds what a crash left behind, which may but look."""
    sam = colleague(workspaces, colleagues, "sam", starter)
    await sam.alice.post_message(sam.thread.id, "Please edit.")
    where = (sam.alice.tenant, sam.alice.workspace)
    finder = workspaces.open(*where, RUNNER, roles={f"{sam.alice.workspace}/viewer"})

    async def has_ended() -> bool:
        return any(isinstance(it, RunEnded) for it in await colleagues.events())

    async with sam.runner(Script([sam.edit(1), "That is all."])) as runner:
        runner.take_up(finder, sam.thread.id)
        await eventually(has_ended)
    assert await colleagues.version() == version


@pytest.mark.parametrize(
    ("starter", "approver", "version"), [("reviewer", "administrator", 1), ("editor", "reviewer", 2)]
)
async def test_an_approved_call_keeps_the_starters_rights(
    workspaces: Workspaces, colleagues: Colleagues, starter: str, approver: str, version: int
) -> None:
    """SE-08, PA-03: neither raised nor lessened by whoever approves, who is on the log; in another process, too."""
    sam, ada = colleague(workspaces, colleagues, "sam", starter), colleague(workspaces, colleagues, "ada", approver)
    script = Script([colleagues.edit(1), "That is all."])
    async with sam.runner(script, with_leave=True) as runner:
        sent = await runner.send(sam.alice, sam.thread.id, "Please edit.")
        assert sent.run is not None
        await sent.run.wait()
    run = await ada.alice.run(sent.run.run_id)
    async with ada.runner(script, with_leave=True) as runner:
        approval = AnswerDeferred(run_id=run.id, tool_call_id=run.pending[0].tool_call_id, approved=True)
        resumed = (await runner.answer(ada.alice, approval)).run
        assert resumed is not None
        await resumed.wait()
    assert await colleagues.version() == version
    (answered,) = [it for it in await colleagues.alice.read() if isinstance(it.event, DeferredAnswered)]
    assert answered.actor == ada.alice.actor


async def test_an_administrators_run_administers_nothing(
    workspaces: Workspaces, colleagues: Colleagues, files_channel: grpc.aio.Channel, integrations: BoundServer
) -> None:
    """SE-08: the agent's own rights are an editor's, whoever it works for."""
    lent = await colleagues.files.check_out(colleagues.alice.caller, colleagues.plan)
    ada = colleague(workspaces, colleagues, "ada", "administrator").alice
    agent = ada.acting_as(AgentActor(thread_id=colleagues.thread.id, run_id="run_1"))
    scope = f"tenants/{ada.tenant}/workspaces/{ada.workspace}"
    name = f"{scope}/artifacts/{colleagues.plan}"
    broken = native_pb.BreakCheckOutRequest(name=name, reason="in the way", request_id=str(uuid4()))
    switched = integrations_pb.SetEnabledRequest(
        workspace=scope, key=FAKEAPP, enabled=False, expected_revision=0, request_id=str(uuid4())
    )
    async with channel(integrations.address, [integrations_pb.DESCRIPTOR]) as opened:
        for administering in (
            lambda: NativeFilesServiceStub(files_channel).BreakCheckOut(broken),
            lambda: IntegrationsServiceStub(opened).SetEnabled(switched),
        ):
            with acting_as(agent.identity), pytest.raises(grpc.aio.AioRpcError) as error:
                await administering()
            refusal = refusal_of(error.value)
            assert refusal is not None
            assert refusal.reason == "FORBIDDEN"
    assert await colleagues.files.enabled(ada.caller)
    assert (await colleagues.files.extend(colleagues.alice.caller, lent)).token == lent.token


async def test_a_run_cannot_reach_into_another_workspace(workspaces: Workspaces, colleagues: Colleagues) -> None:
    """SE-08, TN-03: though its starter may edit there, and it knows the ids."""
    alice = colleagues.alice
    elsewhere = workspaces.open(alice.tenant, f"{alice.workspace}-b", alice.actor)
    there = await Colleagues.at_work(elsewhere, colleagues.files)
    refusals: list[str] = []

    async def pry(ctx: RunContext[Session[None]]) -> str:
        """Read and edit a file of another workspace."""
        reaching = replace(ctx.deps.workspace.caller, workspace=elsewhere.workspace)
        edit = Command(id="replace_text", arguments='{"old": "17 February", "new": "3 March"}')
        for reach in (
            lambda: colleagues.files.read_text(reaching, there.plan, start=0, max_chars=100),
            lambda: colleagues.files.edit(reaching, there.plan, 1, [edit], "moved"),
        ):
            with pytest.raises(Forbidden) as refusal:
                await reach()
            refusals.append(str(refusal.value))
        return "Refused."

    agent = Agent(
        Script([call("pry"), "I cannot."]).model,
        tools=[pry],
        deps_type=Session[None],
        capabilities=[ArtifactWorkspace()],
    )
    async with Runner(agent, app=None) as runner:
        sent = await runner.send(alice, colleagues.thread.id, "Please pry.")
        assert sent.run is not None
        await sent.run.wait()
    assert refusals == ["the caller has no access to the workspace"] * 2
    assert await there.version() == 1


async def test_a_run_for_somebody_without_access_fails_before_its_model_is_asked(
    workspaces: Workspaces, colleagues: Colleagues
) -> None:
    """SE-08, RN-17: as one does that was paused before it was kept for whom runs work."""
    rita = colleague(workspaces, colleagues, "rita", "none")
    script = await rita.ask("Never said.")
    ended = await colleagues.ended()
    assert (ended.status, ended.reason) == (RunStatus.FAILED, "forbidden")
    assert script.asked == []


async def test_a_direct_run_works_for_whom_its_handle_was_opened(
    workspaces: Workspaces, colleagues: Colleagues
) -> None:
    """SE-08, RN-18."""
    rita = colleague(workspaces, colleagues, "rita", "reviewer")
    versions = []
    for who in (rita.alice, colleagues.alice):
        await _run_directly(who, colleagues)
        versions.append(await colleagues.version())
    assert versions == [1, 2]
    assert [it.principal.actor for _, it in await rita.alice.runs()] == [rita.alice.actor, colleagues.alice.actor]


async def _run_directly(who: Workspace, colleagues: Colleagues) -> None:
    agent = colleagues.agent(Script([colleagues.edit(1), "That is all."]))
    await agent.run("Please edit.", deps=Session.start(who, colleagues.thread.id, app=None))
