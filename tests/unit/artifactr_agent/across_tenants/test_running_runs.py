"""How many runs a tenant may have at a time."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import grpc
import pytest
from artifactr import Workspaces
from artifactr.agent.recovery import recovering
from artifactr.core.actors import AgentActor
from artifactr.core.events import MessagePosted, RunStarted, RunTrigger
from artifactr.core.segments import SegmentStart
from artifactr.testing import Script
from artifactr.workspace import takeover
from lattice_agent.default_agent import default_runner
from lattice_agent.settings import AgentSettings
from pydantic import SecretStr
from unit.artifactr_agent.conversation import Conversation

pytestmark = pytest.mark.long

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


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


async def test_a_direct_run_that_has_died_takes_up_no_room(
    conversation: Conversation, replica: Workspaces, eventually: Eventually, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SE-06, RN-13: nobody may ever take a turn in its thread, which would record its end."""
    alice = replica.open("quiet", "main", conversation.alice.actor)
    thread = await alice.create_thread("A batch")
    dies = alice.acting_as(AgentActor(thread_id=thread.id, run_id="run_dies"))
    await dies.start_segment(SegmentStart(run_id="run_dies", thread_id=thread.id, trigger=RunTrigger.API))
    assert await alice.running_in_tenant(besides="") == 1
    monkeypatch.setattr(takeover, "DIRECT_RUN_SILENCE", timedelta(milliseconds=100))

    async def nothing_runs() -> bool:
        return await alice.running_in_tenant(besides="") == 0

    await eventually(nothing_runs)


async def test_the_default_agent_is_told_by_a_setting_how_many_runs_a_tenant_may_have(
    conversation: Conversation, replica: Workspaces, files_channel: grpc.aio.Channel
) -> None:
    """SE-06, TH-10: nothing is refused, and nothing is lost."""
    alice = replica.open("crowded by default", "main", conversation.alice.actor)
    one, other = await alice.create_thread("One"), await alice.create_thread("Other")
    settings = AgentSettings(database_url=SecretStr("none"), files="none", pace=timedelta(minutes=1), max_running=1)
    async with default_runner(settings, files_channel) as runner:
        assert (await runner.send(alice, one.id, "Go.")).run is not None
        assert (await runner.send(alice, other.id, "Go, too.")).run is None
    assert [it.event.content for it in await alice.read() if isinstance(it.event, MessagePosted)] == ["Go.", "Go, too."]
