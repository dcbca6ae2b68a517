"""What becomes of the end of a call that is being recorded when its run ends."""

import asyncio
from collections.abc import Sequence

import pytest
from artifactr import Workspace
from artifactr.core.events import RunFact, RunStatus, ToolCalled, ToolReturned, ToolStatus
from artifactr.testing import Script, call
from lattice_chassis.errors import PeerUnavailable
from unit.artifactr_agent.conversation import Conversation


@pytest.fixture
def recording(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Set once a return is about to be recorded; each takes a while."""
    begun = asyncio.Event()
    record = Workspace.record

    async def slowly(workspace: Workspace, *facts: RunFact) -> int:
        if any(isinstance(fact, ToolReturned) for fact in facts):
            begun.set()
            await asyncio.sleep(0.2)
        return await record(workspace, *facts)

    monkeypatch.setattr(Workspace, "record", slowly)
    return begun


async def returns(conversation: Conversation) -> Sequence[tuple[str, ToolStatus]]:
    """Each return on the log, which has one for each call and no other."""
    events = await conversation.events()
    called = [it.tool_call_id for it in events if isinstance(it, ToolCalled)]
    returned = [it for it in events if isinstance(it, ToolReturned)]
    assert sorted(called) == sorted(it.tool_call_id for it in returned)
    return [(it.tool_name, it.status) for it in returned]


async def test_a_return_is_recorded_though_the_run_is_stopped_meanwhile(
    conversation: Conversation, recording: asyncio.Event
) -> None:
    """RE-01, RN-16: the tool has run, and its call says so."""

    async def quick() -> str:
        return "Done."

    async with conversation.runner(Script([call("quick"), "Never."]), quick) as runner:
        run = await conversation.say(runner)
        await recording.wait()
        assert await runner.stop(conversation.alice, run.run_id)
    assert (await conversation.ended()).status is RunStatus.STOPPED
    assert await returns(conversation) == [("quick", ToolStatus.OK)]


async def test_a_return_is_recorded_though_a_call_beside_it_fails_the_run(
    conversation: Conversation, recording: asyncio.Event
) -> None:
    """RE-01, RN-17."""

    async def quick() -> str:
        return "Done."

    async def fails() -> str:
        await recording.wait()
        raise LookupError("nothing is there")

    async with conversation.runner(Script([[*call("quick"), *call("fails")]]), quick, fails) as runner:
        await asyncio.wait({(await conversation.say(runner)).ended})
    assert (await conversation.ended()).status is RunStatus.FAILED
    assert sorted(await returns(conversation)) == [("fails", ToolStatus.ERROR), ("quick", ToolStatus.OK)]


async def test_no_request_goes_out_before_the_returns_that_it_carries_are_on_the_record(
    conversation: Conversation, recording: asyncio.Event
) -> None:
    """RE-01, RE-03."""
    seen: list[tuple[str, ToolStatus]] = []

    async def quick() -> str:
        return "Done."

    async def says() -> str:
        assert recording.is_set()
        seen.extend(await returns(conversation))
        return "Both are done."

    script = Script([[*call("quick"), *call("quick")], says])
    async with conversation.runner(script, quick) as runner:
        await (await conversation.say(runner)).wait()
    assert seen == [("quick", ToolStatus.OK)] * 2


@pytest.mark.parametrize("committed", [False, True])
async def test_a_return_that_could_not_be_recorded_is_recorded_with_the_end(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch, *, committed: bool
) -> None:
    """RE-01, RN-17, WP-07: once, though the database had committed it when its answer was lost."""
    record = Workspace.record

    async def unanswered(workspace: Workspace, *facts: RunFact) -> int:
        if not any(isinstance(fact, ToolReturned) for fact in facts):
            return await record(workspace, *facts)
        if committed:
            await record(workspace, *facts)
        raise PeerUnavailable(peer="database")

    monkeypatch.setattr(Workspace, "record", unanswered)

    async def quick() -> str:
        return "Done."

    script = Script([call("quick"), "Never."])
    async with conversation.runner(script, quick) as runner:
        await asyncio.wait({(await conversation.say(runner)).ended})
    assert len(script.asked) == 1
    ended = await conversation.ended()
    assert (ended.status, ended.reason) == (RunStatus.FAILED, "peer_unavailable")
    assert await returns(conversation) == [("quick", ToolStatus.OK)]
