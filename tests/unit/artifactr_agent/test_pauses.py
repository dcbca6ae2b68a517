"""Pauses: what a run asks people, how they answer, and how it goes on [17]."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from artifactr import Session, Workspace
from artifactr.agent import load_history
from artifactr.core import AnswerDeferred
from artifactr.core.actors import AgentActor, ExternalAgentActor, UserActor
from artifactr.core.events import (
    DeferredAnswered,
    DeferredKind,
    Event,
    MessagePosted,
    RunEnded,
    RunPaused,
    RunStarted,
    RunStatus,
    RunTrigger,
    ToolCalled,
    ToolReturned,
    ToolStatus,
)
from artifactr.core.rejections import Forbidden, InvalidState, NotFound, Rejection
from artifactr.core.runs import Run
from artifactr.core.segments import SegmentStart
from artifactr.testing import Answer, Script, call
from artifactr.workspace.pauses import NOT_ANSWERED, NOT_GONE_ON
from lattice.type.v1.actor_pb2 import Actor
from lattice.type.v1.actor_pb2 import UserActor as UserActorMessage
from pydantic_ai import CallDeferred, CallToolsNode, RunContext, ToolCallPart, UserError
from pydantic_ai.capabilities import AgentNode, Hooks
from pydantic_ai.messages import ToolReturnPart, UserPromptPart
from unit.artifactr_agent.conversation import Asking, Conversation
from unit.artifactr_agent.scripted_files import ARTIFACT

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

BOB = UserActor(id="bob", name="Bob")
ASK = call("ask_user", question="When?", choices=["Monday", "Friday"])
PUBLISH = call("publish", channel="news")


def asking(conversation: Conversation, *answers: Answer) -> Asking:
    return Asking(conversation, Script(answers))


def answer(run: Run, kind: DeferredKind, text: str = "", *, approved: bool | None = None) -> AnswerDeferred:
    """An answer to the run's request of that kind."""
    request = next(it for it in run.pending if it.kind is kind)
    return AnswerDeferred(run_id=run.id, tool_call_id=request.tool_call_id, answer=text, approved=approved)


async def recorded(conversation: Conversation) -> list[type[Event]]:
    """What the log tells of runs and tools, in order."""
    told = (RunStarted, ToolCalled, ToolReturned, RunPaused, DeferredAnswered, RunEnded)
    return [type(event) for event in await conversation.events() if isinstance(event, told)]


async def goes_on(conversation: Conversation) -> None:
    """The thread takes a new prompt, and every call in its history is answered once [HI-06]."""
    await conversation.ask("Yes.", words="Are you still there?")
    assert (await conversation.ended()).status is RunStatus.COMPLETED
    parts = [it for message in await load_history(conversation.alice, conversation.thread.id) for it in message.parts]
    called = [part.tool_call_id for part in parts if isinstance(part, ToolCallPart)]
    assert sorted(called) == sorted(part.tool_call_id for part in parts if isinstance(part, ToolReturnPart))


async def test_a_question_pauses_the_run_and_its_answer_goes_on_with_it(conversation: Conversation) -> None:
    """PA-01, PA-02, PA-03, PA-05, RN-07, RN-21, RE-07: under one id, in another process than the one that asked."""
    agent = asking(conversation, ASK, "Monday it is.")
    run = await agent.pause()
    (request,) = run.pending
    assert (run.status, request.tool_name, request.kind) == (RunStatus.PAUSED, "ask_user", DeferredKind.QUESTION)
    assert request.arguments == '{"question":"When?","choices":["Monday","Friday"]}'
    assert await agent.answered(answer(run, DeferredKind.QUESTION, "Monday")) == "Monday it is."
    assert await recorded(conversation) == [
        RunStarted,
        ToolCalled,
        RunPaused,
        DeferredAnswered,
        RunStarted,
        ToolReturned,
        RunEnded,
    ]
    events = await conversation.events()
    assert [it.trigger for it in events if isinstance(it, RunStarted)] == [RunTrigger.MESSAGE, RunTrigger.RESUME]
    assert len({it.run_id for it in events if isinstance(it, RunStarted | RunPaused | RunEnded)}) == 1
    assert [(it.status, it.summary) for it in await conversation.returned()] == [(ToolStatus.OK, "Monday")]
    assert [it.text for it in agent.script.asked[1].returns] == ["Monday"]
    assert len((await conversation.alice.run(run.id)).trace_ids) in (0, 2)
    await goes_on(conversation)


