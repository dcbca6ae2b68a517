"""What becomes of the end of a call that is being recorded when its run ends."""

import asyncio
from collections.abc import Sequence

import pytest
from artifactr import Workspace
from artifactr.core.events import RunFact, RunStatus, ToolCalled, ToolReturned, ToolStatus
from artifactr.testing import Script, call
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
