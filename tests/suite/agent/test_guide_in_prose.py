"""What docs/guide.md states in prose and no other test claims."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest
from artifactr import Applied, ArtifactWorkspace, Runner, Session
from artifactr.agent import describe_outcome, load_history
from artifactr.core import RejectProposal
from artifactr.core.actors import UserActor, agent_of
from artifactr.core.events import DeferredKind, MessagePosted, RunEnded, RunPaused, RunStatus, ToolReturned, ToolStatus
from artifactr.core.rejections import ThreadBusy
from artifactr.testing import Log, Script, call
from pydantic.errors import PydanticSchemaGenerationError
from pydantic_ai import Agent, CallDeferred, DeferredToolRequests, RunContext, Tool, ToolCallPart, ToolFailed
from suite.agent.guide import Guide
from suite.agent.planning import TYPES, Brief, Plan, Planning, ReleaseNotes
from typing_extensions import TypeAliasType
from unit.artifactr_agent.test_live_output import Attended

BOB = UserActor(id="bob", name="Bob")


def runner_of(
    script: Script, *tools: Callable[..., Awaitable[str]], ask: bool = False
) -> Runner[None, str | DeferredToolRequests]:
    """A runner of an agent with some tools of its own."""
    agent = Agent(
        script.model,
        deps_type=Session[None],
        output_type=[str, DeferredToolRequests],
        tools=tools,
        capabilities=[ArtifactWorkspace(types=TYPES, ask=ask)],
    )
    return Runner(agent, app=None)


async def runs(planning: Planning, script: Script, *tools: Callable[..., Awaitable[str]]) -> None:
    """Send a message to such an agent, and wait until its run has ended in whatever way."""
    async with runner_of(script, *tools) as runner:
        sent = await runner.send(planning.alice, planning.thread.id, "Please.")
        assert sent.run is not None
        await asyncio.wait({sent.run.ended})


async def test_instructions_are_never_stale_within_a_run(planning: Planning) -> None:
    """IN-01, IN-02: what a person changed meanwhile stands in the next request, at its new version."""
    brief = await planning.creates(Brief(text="Launch in May."))

    async def alice_changes_it() -> Sequence[ToolCallPart]:
        await planning.changes_text(brief, "Launch in June.")
        return call("list_artifacts")

    script = await planning.ask(call("read_artifact", artifact_id=brief), alice_changes_it, "I see.")
    shown = [f'version="{number}">\nLaunch in {month}.' for number, month in ((1, "May"), (2, "June"))]
    assert [[it in asked.instructions for it in shown] for asked in script.asked] == [
        [False, False],
        [True, False],
        [False, True],
    ]


async def test_notes_read_as_the_guide_shows_them(planning: Planning) -> None:
    """CN-01, CN-06, CN-07: one element, one line each, in the order of the log."""
    plan, notes = await planning.creates(Plan(title="Launch")), await planning.creates(ReleaseNotes(text="New: x."))
    edit = call("edit_text", artifact_id=notes, old="x", new="y")
    await planning.ask(call("read_artifact", artifact_id=plan), edit, "Proposed.")
    alices = await planning.alice.get(Plan, plan)
    await planning.alice.commit(alices.edit(lambda it: it.add_task("Ship v1")))
    (own,) = await planning.alice.proposals(proposer=agent_of(planning.thread.id))
    await planning.alice.commit(RejectProposal(proposal_id=own.id, reason="not before the beta"))

    script = await planning.ask("I see.")

    lines = [
        f"Alice changed {plan} (plan, v1 → v2): added Ship v1",
        f"Alice rejected your proposal {own.id} for {notes}: not before the beta",
    ]
    element = "\n".join(["<workspace-changes>", *(f"- {line}" for line in lines), "</workspace-changes>"])
    assert element in script.asked[0].prompts
    assert script.asked[0].notes == lines
    assert await Log(planning.alice).notes(planning.thread.id) == lines


async def test_what_others_create_in_the_thread_is_told_though_it_is_not_followed(planning: Planning) -> None:
    """CN-03: and nothing of what they create elsewhere."""
    await planning.ask("Hello.")
    bob = planning.alice.acting_as(BOB)
    here = await bob.commit(replace(Brief(text="x").create(), thread_id=planning.thread.id))
    await bob.commit(Brief(text="y").create())
    assert isinstance(here, Applied)
    script = await planning.ask("I see.")
    assert script.asked[0].notes == [f"Bob created {here.artifact_id} (brief, v1)"]


async def test_a_message_sent_to_another_process_steers_the_run_where_it_is(planning: Planning) -> None:
    """TH-05, TH-06, RN-08: no second run starts."""
    elsewhere = runner_of(Script())

    async def alice_adds_something() -> Sequence[ToolCallPart]:
        sent = await elsewhere.send(planning.alice, planning.thread.id, "Be brief.")
        assert sent.run is None
        return call("list_artifacts")

    script = await planning.ask(alice_adds_something, "Brief.")
    await elsewhere.aclose()
    assert script.asked[1].prompts == ["Be brief."]
    assert len(await Log(planning.alice).events(RunEnded)) == 1


async def test_a_message_posted_before_a_direct_run_reaches_it_beside_its_prompt(planning: Planning) -> None:
    """TH-07, TH-08, RN-18: as any message in its thread; the next turn of a runner does not take it again."""
    script = Script(["One is open.", "You are welcome."])
    agent = Agent(script.model, deps_type=Session[None], capabilities=[ArtifactWorkspace()])
    ws, thread = planning.alice, planning.thread
    await ws.post_message(thread.id, "How many are open?")
    history = await load_history(ws, thread.id)
    await agent.run("Count the tasks.", deps=Session.start(ws, thread.id, app=None), message_history=history)
    assert script.asked[0].prompts == ["Count the tasks.", "How many are open?"]
    assert [it.content for it in await Log(ws).events(MessagePosted)] == ["How many are open?", "One is open."]
    async with Runner(agent, app=None) as runner:
        sent = await runner.send(ws, thread.id, "Thank you.")
        assert sent.run is not None
        await sent.run.wait()
    assert script.asked[1].prompts == ["Thank you."]


async def test_a_claim_keeps_direct_runs_of_a_thread_apart(planning: Planning) -> None:
    """RN-10, RN-18."""
    ws, thread = planning.alice, planning.thread
    claim = await ws.claim_thread(thread.id, holder="one")
    with pytest.raises(ThreadBusy):
        await ws.claim_thread(thread.id, holder="two")
    await ws.release_claim(claim)
    await ws.release_claim(await ws.claim_thread(thread.id, holder="two"))


async def test_an_applications_tool_proposes_where_the_type_says_so(planning: Planning) -> None:
    """AT-06, PR-10, GT-05: a policy binds every tool, and the run goes on."""
    notes = await planning.creates(ReleaseNotes(text="New: x."))

    async def rewrite(ctx: RunContext[Session[None]], text: str) -> str:
        """Write the notes anew."""
        read = await ctx.deps.workspace.get(ReleaseNotes, notes)
        return describe_outcome(await ctx.deps.workspace.commit(read.edit(lambda it: setattr(it, "text", text))))

    script = Script([call("rewrite", text="New: y."), "Proposed."])
    await runs(planning, script, rewrite)
    (proposal,) = await planning.alice.proposals(proposer=agent_of(planning.thread.id))
    assert proposal.id in script.asked[1].returns[0].text
    assert (await planning.alice.get(ReleaseNotes, notes)).text == "New: x."
    assert (await planning.ended()).status is RunStatus.COMPLETED


async def test_a_tool_may_fail_its_call_alone(planning: Planning) -> None:
    """GT-04: recorded as an error; the run goes on."""

    async def search(query: str) -> str:
        """Search."""
        raise ToolFailed(f"the index of {query} is away")

    script = Script([call("search", query="plans"), "It is away."])
    await runs(planning, script, search)
    assert script.asked[1].returns[0].text == "the index of plans is away"
    (returned,) = await Log(planning.alice).events(ToolReturned)
    assert returned.status is ToolStatus.ERROR
    assert (await planning.ended()).status is RunStatus.COMPLETED


def test_an_alias_hides_the_context_from_pydantic_ai() -> None:
    """GT-02: which takes it for an argument of the model's; so it is annotated literally."""

    async def literal(ctx: RunContext[Session[None]], title: str) -> str:
        """Never called."""
        return title

    async def hidden(ctx: object, title: str) -> str:
        """Never called."""
        return title

    hidden.__annotations__["ctx"] = TypeAliasType("Context", RunContext[Session[None]])
    assert Tool(literal).function_schema.takes_ctx
    with pytest.raises(PydanticSchemaGenerationError):
        Tool(hidden)