async def test_an_approved_call_runs_once_it_is_approved_and_a_declined_one_never(conversation: Conversation) -> None:
    """PA-05, AMB-29: a decline is a denial with its reason; nothing is recorded of a call that does not run."""
    both = [*PUBLISH, *call("publish", channel="board")]
    agent = asking(conversation, both, "One of them.")
    run = await agent.pause()
    assert await recorded(conversation) == [RunStarted, RunPaused]
    news, board = run.pending
    yes = AnswerDeferred(run_id=run.id, tool_call_id=news.tool_call_id, approved=True)
    no = AnswerDeferred(run_id=run.id, tool_call_id=board.tool_call_id, approved=False, answer="not before May")
    assert await agent.answered(no, yes) == "One of them."
    assert agent.published == ["news"]
    events = await conversation.events()
    assert [it.tool_call_id for it in events if isinstance(it, ToolCalled)] == [news.tool_call_id]
    assert [(it.tool_call_id, it.status) for it in await conversation.returned()] == [
        (board.tool_call_id, ToolStatus.RETRY),
        (news.tool_call_id, ToolStatus.OK),
    ]
    returns = {it.outcome: it.text for it in agent.script.asked[1].returns}
    assert returns["success"] == "Published to news."
    assert "not before May" in returns["denied"]
    await goes_on(conversation)


async def test_a_call_that_asks_for_leave_as_it_runs_is_on_the_record_once(conversation: Conversation) -> None:
    """RE-01: it was called before the pause, and returns after it."""
    agent = asking(conversation, call("spend", euros=500), "Spent.")
    run = await agent.pause()
    assert await agent.answered(answer(run, DeferredKind.APPROVAL, approved=True)) == "Spent."
    intents = [it.arguments_sha256 for it in await conversation.events() if isinstance(it, ToolCalled)]
    assert intents == [run.pending[0].arguments_sha256]
    told = [it.__name__ for it in await recorded(conversation)]
    assert (told.count("ToolCalled"), told.count("ToolReturned")) == (1, 1)
    assert [it.summary for it in await conversation.returned()] == ["Spent 500."]


async def test_calls_beside_the_one_that_waits_run_at_once_and_only_once(conversation: Conversation) -> None:
    """PA-02: their results wait in the history."""
    agent = asking(conversation, [*call("spend", euros=1), *ASK], "Monday.")
    run = await agent.pause()
    assert [it.summary for it in await conversation.returned()] == ["Spent 1."]
    assert await agent.answered(answer(run, DeferredKind.QUESTION, "Monday")) == "Monday."
    assert [it.summary for it in await conversation.returned()] == ["Spent 1.", "Monday"]
    await goes_on(conversation)


async def test_answers_given_at_once_resume_the_run_once(conversation: Conversation) -> None:
    """PA-05, PA-07: only the last one does, whichever it is."""
    agent = asking(conversation, [*ASK, *PUBLISH], "Done.")
    run = await agent.pause()
    async with agent.runner() as one, agent.runner() as other:
        sent = await asyncio.gather(
            one.answer(conversation.alice, answer(run, DeferredKind.QUESTION, "Monday")),
            other.answer(conversation.alice, answer(run, DeferredKind.APPROVAL, approved=True)),
        )
        (handle,) = [it.run for it in sent if it.run is not None]
        await handle.wait()
    assert [it.outcome.resumes for it in sent].count(True) == 1
    assert agent.published == ["news"]
    assert (await recorded(conversation)).count(RunStarted) == 2


