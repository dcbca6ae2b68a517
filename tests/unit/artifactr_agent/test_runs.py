"""What a run leaves on the log and in the history, whatever its end."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import uuid4

import artifactr
import artifactr.testing
import pytest
from artifactr import ArtifactWorkspace, Session
from artifactr.agent import load_history
from artifactr.core.actors import AgentActor, agent_of
from artifactr.core.commands import Command, Recorded
from artifactr.core.events import (
    ArtifactChanged,
    FocusChanged,
    MessagePosted,
    RunEnded,
    RunStarted,
    RunStatus,
    RunTrigger,
    ThreadCreated,
    ToolCalled,
    ToolReturned,
    ToolStatus,
)
from artifactr.core.rejections import InvalidState
from artifactr.core.segments import SegmentStart
from artifactr.testing import Script, call
from artifactr.workspace import Request, Workspace
from lattice.type.v1.actor_pb2 import Actor, UserActor
from pydantic_ai import Agent, ModelRetry, RunCancelled, ToolFailed
from pydantic_ai.messages import ModelRequest, ModelResponse, ToolReturnPart
from unit.artifactr_agent.conversation import Conversation
from unit.artifactr_agent.scripted_files import ARTIFACT

BOB = Actor(user=UserActor(id="bob", name="Bob"))


async def test_a_run_is_on_the_record_in_order(conversation: Conversation) -> None:
    """RN-05, RE-05: attributed to the thread's agent, with the usage at its end."""
    commands = [{"command": "x"}]
    edit = call("edit_native", artifact_id=ARTIFACT, base_version=1, commands=commands, summary="moved the launch")
    await conversation.ask(edit, "It is moved.")
    events = await conversation.events()
    assert [type(event) for event in events] == [
        ThreadCreated,
        MessagePosted,
        RunStarted,
        ToolCalled,
        FocusChanged,
        ArtifactChanged,
        ToolReturned,
        MessagePosted,
        RunEnded,
    ]
    started, ended = events[2], await conversation.ended()
    assert isinstance(started, RunStarted)
    assert started.trigger is RunTrigger.MESSAGE
    assert ended.status is RunStatus.COMPLETED
    assert ended.usage is not None
    assert ended.usage.requests == 2
    run = [envelope for envelope in await conversation.alice.read() if envelope.run_id == started.run_id]
    assert {envelope.actor.participant for envelope in run} == {agent_of(conversation.thread.id)}


async def test_the_next_run_remembers_the_one_before(conversation: Conversation) -> None:
    """HI-01, HI-05: without the instructions, which are rendered anew."""
    await conversation.ask(call("list_artifacts"), "One file.", words="What is here?")
    history = await load_history(conversation.alice, conversation.thread.id)
    assert [type(message) for message in history] == [ModelRequest, ModelResponse, ModelRequest, ModelResponse]
    assert all(message.instructions is None for message in history if isinstance(message, ModelRequest))
    script = await conversation.ask("Again.", words="And now?")
    assert script.asked[0].prompts == ["And now?"]
    assert len(await conversation.alice.history(conversation.thread.id)) == 2


async def test_an_exception_fails_the_run_with_its_text_and_keeps_the_history(conversation: Conversation) -> None:
    """RN-17, HI-03, HI-06, RE-03: open calls are closed, so the next prompt is taken."""

    async def break_down() -> str:
        raise LookupError("the shelf is empty")

    async with conversation.runner(Script([call("break_down"), "Never said."]), break_down) as runner:
        with pytest.raises(LookupError):
            await (await conversation.say(runner)).wait()
    ended = await conversation.ended()
    assert (ended.status, ended.error) == (RunStatus.FAILED, "the shelf is empty")
    assert [it.status for it in await conversation.returned()] == [ToolStatus.ERROR]
    history = await load_history(conversation.alice, conversation.thread.id)
    assert isinstance(history[-1].parts[-1], ToolReturnPart)
    after = await conversation.ask("Yes.", words="Are you well?")
    assert after.asked[0].prompts == ["Are you well?"]


