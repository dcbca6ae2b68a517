"""What a run, a request and a tenant may use."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

import grpc
import pytest
from artifactr import ArtifactWorkspace, Workspaces, open_workspaces
from artifactr.agent import load_history
from artifactr.agent.budget import LEFT_OUT
from artifactr.agent.recovery import recovering
from artifactr.core.events import RunStarted, RunStatus
from artifactr.testing import Script, call
from lattice_chassis.postgres.embedded import DatabaseUrls
from pydantic_ai import UsageLimits
from unit.artifactr_agent.conversation import Conversation

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


@pytest.fixture(scope="module")
async def replica(agent_urls: DatabaseUrls, files_channel: grpc.aio.Channel) -> AsyncIterator[Workspaces]:
    async with open_workspaces(agent_urls.service, files_channel, follower_url=agent_urls.follower) as opened:
        yield opened


async def test_a_run_that_passes_its_limit_fails_with_a_code_and_the_thread_goes_on(conversation: Conversation) -> None:
    """RN-17."""
    again = call("list_artifacts")
    async with conversation.runner(Script([again] * 9), limits=UsageLimits(request_limit=3)) as runner:
        await asyncio.wait({(await conversation.say(runner)).ended})
    ended = await conversation.ended()
    assert (ended.status, ended.reason) == (RunStatus.FAILED, "usage_limit")
    await conversation.ask("Yes.", words="Are you still there?")
    assert (await conversation.ended()).status is RunStatus.COMPLETED


async def test_a_request_leaves_out_what_is_old_and_the_history_keeps_it(conversation: Conversation) -> None:
    """HI-01, HI-05: the model is told so; every message is stored."""
    for number in range(4):
        await conversation.ask(f"answer {number} " + "x" * 2_000, words=f"question {number}")
    script = Script(["The last."])
    capability = ArtifactWorkspace(max_history_tokens=1_500)
    async with conversation.runner(script, capability=capability) as runner:
        await (await conversation.say(runner, "And now?")).wait()
    (asked,) = script.asked
    heard = str(asked.messages)
    assert LEFT_OUT in heard
    assert "question 0" not in heard
    assert "question 3" in heard
    stored = str(await load_history(conversation.alice, conversation.thread.id))
    assert all(f"question {number}" in stored for number in range(4))
    assert LEFT_OUT not in stored


async def test_a_tenant_that_runs_as_many_as_it_may_makes_the_next_one_wait(
    conversation: Conversation, replica: Workspaces, eventually: Eventually
) -> None:
    """RN-15, TH-10: the message is recorded, and taken up once there is room."""
    alice = replica.open("crowded", "main", conversation.alice.actor)
    one, other = await alice.create_thread("One"), await alice.create_thread("Other")
    answering, released = asyncio.Event(), asyncio.Event()

    async def long() -> str:
        answering.set()
        await released.wait()
        return "Done."

    async def both_ran() -> bool:
        return [type(it.event) for it in await alice.read()].count(RunStarted) == 2

    async with (
        conversation.runner(Script([long, "Me too."]), max_running=1) as runner,
        recovering(runner, replica, every=timedelta(milliseconds=50)),
    ):
        first = await runner.send(alice, one.id, "Go.")
        assert first.run is not None
        await answering.wait()
        assert (await runner.send(alice, other.id, "Go, too.")).run is None
        await asyncio.sleep(0.3)
        assert not await both_ran()
        released.set()
        await first.run.wait()
        await eventually(both_ran)
