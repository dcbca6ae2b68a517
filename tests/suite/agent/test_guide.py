"""docs/guide.md, block by block: the code that runs here is the document's own.

What its sections promise in prose is claimed here, in `test_guide_in_prose`, or where the table at its end says.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace

import grpc
import pytest
from artifactr import ArtifactWorkspace, Runner, Session, Workspace
from artifactr.agent import describe_outcome, load_history, submit
from artifactr.core import SetThreadMode
from artifactr.core.actors import AgentActor
from artifactr.core.events import (
    ArtifactChanged,
    Event,
    MessagePosted,
    ProposalCreated,
    RunEnded,
    RunStarted,
    RunStatus,
    RunTrigger,
    ToolCalled,
    ToolReturned,
)
from artifactr.core.threads import Thread
from artifactr.testing import Answer, Script, call
from pydantic import BaseModel
from pydantic_ai import Agent, RunContext
from pydantic_ai.capabilities import Hooks
from pydantic_ai.models import ModelRequestContext
from suite.agent.guide import Guide, Names
from suite.agent.planning import Brief, Plan, Planning, ReleaseNotes

GUIDE = Guide()


class SearchClient:
    """What the tools of the guide's application need."""


@dataclass(frozen=True)
class Launch:
    """The guide's application, and its own names: a handle, a thread, and a plan in it."""

    ws: Workspace
    thread: Thread
    plan: str
    names: Names
    """What the guide's blocks define."""
    script: Script = field(default_factory=Script)
    """What the model of the guide's agent answers; each test writes its own."""

    async def events(self) -> list[Event]:
        return [envelope.event for envelope in await self.ws.read()]

    async def runs(self, *answers: Answer) -> Script:
        """Let the guide's agent answer a message; what its model was asked."""
        self.script.add(*answers)
        sent = await self.names["runner"].send(self.ws, self.thread.id, "Break the launch into tasks.")
        await asyncio.wait({sent.run.ended})
        return self.script

    async def runs_tool(self, tool: Callable[..., Awaitable[str]], **arguments: object) -> Script:
        """Let an agent with one more tool call it."""
        own = Script([call(tool.__name__, **arguments), "I see."])
        other = Agent(own.model, deps_type=Session[None], tools=[tool], capabilities=[ArtifactWorkspace(types=[Plan])])
        async with Runner(other, app=None) as its_runner:
            sent = await its_runner.send(self.ws, self.thread.id, "Please.")
            assert sent.run is not None
            await asyncio.wait({sent.run.ended})
        return own


@pytest.fixture
async def launch(planning: Planning, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Launch]:
    """The guide's application, with a plan."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")  # which pydantic-ai wants for the name of the guide's model
    names = await GUIDE.application(SearchClient=SearchClient)
    plan = await planning.creates(names["Plan"](title="Launch"))
    launch = Launch(planning.alice, planning.thread, plan, names | {"ws": planning.alice, "thread": planning.thread})
    with launch.script.plays(names["agent"]):
        yield launch
        await names["runner"].aclose()


def test_the_types_of_the_guide_are_those_that_all_tests_use(launch: Launch) -> None:
    """AT-01, AT-02, AT-06."""
    for ours in (Plan, Brief, ReleaseNotes):
        theirs = launch.names[ours.__name__]
        assert theirs.json_schema() == ours.json_schema()
        assert (theirs.kind, theirs.write_policy) == (ours.kind, ours.write_policy)


async def test_the_agent_adds_a_task_in_its_own_name(launch: Launch) -> None:
    """GT-02, AC-06, AT-08, RE-01: the tool is registered on the agent; the change says what the type says of it."""
    script = await launch.runs(call("add_task", plan_id=launch.plan, title="Write the docs"), "Added.")
    assert {"add_task", "edit_text"} <= script.asked[0].tools
    assert script.asked[1].returns[0].text == "Added. The plan is now at version 2."
    assert (await launch.ws.get(Plan, launch.plan)).tasks["t1"].title == "Write the docs"
    (changed,) = [it for it in await launch.ws.read() if isinstance(it.event, ArtifactChanged)]
    assert isinstance(changed.event, ArtifactChanged)
    assert changed.event.summary == "added Write the docs"
    (started,) = [it for it in await launch.events() if isinstance(it, RunStarted)]
    assert changed.actor == AgentActor(thread_id=launch.thread.id, run_id=started.run_id)


async def test_what_a_run_leaves_on_the_record_is_in_the_guides_order(launch: Launch) -> None:
    """RN-05, X-03, MP-14: the change of an application's tool lies between its call and its return."""
    await launch.runs(call("add_task", plan_id=launch.plan, title="Write the docs"), "Added.")
    events = await launch.events()
    began = next(place for place, event in enumerate(events) if isinstance(event, RunStarted))
    assert [type(event) for event in events[began:]] == [
        RunStarted,
        ToolCalled,
        ArtifactChanged,
        ToolReturned,
        MessagePosted,
        RunEnded,
    ]