async def test_a_stopped_run_is_recorded_with_its_open_calls_closed(conversation: Conversation) -> None:
    """RN-16, RN-17, RE-01, HI-03: once stop returns, its end is recorded."""
    reached = asyncio.Event()

    async def wait_for_ever() -> str:
        reached.set()
        await asyncio.Event().wait()
        return "never"

    async with conversation.runner(Script([call("wait_for_ever"), "Never said."]), wait_for_ever) as runner:
        run = await conversation.say(runner)
        await reached.wait()
        assert await runner.stop(conversation.alice, run.run_id)
        assert (await conversation.ended()).status is RunStatus.STOPPED
        assert [it.status for it in await conversation.returned()] == [ToolStatus.ERROR]
        with pytest.raises(RunCancelled):
            await run.wait()
        with pytest.raises(InvalidState):
            await runner.stop(conversation.alice, run.run_id)
    assert len(await load_history(conversation.alice, conversation.thread.id)) == 3


async def test_a_run_that_is_stopped_before_its_first_request_leaves_its_prompt(conversation: Conversation) -> None:
    """HI-03, TH-10: the message is taken, so the next turn has to find it in the history."""
    script = Script(["Both."])
    async with conversation.runner(script) as runner:
        run = await conversation.say(runner, "Remember the date.")
        run.token.cancel()
        await asyncio.wait({run.ended})
        assert not script.asked
        await (await conversation.say(runner, "And the place.")).wait()
    assert script.asked[0].prompts == ["Remember the date.", "And the place."]


