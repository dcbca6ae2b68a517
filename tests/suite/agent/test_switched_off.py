"""The app switched off under an agent: within a step, between two steps, and while its run is paused."""

import asyncio
from collections.abc import Sequence

import pytest
from artifactr.core import AnswerDeferred
from artifactr.core.events import RunStatus, ToolStatus
from artifactr.core.rejections import NotEnabled
from artifactr.testing import Script, call
from pydantic_ai import DeferredToolRequests, ToolCallPart
from service.files.people import FAKEAPP, Administrator
from suite.agent.colleagues import Colleagues


async def test_a_switch_in_the_middle_of_a_run_takes_the_tools_away(
    colleagues: Colleagues, switches: Administrator
) -> None:
    """N-08, R-09, I-16, N-05: the edit that was under way is refused, a check-out too, and reading goes on."""

    async def ada_switches_it_off() -> Sequence[ToolCallPart]:
        await switches.switches(FAKEAPP, on=False)
        return colleagues.edit(1)

    read = call("read_artifact", artifact_id=colleagues.plan)
    script = await colleagues.ask(ada_switches_it_off, read, "It is off.")
    assert script.asked[1].returns[0].outcome == "retried"
    assert ["edit_native" in asked.tools for asked in script.asked] == [True, False, False]
    assert "Launch on 17 February." in script.asked[2].returns[0].text
    with pytest.raises(NotEnabled):
        await colleagues.files.check_out(colleagues.alice.caller, colleagues.plan)
    assert not await colleagues.files.enabled(colleagues.alice.caller)
    await switches.switches(FAKEAPP, on=True)
    assert await colleagues.files.enabled(colleagues.alice.caller)


async def test_between_two_steps_the_tools_go_and_come_with_the_switch(
    colleagues: Colleagues, switches: Administrator
) -> None:
    """A-02, N-08, I-16, AMB-21: the next request is without them, and the one after has them again."""

    async def ada_switches(*, on: bool) -> Sequence[ToolCallPart]:
        await switches.switches(FAKEAPP, on=on)
        return call("list_artifacts")

    script = await colleagues.ask(
        lambda: ada_switches(on=False), lambda: ada_switches(on=True), colleagues.edit(1), "Moved."
    )
    assert ["edit_native" in asked.tools for asked in script.asked] == [True, False, True, True]
    assert [it.status for it in await colleagues.returned()] == [ToolStatus.OK] * 3
    assert await colleagues.version() == 2


async def test_while_a_run_is_paused_an_approved_edit_is_refused_and_its_tools_are_gone(
    colleagues: Colleagues, switches: Administrator
) -> None:
    """R-09, R-11, PA-05, I-16: leave to edit does not outlast the switch; the run goes on without the tools."""
    script = Script([colleagues.edit(1), call("read_artifact", artifact_id=colleagues.plan), "It is off."])
    async with colleagues.runner(script, with_leave=True) as runner:
        sent = await runner.send(colleagues.alice, colleagues.thread.id, "Please edit.")
        assert sent.run is not None
        assert isinstance((await sent.run.wait()).output, DeferredToolRequests)
        (asked,) = (await colleagues.alice.run(sent.run.run_id)).pending
        await switches.switches(FAKEAPP, on=False)
        leave = AnswerDeferred(run_id=sent.run.run_id, tool_call_id=asked.tool_call_id, approved=True)
        resumed = (await runner.answer(colleagues.alice, leave)).run
        assert resumed is not None
        await asyncio.wait({resumed.ended})
    (refused,) = script.asked[1].returns
    assert refused.outcome == "retried"
    assert f"{FAKEAPP} is off" in refused.text
    assert "edit_native" not in script.asked[1].tools
    assert [it.status for it in await colleagues.returned()] == [ToolStatus.RETRY, ToolStatus.OK]
    assert (await colleagues.ended()).status is RunStatus.COMPLETED
    assert await colleagues.version() == 1