async def test_in_suggest_mode_the_tool_proposes(launch: Launch) -> None:
    """CM-06, PR-10, AMB-19: by an application's tool, which knows nothing of modes."""
    await launch.ws.commit(SetThreadMode(thread_id=launch.thread.id, mode="suggest"))
    script = await launch.runs(call("add_task", plan_id=launch.plan, title="Write the docs"), "Proposed.")
    (created,) = [it for it in await launch.events() if isinstance(it, ProposalCreated)]
    answer = f"Proposed adding the task ({created.proposal_id}); the user will review it."
    assert script.asked[1].returns[0].text == answer
    assert (await launch.ws.get(Plan, launch.plan)).version == 1


async def test_a_rejection_reaches_the_model_as_a_retry(launch: Launch) -> None:
    """GT-03: with the rejection's message; nothing else of the run is lost."""
    script = await launch.runs(call("add_task", plan_id="plan_none", title="x"), "There is none.")
    assert script.asked[1].returns[0].outcome == "retried"
    assert "plan_none" in script.asked[1].returns[0].text


async def test_a_version_conflict_adds_that_it_has_to_be_read_again(launch: Launch) -> None:
    """GT-03, R-08."""

    async def add_slowly(ctx: RunContext[Session[None]]) -> str:
        """Add a task while Alice adds one."""
        plan = await ctx.deps.workspace.get(Plan, launch.plan)
        await launch.ws.commit(plan.edit(lambda p: p.add_task("Alice's")))
        return describe_outcome(await ctx.deps.workspace.commit(plan.edit(lambda p: p.add_task("the agent's"))))

    script = await launch.runs_tool(add_slowly)
    answer = script.asked[1].returns[0]
    assert answer.outcome == "retried"
    assert answer.text.startswith(f"{launch.plan} is at version 2, not 1. Read the artifact again, then retry.")


async def test_a_tool_knows_the_session_of_its_run(launch: Launch) -> None:
    """RN-22, RN-23, AC-06: the handle acts as the thread's agent; what is the application's own is handed on."""
    seen: list[Session[SearchClient]] = []

    async def look(ctx: RunContext[Session[SearchClient]]) -> str:
        """Look at the session."""
        seen.append(ctx.deps)
        return "seen"

    app = SearchClient()
    own = Script([call("look"), "Seen."])
    looking = Agent(own.model, deps_type=Session[SearchClient], tools=[look], capabilities=[ArtifactWorkspace()])
    async with Runner(looking, app=app, agent_name="planner") as its_runner:
        sent = await its_runner.send(launch.ws, launch.thread.id, "Look.")
        assert sent.run is not None
        await sent.run.wait()
    (session,) = seen
    assert session.app is app
    assert (session.thread_id, session.run_id) == (launch.thread.id, sent.run.run_id)
    assert session.workspace.actor == AgentActor(thread_id=launch.thread.id, run_id=session.run_id, name="planner")


async def test_how_much_is_shown_and_recorded_are_options(launch: Launch) -> None:
    """IN-03, RE-02, RN-23."""
    own = Script([call("read_artifact", artifact_id=launch.plan), "Read."])
    terse = ArtifactWorkspace(types=[Plan], max_render_chars=10, max_summary_chars=5)
    reading = Agent(own.model, deps_type=Session[None], capabilities=[terse])
    async with Runner(reading, app=None) as its_runner:
        sent = await its_runner.send(launch.ws, launch.thread.id, "Read.")
        assert sent.run is not None
        await sent.run.wait()
    assert '\n{\n  "titl…\n</artifact>' in own.asked[1].instructions
    (returned,) = [it for it in await launch.events() if isinstance(it, ToolReturned)]
    assert returned.summary == launch.plan[:4] + "…"


async def test_a_turn_is_an_ordinary_run_that_composes_with_all_that_an_agent_has(launch: Launch) -> None:
    """RN-24, RN-06, RN-21: another capability, an output type, settings; what is no text is not posted."""

    class Count(BaseModel):
        tasks: int

    hooks, steps = Hooks[Session[None]](), []

    @hooks.on.before_model_request
    async def count(ctx: RunContext[Session[None]], request_context: ModelRequestContext) -> ModelRequestContext:
        steps.append(request_context.model_settings)
        return request_context

    own = Script([call("final_result", tasks=0)])
    counting = Agent(
        own.model,
        deps_type=Session[None],
        output_type=Count,
        model_settings={"temperature": 0.5},
        capabilities=[ArtifactWorkspace(types=[Plan]), hooks],
    )
    async with Runner(counting, app=None) as its_runner:
        sent = await its_runner.send(launch.ws, launch.thread.id, "How many?")
        assert sent.run is not None
        assert (await sent.run.wait()).output == Count(tasks=0)
    assert [settings and settings.get("temperature") for settings in steps] == [0.5]
    assert [it.content for it in await launch.events() if isinstance(it, MessagePosted)] == ["How many?"]
    (ended,) = [it for it in await launch.events() if isinstance(it, RunEnded)]
    assert ended.status is RunStatus.COMPLETED


