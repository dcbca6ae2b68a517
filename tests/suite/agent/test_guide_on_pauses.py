"""The guide's section "Pausing for people": its blocks as they stand there, but for the model's name.

What else the section says of pauses is claimed in `unit/artifactr_agent/test_pauses`.
"""

import asyncio

from artifactr import ArtifactWorkspace, Runner, Session
from artifactr.core import AnswerDeferred
from artifactr.core.events import DeferredKind, RunPaused, RunStarted, RunTrigger
from artifactr.testing import Script, call
from pydantic_ai import Agent, DeferredToolRequests, FunctionToolset, RunContext
from suite.agent.planning import Planning, ReleaseNotes

script = Script(
    [
        [*call("ask_user", question="When?"), *call("publish", channel="#launch")],
        "Published on Monday.",
    ]
)

release_tools = FunctionToolset[Session[None]]()


@release_tools.tool(requires_approval=True)
async def publish(ctx: RunContext[Session[None]], channel: str) -> str:
    """Publish the release notes to a channel."""
    return f"Published to {channel}."


agent = Agent(
    script.model,
    deps_type=Session[None],
    output_type=[str, DeferredToolRequests],
    toolsets=[release_tools],
    capabilities=[ArtifactWorkspace(types=[ReleaseNotes], ask=True)],
)


async def test_a_run_pauses_for_an_answer_and_an_approval_and_goes_on_with_both(planning: Planning) -> None:
    """PA-01, PA-02, PA-03, PA-05: under the same id, after the last answer; an approved call runs then."""
    ws, runner = planning.alice, Runner(agent, app=None)
    sent = await runner.send(ws, planning.thread.id, "Publish the notes.")
    assert sent.run is not None
    await sent.run.wait()
    (paused,) = [it for it in await planning.events() if isinstance(it, RunPaused)]
    assert [(it.tool_name, it.kind) for it in paused.requests] == [
        ("ask_user", DeferredKind.QUESTION),
        ("publish", DeferredKind.APPROVAL),
    ]
    run_id = sent.run.run_id

    run = await ws.run(run_id)
    for request in run.pending:
        if request.kind == "question":
            command = AnswerDeferred(run_id=run.id, tool_call_id=request.tool_call_id, answer="Monday")
        else:
            command = AnswerDeferred(run_id=run.id, tool_call_id=request.tool_call_id, approved=True)
        answered = await runner.answer(ws, command)  # resumes the run after the last answer

    assert answered.run is not None  # type: ignore[possibly-undefined]  # there were requests
    await asyncio.wait({answered.run.ended})
    assert [it.text for it in script.asked[1].returns] == ["Monday", "Published to #launch."]
    started = [(it.run_id, it.trigger) for it in await planning.events() if isinstance(it, RunStarted)]
    assert started == [(run_id, RunTrigger.MESSAGE), (run_id, RunTrigger.RESUME)]
    await runner.aclose()
