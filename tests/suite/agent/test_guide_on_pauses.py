"""docs/guide.md, "Pausing for people": its blocks as they stand there.

What else the section says of pauses is claimed in `unit/artifactr_agent/test_pauses`.
"""

import asyncio

import pytest
from artifactr import ArtifactWorkspace, Runner, Session
from artifactr.core.events import DeferredKind, RunPaused, RunStarted, RunTrigger
from artifactr.testing import Script, call
from suite.agent.guide import Guide, Names
from suite.agent.planning import Planning, ReleaseNotes


async def test_a_run_pauses_for_an_answer_and_an_approval_and_goes_on_with_both(
    planning: Planning, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-01, PA-02, PA-03, PA-05: under the same id, after the last answer; an approved call runs then."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    names: Names = {"Session": Session, "ArtifactWorkspace": ArtifactWorkspace, "ReleaseNotes": ReleaseNotes}
    await Guide().run("Pausing for people", names)
    script = Script(
        [[*call("ask_user", question="When?"), *call("publish", channel="#launch")], "Published on Monday."]
    )
    with script.plays(names["agent"]):
        async with Runner(names["agent"], app=None) as runner:
            sent = await runner.send(planning.alice, planning.thread.id, "Publish the notes.")
            assert sent.run is not None
            await sent.run.wait()
            (paused,) = [it for it in await planning.events() if isinstance(it, RunPaused)]
            assert [(it.tool_name, it.kind) for it in paused.requests] == [
                ("ask_user", DeferredKind.QUESTION),
                ("publish", DeferredKind.APPROVAL),
            ]
            names |= {"ws": planning.alice, "runner": runner, "run_id": sent.run.run_id}
            await Guide().run("Pausing for people", names, 1)
            await asyncio.wait({names["answered"].run.ended})
    assert [it.text for it in script.asked[1].returns] == ["Monday", "Published to #launch."]
    started = [(it.run_id, it.trigger) for it in await planning.events() if isinstance(it, RunStarted)]
    assert started == [(sent.run.run_id, RunTrigger.MESSAGE), (sent.run.run_id, RunTrigger.RESUME)]