async def test_a_message_in_a_paused_thread_is_the_reply(conversation: Conversation, alice: Workspace) -> None:
    """TH-04, TH-07, PA-06, PA-08: it answers what is open in its author's name, and leaves what was answered alone."""
    agent = asking(conversation, [*ASK, *call("ask_user", question="Where?"), *PUBLISH], "As you say.")
    run = await agent.pause()
    where = run.pending[1]
    bob = alice.acting_as(BOB)
    async with agent.runner() as runner:
        berlin = AnswerDeferred(run_id=run.id, tool_call_id=where.tool_call_id, answer="Berlin")
        assert (await runner.answer(alice, berlin)).run is None
        sent = await runner.send(bob, conversation.thread.id, "Friday, and keep it to us.")
        assert sent.run is not None
        assert sent.run.run_id == run.id
        await sent.run.wait()
    assert await alice.run_begun_by(sent.outcome.log_sequence) == run.id
    assert agent.published == []
    given = [(it.actor, it.event.answer) for it in await alice.read() if isinstance(it.event, DeferredAnswered)]
    assert given == [(alice.actor, "Berlin"), (BOB, "Friday, and keep it to us."), (BOB, "Friday, and keep it to us.")]
    assert [it.text for it in agent.script.asked[1].returns][:2] == ["Friday, and keep it to us.", "Berlin"]
    assert agent.script.asked[1].prompts == []
    await goes_on(conversation)


async def test_a_message_posted_directly_is_the_reply_of_the_next_turn(
    conversation: Conversation, alice: Workspace, eventually: Eventually
) -> None:
    """TH-07, TH-08, AMB-11: it starts nothing by itself; what comes after it steers the run that it resumed."""
    agent = asking(conversation, ASK, "Monday.")
    run = await agent.pause()
    await alice.post_message(conversation.thread.id, "Monday")
    assert (await alice.run(run.id)).status is RunStatus.PAUSED
    async with agent.runner() as runner:
        assert (await runner.send(alice, conversation.thread.id, "And hurry.")).run is None
        await eventually(conversation.has_ended)
    assert [it.text for it in agent.script.asked[1].returns] == ["Monday"]
    assert agent.script.asked[1].prompts == ["And hurry."]
    assert (await conversation.ended()).status is RunStatus.COMPLETED


async def test_an_external_agent_answers_questions_and_never_approvals(
    conversation: Conversation, alice: Workspace
) -> None:
    """AMB-28: what it says beside an open approval is heard once the run goes on; the own agent answers nothing."""
    agent = asking(conversation, [*ASK, *PUBLISH], "Published on Monday.")
    run = await agent.pause()
    crawler = alice.acting_as(ExternalAgentActor(client_id="crawler"))
    own = alice.acting_as(AgentActor(thread_id=conversation.thread.id))
    question = answer(run, DeferredKind.QUESTION, "Monday")
    approval = answer(run, DeferredKind.APPROVAL, approved=True)
    for actor, command in ((own, question), (own, approval), (crawler, approval)):
        with pytest.raises(Forbidden):
            await actor.commit(command)
    async with agent.runner() as runner:
        await runner.answer(crawler, question)
        assert (await runner.send(crawler, conversation.thread.id, "I would publish it.")).run is None
        sent = await runner.answer(alice, approval)
        assert sent.run is not None
        await sent.run.wait()
    assert agent.published == ["news"]
    assert agent.script.asked[1].prompts == ["I would publish it."]
    assert (await alice.thread(conversation.thread.id)).taken == await _position(alice, "I would publish it.")


async def test_an_answer_that_does_not_fit_is_refused_and_changes_nothing(conversation: Conversation) -> None:
    """PA-04."""
    agent = asking(conversation, [*ASK, *PUBLISH], "Done.")
    run = await agent.pause()
    question, approval = (it.tool_call_id for it in run.pending)
    refused: list[tuple[AnswerDeferred, type[Rejection]]] = [
        (AnswerDeferred(run_id="run_none", tool_call_id=question, answer="x"), NotFound),
        (AnswerDeferred(run_id=run.id, tool_call_id="call_none", answer="x"), NotFound),
        (AnswerDeferred(run_id=run.id, tool_call_id=question, approved=True), InvalidState),
        (AnswerDeferred(run_id=run.id, tool_call_id=question), InvalidState),
        (AnswerDeferred(run_id=run.id, tool_call_id=question, answer=" "), InvalidState),
        (AnswerDeferred(run_id=run.id, tool_call_id=approval, answer="yes"), InvalidState),
    ]
    head = await conversation.alice.head()
    for command, refusal in refused:
        with pytest.raises(refusal):
            await conversation.alice.commit(command)
    assert await conversation.alice.head() == head
    await conversation.alice.commit(answer(run, DeferredKind.QUESTION, "Monday"))
    with pytest.raises(InvalidState):
        await conversation.alice.commit(answer(run, DeferredKind.QUESTION, "Friday"))
    assert await agent.answered(answer(run, DeferredKind.APPROVAL, approved=True)) == "Done."
    with pytest.raises(InvalidState):
        await conversation.alice.commit(answer(run, DeferredKind.APPROVAL, approved=True))


