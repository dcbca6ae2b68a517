"""What any kind of run leaves in a thread's history, providers take with the next message."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import pytest
from artifactr import ArtifactWorkspace, Runner, Session
from artifactr.agent import load_history
from artifactr.core import AnswerDeferred
from artifactr.core.actors import AgentActor
from artifactr.core.events import DeferredKind, RunTrigger, ToolCalled
from artifactr.core.runs import Run
from artifactr.core.segments import SegmentStart
from artifactr.testing import Answer, Script, call
from lattice.type.v1.actor_pb2 import Actor, UserActor
from pydantic_ai import Agent, ModelMessage, ModelRetry, ToolCallPart, ToolFailed, models
from pydantic_ai.messages import ModelMessagesTypeAdapter, repair_messages
from unit.artifactr_agent.conversation import Asking, Conversation
from unit.artifactr_agent.providers import Providers
from unit.artifactr_agent.scripted_files import ARTIFACT

pytestmark = pytest.mark.long

BOB = Actor(user=UserActor(id="bob", name="Bob"))
Past = Callable[[Conversation], Awaitable[object]]


def read() -> list[ToolCallPart]:
    return call("read_native", artifact_id=ARTIFACT)


def ask() -> list[ToolCallPart]:
    return call("ask_user", question="When?")


def publish(channel: str = "news") -> list[ToolCallPart]:
    return call("publish", channel=channel)


async def it_completed(conversation: Conversation) -> None:
    await conversation.ask(read(), "Read.")


async def it_made_calls_side_by_side(conversation: Conversation) -> None:
    page = call("view_page", artifact_id=ARTIFACT, page=1)
    await conversation.ask([*read(), *page, *call("find_commands", query="x")], "Seen.")


async def it_called_what_there_is_not(conversation: Conversation) -> None:
    unknown = [*call("functions.read it!", a=1), *call(""), *read(), *call("read_native", start="first")]
    await conversation.ask(
        unknown, [ToolCallPart(tool_name="read_native", args='{"artifact_id": "art')], read(), "Read."
    )


async def its_tools_said_nothing_or_no(conversation: Conversation) -> None:
    async def nothing() -> str:
        """Say nothing."""
        return ""

    async def again() -> str:
        """Ask for another try."""
        raise ModelRetry(" ")

    async def failing() -> str:
        """Fail."""
        raise ToolFailed("no")

    script = Script([[*call("nothing"), *call("failing")], call("again"), "I see."])
    async with conversation.runner(script, nothing, again, failing) as runner:
        await asyncio.wait({(await conversation.say(runner)).ended})


async def it_had_nothing_to_say(conversation: Conversation) -> None:
    await conversation.ask(" \n", "")
    await conversation.ask([*read()], " ", words="Once more.")


async def a_tool_failed_it(conversation: Conversation) -> None:
    async def broken() -> str:
        """Break."""
        raise LookupError("it is broken")

    script = Script([[*read(), *call("broken"), *read()]])
    async with conversation.runner(script, broken) as runner:
        await asyncio.wait({(await conversation.say(runner)).ended})


async def the_model_failed(conversation: Conversation) -> None:
    async def overloaded() -> Sequence[ToolCallPart]:
        raise RuntimeError("overloaded")

    await conversation.ask(read(), overloaded)
    await conversation.ask(overloaded, words="Once more.")


async def it_was_stopped_in_the_middle_of_calls(conversation: Conversation) -> None:
    waits = asyncio.Event()

    async def slow() -> str:
        """Take long."""
        waits.set()
        await asyncio.Event().wait()
        return "never"

    async with conversation.runner(Script([[*read(), *call("slow"), *call("slow")]]), slow) as runner:
        run = await conversation.say(runner)
        await waits.wait()
        await runner.stop(conversation.alice, run.run_id)


async def it_was_steered(conversation: Conversation) -> None:
    async def meanwhile() -> Sequence[ToolCallPart]:
        for words in ("Be brief.", "And kind."):
            await conversation.alice.post_message(conversation.thread.id, words)
            await conversation.alice.ingest(conversation.brief.change(BOB, "moved the launch"))
        return read()

    async def at_the_end() -> str:
        await conversation.alice.ingest(conversation.brief.change(BOB, "moved it again"))
        return "Done."

    await conversation.ask(read(), meanwhile, at_the_end, "I saw it.")


async def it_was_answered(conversation: Conversation) -> None:
    agent = _asking(conversation, [*read(), *ask(), *publish(), *publish("board")], "All done.")
    run = await agent.pause()
    question, news, board = run.pending
    await agent.answered(
        AnswerDeferred(run_id=run.id, tool_call_id=question.tool_call_id, answer="Monday"),
        AnswerDeferred(run_id=run.id, tool_call_id=news.tool_call_id, approved=True),
        AnswerDeferred(run_id=run.id, tool_call_id=board.tool_call_id, approved=False),
    )


async def it_was_replied_to(conversation: Conversation) -> None:
    agent = _asking(conversation, [*ask(), *publish()], ask(), "All done.")
    await agent.pause()
    for words in ("On Monday.", "At noon."):
        conversation.brief.change(BOB, words)
        async with agent.runner() as runner:
            sent = await runner.send(conversation.alice, conversation.thread.id, words)
            assert sent.run is not None
            await sent.run.wait()


async def it_waits(conversation: Conversation) -> None:
    await _asking(conversation, [*ask(), *publish()]).pause()


async def its_pause_was_stopped(conversation: Conversation) -> None:
    agent = _asking(conversation, [*read(), *ask(), *publish()])
    run = await agent.pause()
    async with agent.runner() as runner:
        await runner.stop(conversation.alice, run.id)


async def it_failed_once_it_was_resumed(conversation: Conversation) -> None:
    agent = _asking(conversation, [*ask(), *publish("closed")])
    run = await agent.pause()
    with pytest.raises(LookupError):
        await agent.answered(_answer(run, DeferredKind.QUESTION), _answer(run, DeferredKind.APPROVAL))


async def its_process_died(conversation: Conversation) -> None:
    asked = await conversation.alice.post_message(conversation.thread.id, "Move the launch.")
    await _dies(conversation, "run_dead", RunTrigger.MESSAGE, "edit_native", taken=asked.log_sequence)


async def its_process_died_once_it_was_resumed(conversation: Conversation) -> None:
    run = await _asking(conversation, [*ask(), *publish()]).pause()
    for request in run.pending:
        await conversation.alice.commit(_answer(run, request.kind))
    await _dies(conversation, run.id, RunTrigger.RESUME, "publish")


PASTS: Sequence[Past] = (
    it_completed,
    it_made_calls_side_by_side,
    it_called_what_there_is_not,
    its_tools_said_nothing_or_no,
    it_had_nothing_to_say,
    a_tool_failed_it,
    the_model_failed,
    it_was_stopped_in_the_middle_of_calls,
    it_was_steered,
    it_was_answered,
    it_was_replied_to,
    it_waits,
    its_pause_was_stopped,
    it_failed_once_it_was_resumed,
    its_process_died,
    its_process_died_once_it_was_resumed,
)


@pytest.fixture(scope="module")
def asked() -> Providers:
    return Providers()


@pytest.mark.parametrize("past", PASTS, ids=lambda past: past.__name__)
async def test_providers_take_what_a_run_leaves(conversation: Conversation, asked: Providers, past: Past) -> None:
    """HI-03, HI-05, HI-06: the history as the model library validates and repairs it, and as adapters send it.

    So with what a budget leaves of it: whatever it leaves out, a call goes with its return [HI-01].
    """
    await past(conversation)
    for capability in (ArtifactWorkspace(), ArtifactWorkspace(max_history_tokens=200)):
        await _goes_on(conversation, asked, capability)
    history = await load_history(conversation.alice, conversation.thread.id)
    assert ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(history)) == history
    assert _parts(repair_messages(history)) == _parts(history)


async def _goes_on(conversation: Conversation, asked: Providers, capability: ArtifactWorkspace) -> None:
    """Send a message about which every provider is asked."""
    agent = Agent(asked.model, deps_type=Session[None], capabilities=[capability])
    with models.override_allow_model_requests(allow_model_requests=True):
        async with Runner(agent, app=None) as runner:
            sent = await runner.send(conversation.alice, conversation.thread.id, "Go on.")
            assert sent.run is not None
            assert (await sent.run.wait()).output == "Gone on."
    asked.require_that_they_take_it()


def _parts(history: Sequence[ModelMessage]) -> list[object]:
    return [part for message in history for part in message.parts]


def _asking(conversation: Conversation, *answers: Answer) -> Asking:
    return Asking(conversation, Script(answers))


def _answer(run: Run, kind: DeferredKind) -> AnswerDeferred:
    request = next(it for it in run.pending if it.kind is kind)
    if kind is DeferredKind.QUESTION:
        return AnswerDeferred(run_id=run.id, tool_call_id=request.tool_call_id, answer="Monday")
    return AnswerDeferred(run_id=run.id, tool_call_id=request.tool_call_id, approved=True)


async def _dies(conversation: Conversation, run_id: str, trigger: RunTrigger, tool: str, *, taken: int = 0) -> None:
    """A segment whose process dies in the middle of two calls, the arguments of one longer than a summary."""
    alice, thread_id = conversation.alice, conversation.thread.id
    claim = await alice.claim_thread(thread_id, holder=run_id, ttl=timedelta(seconds=30))
    dying = alice.acting_as(AgentActor(thread_id=thread_id, run_id=run_id))
    start = SegmentStart(run_id=run_id, thread_id=thread_id, trigger=trigger, taken=taken, claim=claim)
    await dying.start_segment(start)
    clipped = '{"summary":"' + "x" * 187 + "…"
    for number, summary in enumerate(("", clipped)):
        await dying.record(
            ToolCalled(
                run_id=run_id,
                thread_id=thread_id,
                tool_call_id=f"{run_id}_{number}",
                tool_name=tool,
                arguments_summary=summary,
            )
        )
    await alice.release_claim(claim)