async def test_a_tool_submits_a_change_or_proposes_it(launch: Launch) -> None:
    """GT-05, PR-10: with a sentence for the model, and a rationale for whoever reviews it."""

    async def add(ctx: RunContext[Session[None]], title: str, *, propose: bool) -> str:
        """Add a task."""
        plan = await ctx.deps.workspace.get(Plan, launch.plan)
        change = plan.edit(lambda p: p.add_task(title))
        return describe_outcome(await submit(ctx.deps.workspace, change, propose=propose, rationale="it is late"))

    applied = await launch.runs_tool(add, title="one", propose=False)
    assert applied.asked[1].returns[0].text == f"Done. {launch.plan} is now at version 2."
    proposed = await launch.runs_tool(add, title="two", propose=True)
    (proposal,) = await launch.ws.proposals()
    assert (proposal.rationale, proposal.summary) == ("it is late", "added two")
    assert proposal.id in proposed.asked[1].returns[0].text
    assert (await launch.ws.get(Plan, launch.plan)).version == 2


async def test_a_write_of_an_overtaken_run_is_refused_and_fails_it(launch: Launch) -> None:
    """MP-21, RN-14: by an application's tool, which knows nothing of claims."""

    async def add_too_late(ctx: RunContext[Session[None]]) -> str:
        """Add a task after somebody else has taken the thread."""
        plan = await ctx.deps.workspace.get(Plan, launch.plan)
        assert ctx.deps.claim is not None
        await launch.ws.barrier(replace(ctx.deps.claim, token=ctx.deps.claim.token + 1))
        return describe_outcome(await ctx.deps.workspace.commit(plan.edit(lambda p: p.add_task("too late"))))

    await launch.runs_tool(add_too_late)
    (ended,) = [it for it in await launch.events() if isinstance(it, RunEnded)]
    assert ended.status is RunStatus.FAILED
    assert (await launch.ws.get(Plan, launch.plan)).version == 1


async def test_a_message_runs_the_agent_and_the_result_is_pydantic_ais(launch: Launch) -> None:
    """TH-04, TH-06, RN-21."""
    launch.script.add("Tasks it is.")
    await GUIDE.run("Running the agent", launch.names)
    assert launch.names["result"].output == "Tasks it is."
    posted = {it.message_id for it in await launch.events() if isinstance(it, MessagePosted)}
    assert launch.names["sent"].outcome.id in posted


async def test_the_capability_works_in_any_run(launch: Launch) -> None:
    """RN-18, RN-22, HI-05: recorded and saved alike, after what the thread remembers; its prompt is not posted."""
    await launch.runs("One task is open.")
    launch.script.add(call("add_task", plan_id=launch.plan, title="Write the docs"), "It is added.")
    launch.names["deps"] = launch.names["AppDeps"](search=SearchClient())
    await GUIDE.run("Running without a runner", launch.names)

    result = launch.names["result"]
    assert result.output == "It is added."
    assert len(result.all_messages()) == 6
    assert (await launch.ws.get(Plan, launch.plan)).version == 2
    events = await launch.events()
    assert [it.trigger for it in events if isinstance(it, RunStarted)] == [RunTrigger.MESSAGE, RunTrigger.API]
    posted = [it.content for it in events if isinstance(it, MessagePosted)]
    assert "Summarize the plan's open tasks." not in posted
    assert posted[-1] == "It is added."
    assert len(await load_history(launch.ws, launch.thread.id)) == 6


async def test_the_tools_for_native_files_are_a_toolset(launch: Launch, files_channel: grpc.aio.Channel) -> None:
    """A-01, A-08: offered while the app is on."""
    names: Names = {"files_channel": files_channel}
    await GUIDE.run("Native files", names)
    own = Script(["I see them."])
    agent = Agent(
        own.model, deps_type=Session[None], toolsets=[names["file_tools"]], capabilities=[ArtifactWorkspace()]
    )
    await agent.run("?", deps=Session.start(launch.ws, launch.thread.id, app=None))
    assert {"read_native", "read_review", "find_commands", "edit_native", "view_page"} <= own.asked[0].tools