async def test_what_changed_during_the_pause_is_told_with_the_answer(conversation: Conversation) -> None:
    """29.4 step 8, CN-11: in the same request, once."""
    agent = asking(conversation, call("read_native", artifact_id=ARTIFACT), ASK, "I saw it.")
    run = await agent.pause()
    bob = Actor(user=UserActorMessage(id="bob", name="Bob"))
    conversation.brief.change(bob, "moved the launch")
    await agent.answered(answer(run, DeferredKind.QUESTION, "Monday"))
    told = ["moved the launch" in " ".join(asked.prompts) for asked in agent.script.asked]
    assert told == [False, False, True]
    assert [it.text for it in agent.script.asked[2].returns] == ["Monday"]
    after = await conversation.ask("Nothing new.", words="And now?")
    assert after.asked[0].prompts == ["And now?"]


async def test_a_resumed_run_that_fails_leaves_a_thread_that_goes_on(conversation: Conversation) -> None:
    """HI-03, HI-06, RN-17: what was answered and what failed are both in the history."""
    agent = asking(conversation, [*ASK, *call("publish", channel="closed")])
    run = await agent.pause()
    question, approval = (it.tool_call_id for it in run.pending)
    with pytest.raises(LookupError):
        await agent.answered(
            AnswerDeferred(run_id=run.id, tool_call_id=question, answer="Monday"),
            AnswerDeferred(run_id=run.id, tool_call_id=approval, approved=True),
        )
    assert (await conversation.ended()).status is RunStatus.FAILED
    await goes_on(conversation)
    parts = [it for message in await load_history(conversation.alice, conversation.thread.id) for it in message.parts]
    told = {part.tool_call_id: str(part.content) for part in parts if isinstance(part, ToolReturnPart)}
    assert told[question] == "Monday"
    assert "closed" in told[approval]


async def test_a_paused_run_can_be_stopped_and_the_thread_goes_on(conversation: Conversation) -> None:
    """RN-02, RN-03, HI-06: its requests can no longer be answered."""
    agent = asking(conversation, [*ASK, *PUBLISH])
    run = await agent.pause()
    async with agent.runner() as runner:
        assert await runner.stop(conversation.alice, run.id)
    assert (await conversation.alice.run(run.id)).status is RunStatus.STOPPED
    with pytest.raises(InvalidState):
        await conversation.alice.commit(answer(run, DeferredKind.QUESTION, "Monday"))
    assert [it.tool_name for it in await conversation.returned()] == ["ask_user"]
    await goes_on(conversation)


async def test_what_was_said_and_answered_in_a_pause_is_remembered_though_the_run_is_stopped(
    conversation: Conversation, alice: Workspace
) -> None:
    """TH-08, TH-10, HI-06: it was taken, so no later turn would tell it."""
    agent = asking(conversation, [*ASK, *PUBLISH])
    run = await agent.pause()
    async with agent.runner() as runner:
        crawler = alice.acting_as(ExternalAgentActor(client_id="crawler"))
        await runner.answer(alice, answer(run, DeferredKind.QUESTION, "Monday"))
        assert (await runner.send(crawler, conversation.thread.id, "The figures changed.")).run is None
        assert await runner.stop(alice, run.id)
    parts = [it for message in await load_history(alice, conversation.thread.id) for it in message.parts]
    told = {part.tool_name: str(part.content) for part in parts if isinstance(part, ToolReturnPart)}
    assert told == {"ask_user": "Monday", "publish": NOT_ANSWERED}
    assert "The figures changed." in [part.content for part in parts if isinstance(part, UserPromptPart)]
    summaries = {it.tool_name: it.summary for it in await conversation.returned()}
    assert summaries == {"ask_user": NOT_GONE_ON}
    await goes_on(conversation)