async def test_any_tool_that_defers_asks_a_question(planning: Planning) -> None:
    """PA-01: without `ask`, which only adds ask_user."""

    async def consult(lawyer: str) -> str:
        """Ask a lawyer, who answers in days."""
        raise CallDeferred

    script = Script([call("consult", lawyer="Eve")])
    await runs(planning, script, consult)
    assert "ask_user" not in script.asked[0].tools
    (paused,) = await Log(planning.alice).events(RunPaused)
    assert [(it.tool_name, it.kind, it.arguments) for it in paused.requests] == [
        ("consult", DeferredKind.QUESTION, '{"lawyer":"Eve"}')
    ]


async def test_the_words_of_a_run_are_watched_as_the_guide_does(
    planning: Planning, capsys: pytest.CaptureFixture[str]
) -> None:
    """LO-01, LO-04: by the guide's block."""
    live = Attended()

    async def once_somebody_watches() -> str:
        await live.attended.wait()
        return "Tasks it is, three of them."

    script = Script([call("list_artifacts"), once_somebody_watches])
    agent = Agent(script.model, deps_type=Session[None], capabilities=[ArtifactWorkspace()])
    async with Runner(agent, app=None, live=live) as runner:
        sent = await runner.send(planning.alice, planning.thread.id, "Please.")
        assert sent.run is not None
        await Guide().run("Live output", {"runner": runner, "ws": planning.alice, "run_id": sent.run.run_id})
    assert capsys.readouterr().out == "Tasks it is, three of them."