async def test_a_runner_that_is_closed_while_a_message_is_posted_starts_nothing(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RN-20, TH-08: the message is recorded, and taken up elsewhere; nobody would record the end of a run."""
    runner = conversation.runner(Script(["Never."]))
    post = Workspace.commit

    async def post_while_it_closes(self: Workspace, command: Command, *, request: Request | None = None) -> Recorded:
        recorded = await post(self, command, request=request)
        await runner.aclose()
        return recorded

    monkeypatch.setattr(Workspace, "commit", post_while_it_closes)
    sent = await runner.send(conversation.alice, conversation.thread.id, "Hello?")
    assert sent.run is None
    events = await conversation.events()
    assert [type(it) for it in events if isinstance(it, MessagePosted | RunStarted)] == [MessagePosted]


async def test_closing_a_runner_stops_its_runs(conversation: Conversation) -> None:
    """RN-20."""

    async def wait() -> str:
        await asyncio.Event().wait()
        return "never"

    async with conversation.runner(Script([wait])) as runner:
        await conversation.say(runner)
    assert (await conversation.ended()).status is RunStatus.STOPPED


async def test_the_end_of_whoever_asked_does_not_end_the_run(conversation: Conversation) -> None:
    """RN-19."""
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def answer_later() -> str:
        asked.set()
        await go_on.wait()
        return "Done."

    async with conversation.runner(Script([answer_later])) as runner:
        run = await conversation.say(runner)
        waiting = asyncio.create_task(run.wait())
        await asked.wait()
        waiting.cancel()
        go_on.set()
        assert (await run.wait()).output == "Done."


async def test_what_a_tool_itself_asks_for_is_recorded_as_such(conversation: Conversation) -> None:
    """GT-04, RE-03: a retry, and the failure of one call."""

    async def unsure() -> str:
        raise ModelRetry("say it differently")

    async def hopeless() -> str:
        raise ToolFailed("it is gone")

    script = Script([call("unsure"), call("hopeless"), "Well."])
    async with conversation.runner(script, unsure, hopeless) as runner:
        await (await conversation.say(runner)).wait()
    returned = [(it.tool_name, it.status) for it in await conversation.returned()]
    assert returned == [("unsure", ToolStatus.RETRY), ("hopeless", ToolStatus.ERROR)]


async def test_summaries_are_clipped_to_two_hundred_characters(conversation: Conversation) -> None:
    """RE-02, RE-04."""
    conversation.brief.text = "a" * 5_000
    await conversation.ask(call("read_native", artifact_id=ARTIFACT), "Long.")
    (returned,) = await conversation.returned()
    assert len(returned.summary) == 200
    assert returned.summary.endswith("…")


async def test_arguments_that_do_not_fit_are_on_the_record(conversation: Conversation) -> None:
    """RE-01: the tool did not run."""
    await conversation.ask(call("read_native", artifact_id=ARTIFACT, start="soon"), "Sorry.")
    assert [it.status for it in await conversation.returned()] == [ToolStatus.RETRY]


async def test_a_direct_run_is_recorded_and_its_prompt_is_not_posted(conversation: Conversation) -> None:
    """RN-18."""
    script = Script([call("list_artifacts"), "One file."])
    agent = Agent(script.model, deps_type=Session[None], capabilities=[ArtifactWorkspace()])
    session = Session.start(conversation.alice, conversation.thread.id, app=None)
    await agent.run("What is here?", deps=session)
    events = await conversation.events()
    started = next(event for event in events if isinstance(event, RunStarted))
    assert started.trigger is RunTrigger.API
    assert [event.content for event in events if isinstance(event, MessagePosted)] == ["One file."]
    assert len(await load_history(conversation.alice, conversation.thread.id)) == 4


async def test_a_run_that_cannot_start_consumes_nothing(
    conversation: Conversation, eventually: Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]
) -> None:
    """TH-10, MP-15, TH-08: the message is recorded, and the next turn takes it; the later one then steers that turn."""
    script = Script(["Both heard."])
    async with conversation.runner(script) as runner:
        conversation.brief.reachable = False
        assert (await runner.send(conversation.alice, conversation.thread.id, "First.")).run is None
        assert not [event for event in await conversation.events() if isinstance(event, RunStarted)]
        conversation.brief.reachable = True
        assert (await runner.send(conversation.alice, conversation.thread.id, "Second.")).run is None
        await eventually(conversation.has_ended)
    assert script.asked[0].prompts == ["First.", "Second."]


async def test_a_message_right_after_the_end_starts_the_next_run(conversation: Conversation) -> None:
    """TH-04: though the claim may still be held for a moment."""
    async with conversation.runner(Script(["One.", "Two.", "Three."])) as runner:
        outputs = [(await (await conversation.say(runner, words)).wait()).output for words in ("1", "2", "3")]
    assert outputs == ["One.", "Two.", "Three."]


async def test_a_message_sent_twice_at_once_starts_one_run(conversation: Conversation) -> None:
    """ID-03: both senders learn of it."""
    request = Request(id=str(uuid4()), method="send", digest=b"the same")
    async with conversation.runner(Script(["Once."])) as runner:
        sending = [runner.send(conversation.alice, conversation.thread.id, "Hello.", request=request) for _ in "12"]
        first, second = await asyncio.gather(*sending)
        assert first.outcome == second.outcome
        (run,) = {sent.run for sent in (first, second) if sent.run is not None}
        await run.wait()
    started = [event for event in await conversation.events() if isinstance(event, RunStarted)]
    assert len(started) == 1


async def test_a_thread_that_another_process_has_claimed_starts_no_run(conversation: Conversation) -> None:
    """TH-05, RN-08."""
    async with (
        conversation.runner(Script(["Never said."])) as runner,
        conversation.alice.holding_thread(conversation.thread.id),
    ):
        assert (await runner.send(conversation.alice, conversation.thread.id, "Hello?")).run is None
    assert not [event for event in await conversation.events() if isinstance(event, RunStarted)]


async def test_a_run_whose_process_died_is_told_of_in_the_history_of_the_next(conversation: Conversation) -> None:
    """RN-13, HI-03: its message, each call with its known outcome, and a mark that it was cut off."""
    alice, thread = conversation.alice, conversation.thread
    asked = await alice.post_message(thread.id, "Move the launch.")
    claim = await alice.claim_thread(thread.id, holder="a dead process", ttl=timedelta(milliseconds=1))
    run = {"run_id": "run_dead", "thread_id": thread.id}
    dead = alice.acting_as(AgentActor(thread_id=thread.id, run_id="run_dead"))
    start = SegmentStart(
        run_id="run_dead", thread_id=thread.id, trigger=RunTrigger.MESSAGE, taken=asked.log_sequence, claim=claim
    )
    await dead.start_segment(start)
    await dead.record(ToolCalled(**run, tool_call_id="call_1", tool_name="edit_native", arguments_summary="{}"))

    script = await conversation.ask("I was cut off.", words="Are you there?")
    ended = next(event for event in await conversation.events() if isinstance(event, RunEnded))
    assert (ended.run_id, ended.status, ended.reason) == ("run_dead", RunStatus.FAILED, "abandoned")
    history = await load_history(alice, thread.id)
    remembered = [part for message in history for part in message.parts]
    assert [part.part_kind for part in remembered] == [
        "user-prompt",
        "tool-call",
        "tool-return",
        "text",
        "user-prompt",
        "text",
    ]
    assert "unknown" in str(remembered[2])
    assert script.asked[0].prompts == ["Are you there?"]


def test_the_public_names_are_these() -> None:
    assert sorted(artifactr.__all__) == [
        "Applied",
        "Artifact",
        "ArtifactWorkspace",
        "Live",
        "LiveBuffers",
        "NativeFiles",
        "Outcome",
        "Proposed",
        "Resolved",
        "RunHandle",
        "Runner",
        "Sent",
        "Session",
        "TextArtifact",
        "Workspace",
        "Workspaces",
        "open_workspaces",
    ]
    assert sorted(artifactr.testing.__all__) == [
        "Administrator",
        "Answer",
        "Asked",
        "Lattice",
        "Log",
        "Returned",
        "Script",
        "ScriptEnded",
        "ToolCall",
        "call",
        "running_lattice",
    ]


@pytest.mark.parametrize(
    ("grace", "status", "reason"), [(30, RunStatus.COMPLETED, ""), (0, RunStatus.STOPPED, "shutdown")]
)
async def test_a_runner_that_closes_lets_its_runs_end_within_the_grace(
    conversation: Conversation, grace: int, status: RunStatus, reason: str
) -> None:
    """RN-17, RN-20: what takes longer is stopped, and its end says why."""
    asked, closing = asyncio.Event(), asyncio.Event()

    async def in_time() -> str:
        asked.set()
        await closing.wait()
        await asyncio.sleep(0.05)
        return "Done."

    runner = conversation.runner(Script([in_time]))
    await conversation.say(runner)
    await asked.wait()
    closing.set()
    await runner.aclose(grace=timedelta(seconds=grace))
    ended = await conversation.ended()
    assert (ended.status, ended.reason) == (status, reason)


async def test_a_runner_that_closes_ends_the_runs_of_all_its_threads(conversation: Conversation) -> None:
    """RN-17, RN-20: one that ends within the grace is not stopped for the sake of one that does not."""
    asked, closing = asyncio.Barrier(3), asyncio.Event()

    async def in_time() -> str:
        await asked.wait()
        await closing.wait()
        return "Done."

    async def too_long() -> str:
        await asked.wait()
        await asyncio.Event().wait()
        return "Never said."

    alice, other = conversation.alice, await conversation.alice.create_thread("Another")
    runner = conversation.runner(Script([in_time, too_long]))
    first = await runner.send(alice, conversation.thread.id, "Quickly.")
    second = await runner.send(alice, other.id, "At length.")
    await asked.wait()
    closing.set()
    await runner.aclose(grace=timedelta(seconds=1))
    ends = [await alice.run(sent.run.run_id) for sent in (first, second) if sent.run is not None]
    assert sorted((it.status, it.reason) for it in ends) == [
        (RunStatus.COMPLETED, ""),
        (RunStatus.STOPPED, "shutdown"),
    ]