async def test_a_run_that_dies_after_it_was_resumed_is_taken_over_with_what_is_known(
    conversation: Conversation, alice: Workspace
) -> None:
    """HI-03, RN-13: what was answered stands, what was called is unknown, what was not called did not run."""
    three = [*ASK, *PUBLISH, *call("publish", channel="board")]
    agent = asking(conversation, three)
    run = await agent.pause()
    question, news, board = run.pending
    for command in (
        AnswerDeferred(run_id=run.id, tool_call_id=question.tool_call_id, answer="Monday"),
        AnswerDeferred(run_id=run.id, tool_call_id=news.tool_call_id, approved=True),
        AnswerDeferred(run_id=run.id, tool_call_id=board.tool_call_id, approved=True),
    ):
        await alice.commit(command)
    where = {"run_id": run.id, "thread_id": run.thread_id}
    assistant = alice.acting_as(AgentActor(**where))
    claim = await alice.claim_thread(run.thread_id, holder="dies", ttl=timedelta(seconds=30))
    told = ToolReturned(
        **where, tool_call_id=question.tool_call_id, tool_name="ask_user", status=ToolStatus.OK, summary="Monday"
    )
    await assistant.start_segment(
        SegmentStart(run_id=run.id, thread_id=run.thread_id, trigger=RunTrigger.RESUME, claim=claim, returned=[told])
    )
    await assistant.record(ToolCalled(**where, tool_call_id=news.tool_call_id, tool_name="publish"))
    await alice.release_claim(claim)
    await goes_on(conversation)
    parts = [it for message in await load_history(alice, run.thread_id) for it in message.parts]
    returns = {part.tool_call_id: str(part.content) for part in parts if isinstance(part, ToolReturnPart)}
    assert returns[question.tool_call_id] == "Monday"
    assert "unknown" in returns[news.tool_call_id]
    assert "not run" in returns[board.tool_call_id]


async def test_usage_counts_over_the_pause(conversation: Conversation) -> None:
    """RE-05: paused has what was used so far, completed all of it."""
    agent = asking(conversation, call("spend", euros=1), ASK, "Monday.")
    run = await agent.pause()
    await agent.answered(answer(run, DeferredKind.QUESTION, "Monday"))
    events = await conversation.events()
    used = [it.usage.requests for it in events if isinstance(it, RunPaused | RunEnded) and it.usage is not None]
    assert used == [2, 3]


async def test_an_agent_that_may_not_pause_fails_its_run_and_says_what_it_lacks(conversation: Conversation) -> None:
    """PA-01: the output type has to admit it; the thread goes on all the same."""

    async def later() -> str:
        """Defer."""
        raise CallDeferred

    script = Script([call("later")])
    async with conversation.runner(script, later) as runner:
        await asyncio.wait({(await conversation.say(runner)).ended})
    ended = await conversation.ended()
    assert ended.status is RunStatus.FAILED
    assert "DeferredToolRequests" in ended.error
    await goes_on(conversation)


async def _position(workspace: Workspace, content: str) -> int:
    return next(
        it.log_sequence
        for it in await workspace.read()
        if isinstance(it.event, MessagePosted) and it.event.content == content
    )


async def test_a_call_runs_with_the_arguments_that_were_approved_or_not_at_all(conversation: Conversation) -> None:
    """PA-05: whatever changed them in between, as an application's own hook may."""

    async def change_the_arguments(_: RunContext[Session[None]], *, node: "AgentNode[Session[None]]") -> Any:  # noqa: ANN401
        if isinstance(node, CallToolsNode) and node.tool_call_results is not None:
            for call in node.model_response.tool_calls:
                call.args = {"channel": "everyone"}
        return node

    agent = asking(conversation, PUBLISH, "Published.")
    run = await agent.pause()
    agent.meddling.append(Hooks(before_node_run=change_the_arguments))
    with pytest.raises(UserError):
        await agent.answered(answer(run, DeferredKind.APPROVAL, approved=True))
    assert agent.published == []
    await goes_on(conversation)
