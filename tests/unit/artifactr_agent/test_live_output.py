"""What is seen of a run while it lasts, by whoever watches it in the process that executes it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import pytest
from artifactr import Artifact, ArtifactWorkspace, Runner, Session, Workspace, Workspaces, testing
from artifactr.agent.live import LiveBuffers
from artifactr.core import AnswerDeferred
from artifactr.core.actors import UserActor
from artifactr.core.artifacts import StoredArtifact
from artifactr.core.events import RunStatus
from artifactr.core.frames import (
    AppLive,
    Draft,
    Frame,
    PartEnded,
    PartStarted,
    RunKey,
    TextDelta,
    ThinkingDelta,
    ToolArgsDelta,
)
from artifactr.core.rejections import NotFound
from artifactr.testing import Script
from pydantic_ai import Agent, DeferredToolRequests, ModelAPIError, RunContext
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from unit.artifactr_agent.conversation import Conversation
from unit.artifactr_agent.streamed import StreamedScript, call, thought


class Plan(Artifact):
    title: str = ""


def text(index: int, *words: str) -> list[Frame]:
    """The frames of a part of text."""
    return [PartStarted(index=index, kind="text"), *map(TextDelta, words), PartEnded(index=index)]


def called(index: int, tool: str, *pieces: str) -> list[Frame]:
    """The frames of a tool call."""
    begun = PartStarted(index=index, kind="tool-call", tool_name=tool)
    return [begun, *map(ToolArgsDelta, pieces), PartEnded(index=index)]


class Attended(LiveBuffers):
    """Tells when somebody has begun to watch."""

    def __init__(self, *, streams: bool = True) -> None:
        super().__init__(streams=streams)
        self.attended = asyncio.Event()

    async def watch(self, run: RunKey) -> AsyncGenerator[Frame, None]:
        async with aclosing(super().watch(run)) as frames:
            self.attended.set()
            async for frame in frames:
                yield frame


async def watching(runner: Runner[None, Any], alice: Workspace, run_id: str) -> asyncio.Task[list[Frame]]:
    """Everything that is seen of a run from now on, once it has ended; whoever asks for it watches already."""
    assert isinstance(runner.live, Attended)
    runner.live.attended.clear()
    task = asyncio.create_task(all_of(runner.watch(alice, run_id)))
    async with asyncio.timeout(30):
        await runner.live.attended.wait()
    return task


async def all_of(watch: AsyncGenerator[Frame, None]) -> list[Frame]:
    async with asyncio.timeout(30), aclosing(watch):
        return [frame async for frame in watch]


def runner_of(model: Model, *, ask: bool = False, live: LiveBuffers | None = None) -> Runner[None, object]:
    """A runner of an agent without tools but its own."""
    agent: Agent[Session[None], object] = Agent(
        model,
        deps_type=Session[None],
        output_type=[str, DeferredToolRequests],
        capabilities=[ArtifactWorkspace(ask=ask)],
    )
    return Runner(agent, app=None, live=live or Attended())


async def begun(runner: Runner[None, object], conversation: Conversation) -> str:
    """The id of a run that a message has started."""
    sent = await runner.send(conversation.alice, conversation.thread.id, "Please plan.")
    assert sent.run is not None
    return sent.run.run_id


async def test_who_watches_from_the_start_sees_every_word_in_order(conversation: Conversation) -> None:
    """LO-01, RN-23: thinking, calls and text, over the requests of the run; the record is as without."""
    go = asyncio.Event()
    model = StreamedScript(
        [
            [go.wait, thought("Hm"), thought(", well."), *call("list_artifacts", '{"ki', 'nd": "x"}')],
            ["It ", "is done."],
        ]
    ).model
    async with runner_of(model) as runner:
        run_id = await begun(runner, conversation)
        seen = await watching(runner, conversation.alice, run_id)
        go.set()
        assert await seen == [
            PartStarted(index=0, kind="thinking"),
            ThinkingDelta("Hm"),
            ThinkingDelta(", well."),
            PartEnded(index=0),
            *called(1, "list_artifacts", '{"ki', 'nd": "x"}'),
            *text(2, "It ", "is done."),
        ]
    assert (await conversation.ended()).status is RunStatus.COMPLETED
    assert [type(event).__name__ for event in await conversation.events()] == [
        "ThreadCreated",
        "MessagePosted",
        "RunStarted",
        "ToolCalled",
        "ToolReturned",
        "MessagePosted",
        "RunEnded",
    ]


async def test_who_comes_in_the_middle_sees_what_there_was_and_all_see_the_same(conversation: Conversation) -> None:
    """LO-02, EV-05: of all the words the log has the whole reply alone, which supersedes them [LO-03]."""
    told, go = asyncio.Event(), asyncio.Event()

    async def half() -> None:
        told.set()
        await go.wait()

    async with runner_of(StreamedScript([["One, ", "two, ", half, "three."]]).model) as runner:
        run_id = await begun(runner, conversation)
        await told.wait()
        watches = [await watching(runner, conversation.alice, run_id) for _ in range(3)]
        go.set()
        for seen in watches:
            assert await seen == text(0, "One, ", "two, ", "three.")
        assert await all_of(runner.watch(conversation.alice, run_id)) == []
    words = [str(event) for event in await conversation.events() if "two, " in str(event)]
    assert len(words) == 1
    assert "One, two, three." in words[0]


async def test_a_watcher_that_leaves_leaves_the_run_alone(conversation: Conversation) -> None:
    """RN-19, LO-01."""
    told, go = asyncio.Event(), asyncio.Event()

    async def half() -> None:
        told.set()
        await go.wait()

    async with runner_of(StreamedScript([["One, ", half, "two."]]).model) as runner:
        run_id = await begun(runner, conversation)
        await told.wait()
        async with aclosing(runner.watch(conversation.alice, run_id)) as watch:
            assert await anext(watch) == PartStarted(index=0, kind="text")
        go.set()
        await conversation.alice.end_of(run_id)
    assert (await conversation.ended()).status is RunStatus.COMPLETED


async def test_a_run_is_one_run_for_its_watchers_though_it_pauses(conversation: Conversation) -> None:
    """LO-05, PA-05: nothing comes while it waits for people, and then what it goes on to say; each frame once."""
    go = asyncio.Event()
    model = StreamedScript([[go.wait, *call("ask_user", '{"question": "When?"}')], ["On ", "Monday."]]).model
    alice = conversation.alice
    async with runner_of(model, ask=True) as runner:
        run_id = await begun(runner, conversation)
        seen = await watching(runner, alice, run_id)
        go.set()
        async with aclosing(alice.executions(run_id)) as looks:
            paused = await anext(now async for now in looks if now.run.status is RunStatus.PAUSED)
        assert not seen.done()
        [request] = paused.run.pending
        answer = AnswerDeferred(run_id=run_id, tool_call_id=request.tool_call_id, answer="Monday")
        await runner.answer(alice, answer)
        assert await seen == [*called(0, "ask_user", '{"question": "When?"}'), *text(0, "On ", "Monday.")]


async def test_a_watch_ends_with_the_run_though_another_process_ends_that(conversation: Conversation) -> None:
    """LO-04, LO-05: paused here, it goes on elsewhere; a watch here tells nothing of that, and ends all the same."""
    alice = conversation.alice
    asking = StreamedScript([call("ask_user", '{"question": "When?"}')]).model
    async with runner_of(asking, ask=True) as here, runner_of(StreamedScript([["Done."]]).model, ask=True) as elsewhere:
        sent = await here.send(alice, conversation.thread.id, "Please plan.")
        assert sent.run is not None
        await sent.run.wait()
        seen = await watching(here, alice, sent.run.run_id)
        [request] = (await alice.run(sent.run.run_id)).pending
        answer = AnswerDeferred(run_id=sent.run.run_id, tool_call_id=request.tool_call_id, answer="Monday")
        await elsewhere.answer(alice, answer)
        assert await seen == []


async def test_a_model_that_cannot_stream_answers_all_the_same(conversation: Conversation) -> None:
    """LO-01: its answer is seen once it is whole."""
    plain = Script([testing.call("list_artifacts"), "Done."])
    go = asyncio.Event()

    async def waits() -> str:
        await go.wait()
        return "Go."

    async with conversation.runner(Script([waits]), live=Attended()) as runner:
        handle = await conversation.say(runner)
        seen = await watching(runner, conversation.alice, handle.run_id)
        go.set()
        assert await seen == text(0, "Go.")
    async with conversation.runner(plain) as runner:
        assert (await (await conversation.say(runner)).wait()).output == "Done."


async def test_an_application_can_have_answers_in_one_piece(conversation: Conversation) -> None:
    """RN-23: as where a provider tells nothing of the usage of a stream."""
    scripted = StreamedScript([], whole=["All at once."])
    async with runner_of(scripted.model, live=LiveBuffers(streams=False)) as runner:
        await conversation.alice.end_of(await begun(runner, conversation))
    assert scripted.asked == ["whole"]


async def test_an_answer_that_breaks_off_is_asked_for_again_in_one_piece(conversation: Conversation) -> None:
    """LO-06, RN-24: what a plain request survives a streamed one does; its parts are ended."""
    go = asyncio.Event()
    broken = ModelAPIError("scripted", "the connection was lost")
    scripted = StreamedScript([[go.wait, "It is d", broken]], whole=["It is done."])
    async with runner_of(scripted.model) as runner:
        run_id = await begun(runner, conversation)
        seen = await watching(runner, conversation.alice, run_id)
        go.set()
        assert await seen == [*text(0, "It is d"), *text(1, "It is done.")]
    assert scripted.asked == ["streamed", "whole"]
    assert (await conversation.ended()).status is RunStatus.COMPLETED


async def test_another_model_steps_in_where_an_answer_breaks_off(conversation: Conversation) -> None:
    """LO-06, RN-24: as it would for a plain request; it need not be one that streams."""
    gone = ModelAPIError("scripted", "the connection was lost")

    async def also_gone() -> str:
        raise gone

    for first in (StreamedScript([["It is d", gone]], whole=[gone]).model, Script([also_gone]).model):
        async with runner_of(FallbackModel(first, StreamedScript([["Done."]], whole=["Done."]).model)) as runner:
            sent = await runner.send(conversation.alice, conversation.thread.id, "Please plan.")
            assert sent.run is not None
            assert (await sent.run.wait()).output == "Done."


@pytest.mark.parametrize("said", [[], ["It is d"]])
async def test_a_stream_that_fails_fails_the_run_and_leaves_no_part_open(
    conversation: Conversation, said: list[str]
) -> None:
    """LO-06, RN-17: one that failed before it began is not asked for again."""
    go = asyncio.Event()
    error = LookupError("the model is gone") if said else ModelAPIError("scripted", "the model is gone")
    scripted = StreamedScript([[go.wait, *said, error]])
    async with runner_of(scripted.model) as runner:
        run_id = await begun(runner, conversation)
        seen = await watching(runner, conversation.alice, run_id)
        go.set()
        assert await seen == (text(0, *said) if said else [])
    ended = await conversation.ended()
    assert (ended.status, "the model is gone" in ended.error) == (RunStatus.FAILED, True)
    assert scripted.asked == ["streamed"]


async def test_a_run_stopped_in_the_middle_of_a_word_ends_its_watches(conversation: Conversation) -> None:
    """RN-17, LO-06: the part that was open is ended."""
    told = asyncio.Event()

    async def for_ever() -> None:
        told.set()
        await asyncio.Event().wait()

    async with runner_of(StreamedScript([["One, ", for_ever]]).model) as runner:
        run_id = await begun(runner, conversation)
        await told.wait()
        seen = await watching(runner, conversation.alice, run_id)
        assert await runner.stop(conversation.alice, run_id)
        assert await seen == text(0, "One, ")
    assert (await conversation.ended()).status is RunStatus.STOPPED


async def test_tools_show_drafts_and_frames_of_their_own(conversation: Conversation) -> None:
    """LO-01: those that run in a thread too; a draft is whole, and says which artifact it is of, if it exists."""
    go = asyncio.Event()

    async def draw(ctx: RunContext[Session[None]]) -> str:
        """Draw."""
        stored = StoredArtifact(
            id="plan_1", kind="plan", version=3, data={"title": "Launch"}, updated_by=UserActor(id="bob")
        )
        ctx.deps.live.draft(Plan(title="Lau"))
        ctx.deps.live.draft(Plan.from_stored(stored))
        return "Drawn."

    def count(ctx: RunContext[Session[None]]) -> str:
        """Count."""
        ctx.deps.live.app("counted", {"pages": 3})
        ctx.deps.live.app("done")
        return "Counted."

    scripted = StreamedScript([[go.wait, *call("draw", "{}")], call("count", "{}"), ["Done."]])
    agent = Agent(scripted.model, deps_type=Session[None], tools=[draw, count], capabilities=[ArtifactWorkspace()])
    async with Runner(agent, app=None, live=Attended()) as runner:
        handle = await conversation.say(runner)
        seen = await watching(runner, conversation.alice, handle.run_id)
        go.set()
        assert await seen == [
            *called(0, "draw", "{}"),
            Draft(kind="plan", data='{"title": "Lau"}'),
            Draft(kind="plan", data='{"title": "Launch"}', artifact_id="plan_1"),
            *called(1, "count", "{}"),
            AppLive(name="counted", data='{"pages": 3}'),
            AppLive(name="done"),
            *text(2, "Done."),
        ]


async def test_a_run_without_a_runner_shows_nothing_and_its_tools_may_all_the_same(conversation: Conversation) -> None:
    """RN-18, LO-01."""

    def count(ctx: RunContext[Session[None]]) -> str:
        """Count."""
        ctx.deps.live.app("counted")
        return "Counted."

    agent = Agent(
        Script([testing.call("count"), "Done."]).model,
        deps_type=Session[None],
        tools=[count],
        capabilities=[ArtifactWorkspace()],
    )
    session = Session.start(conversation.alice, conversation.thread.id, app=None)
    assert (await agent.run("Count.", deps=session)).output == "Done."


async def test_another_tenants_run_is_not_there(conversation: Conversation, workspaces: Workspaces) -> None:
    """LO-04, TN-03: nor one that never was."""
    told, go = asyncio.Event(), asyncio.Event()

    async def half() -> None:
        told.set()
        await go.wait()

    eve = workspaces.open("other", conversation.alice.workspace, UserActor(id="eve"))
    async with runner_of(StreamedScript([["Secret ", half, "words."]]).model) as runner:
        run_id = await begun(runner, conversation)
        await told.wait()
        for who, wanted in [(eve, run_id), (conversation.alice, "run_none")]:
            with pytest.raises(NotFound):
                await all_of(runner.watch(who, wanted))
        go.set()
