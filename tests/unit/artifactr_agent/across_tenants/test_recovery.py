"""What a crash left behind is found and taken up by any replica, without anybody asking [RN-15]."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from artifactr import Runner, Workspace, Workspaces
from artifactr.agent.recovery import recovering
from artifactr.core import AnswerDeferred
from artifactr.core.actors import AgentActor
from artifactr.core.commands import PostMessage
from artifactr.core.events import MessagePosted, RunEnded, RunStarted, RunStatus, RunTrigger
from artifactr.core.segments import SegmentStart
from artifactr.core.threads import Reply
from artifactr.store import left_behind
from artifactr.testing import Script, call
from service.agent.scripted_files import ALICE
from unit.artifactr_agent.conversation import Asking, Conversation

pytestmark = pytest.mark.long

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]
SOON = timedelta(milliseconds=50)


async def send_to_a_process_that_dies(conversation: Conversation, words: str) -> int:
    """Leave a message as a runner does that is killed before it plans a turn."""
    command = PostMessage(thread_id=conversation.thread.id, content=words, through_runner=True)
    return (await conversation.alice.commit(command)).log_sequence


async def test_a_message_that_no_turn_took_is_taken(
    conversation: Conversation, replica: Workspaces, eventually: Eventually
) -> None:
    """RN-15, TH-08: once, whichever replica finds it."""
    await send_to_a_process_that_dies(conversation, "Hello?")
    script = Script(["Hello.", "Hello again."])
    async with (
        conversation.runner(script) as one,
        conversation.runner(script) as other,
        recovering(one, replica, every=SOON),
        recovering(other, replica, every=SOON),
    ):
        await eventually(conversation.has_ended)
        await asyncio.sleep(0.3)
    assert [asked.prompts for asked in script.asked] == [["Hello?"]]


async def test_a_tenant_whose_threads_wait_stands_in_nobodys_way(
    replica: Workspaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RN-15: a look finds so many at the most, and not the same ones each time."""
    monkeypatch.setattr(left_behind, "_MOST", 2)
    for tenant, count in (("busy", 8), ("quiet", 1)):
        alice = replica.open(tenant, "main", ALICE)
        for number in range(count):
            await alice.create_thread("Launch", thread_id=f"thr_{number}")
            await alice.commit(PostMessage(thread_id=f"thr_{number}", content="Hello?", through_runner=True))
    looks = [[it.tenant for it in await replica.left_behind()] for _ in range(100)]
    assert {len(look) for look in looks} == {2}
    assert {tenant for look in looks for tenant in look} == {"busy", "quiet"}


async def test_a_run_whose_process_died_ends_by_itself(
    conversation: Conversation, replica: Workspaces, eventually: Eventually
) -> None:
    """RN-13, RN-15: recorded as abandoned, though nobody writes in its thread; not before its claim lapsed."""
    alice, thread = conversation.alice, conversation.thread
    claim = await alice.claim_thread(thread.id, holder="dead", ttl=timedelta(seconds=1))
    dead = alice.acting_as(AgentActor(thread_id=thread.id, run_id="run_dead"))
    await dead.start_segment(
        SegmentStart(run_id="run_dead", thread_id=thread.id, trigger=RunTrigger.MESSAGE, claim=claim)
    )
    assert [it for it in await replica.left_behind() if it.thread_id == thread.id] == []
    async with conversation.runner(Script([])) as runner, recovering(runner, replica, every=SOON):
        await eventually(conversation.has_ended)
    run = await alice.run("run_dead")
    assert (run.status, run.reason) == (RunStatus.FAILED, "abandoned")


async def test_a_paused_run_whose_last_answer_nobody_took_up_goes_on(
    conversation: Conversation, replica: Workspaces, eventually: Eventually
) -> None:
    """RN-15, PA-07."""
    agent = Asking(conversation, Script([call("ask_user", question="When?"), "Monday it is."]))
    run = await agent.pause()
    async with agent.runner() as runner, recovering(runner, replica, every=SOON):
        await asyncio.sleep(0.2)
        assert (await conversation.alice.run(run.id)).status is RunStatus.PAUSED
        answer = AnswerDeferred(run_id=run.id, tool_call_id=run.pending[0].tool_call_id, answer="Monday")
        await conversation.alice.commit(answer)
        await eventually(conversation.has_ended)
    assert (await conversation.alice.run(run.id)).status is RunStatus.COMPLETED


async def test_a_turn_that_cannot_start_is_begun_twice_without_anybody_asking_and_then_waits(
    conversation: Conversation, replica: Workspaces, eventually: Eventually
) -> None:
    """RN-15, TH-10: never a loop; whoever writes next starts it again."""
    await send_to_a_process_that_dies(conversation, "Hello?")
    conversation.brief.reachable = False
    script = Script(["Hello."])

    async def is_given_up() -> bool:
        return not [it for it in await replica.left_behind() if it.thread_id == conversation.thread.id]

    async with conversation.runner(script) as runner, recovering(runner, replica, every=SOON):
        await asyncio.sleep(1)  # it is not found, either, while a turn of it is tried
        await eventually(is_given_up)
        conversation.brief.reachable = True
        await asyncio.sleep(0.3)
        assert not [it for it in await conversation.events() if isinstance(it, RunStarted)]
        assert (await runner.send(conversation.alice, conversation.thread.id, "Anyone?")).run is None
        await eventually(conversation.has_ended)
    assert script.asked[0].prompts == ["Hello?", "Anyone?"]


async def test_what_was_posted_directly_waits_for_the_next_turn(
    conversation: Conversation, replica: Workspaces
) -> None:
    """AMB-11: nobody promised a turn for it; what the agent itself said promises none either."""
    await conversation.ask("Hello.", words="Hello?")
    await conversation.alice.post_message(conversation.thread.id, "By the way.")
    assert not [it for it in await replica.left_behind() if it.thread_id == conversation.thread.id]


async def test_workspaces_without_the_follower_role_say_that_they_do_not_look(
    workspaces: Workspaces, conversation: Conversation, caplog: pytest.LogCaptureFixture
) -> None:
    async with conversation.runner(Script([])) as runner, recovering(runner, workspaces, every=SOON):
        pass
    assert "follower role" in caplog.text


async def test_a_run_is_stopped_from_another_process(
    conversation: Conversation, alice: Workspace, replica: Workspaces
) -> None:
    """RN-16, RN-17: at once, without waiting for a look."""
    answering, never = asyncio.Event(), asyncio.Event()

    async def long() -> str:
        answering.set()
        await never.wait()
        return "Never said."

    elsewhere = replica.open(alice.tenant, alice.workspace, alice.actor)
    async with conversation.runner(Script([long])) as here, conversation.runner(Script([])) as other:
        handle = await conversation.say(here)
        await answering.wait()
        asked_at = asyncio.get_running_loop().time()
        assert await other.stop(elsewhere, handle.run_id)
        assert asyncio.get_running_loop().time() - asked_at < 5
    ended = await conversation.ended()
    assert (ended.run_id, ended.status) == (handle.run_id, RunStatus.STOPPED)


async def test_a_paused_run_that_may_not_go_on_by_itself_any_more_is_stopped_all_the_same(
    conversation: Conversation, replica: Workspaces
) -> None:
    """TH-14, RN-16: a stop is no turn, and is not counted among those."""
    agent = Asking(conversation, Script([call("ask_user", question="When?")]))
    run = await agent.pause()
    alice = conversation.alice
    await alice.commit(AnswerDeferred(run_id=run.id, tool_call_id=run.pending[0].tool_call_id, answer="Monday"))
    resumed = await alice.run(run.id)
    while await alice.count_automatic_turn(Reply(run=resumed, message=None)):
        pass

    async def is_found() -> bool:
        return run.thread_id in {it.thread_id for it in await replica.left_behind()}

    assert not await is_found()
    await alice.request_stop(run.id)
    assert await is_found()


async def test_a_stop_of_a_run_that_cannot_hear_is_requested_for_good(
    conversation: Conversation, replica: Workspaces, eventually: Eventually
) -> None:
    """RN-16: the process hangs; whoever takes the thread over ends the run."""
    alice, thread = conversation.alice, conversation.thread
    claim = await alice.claim_thread(thread.id, holder="hangs", ttl=timedelta(seconds=2))
    hanging = alice.acting_as(AgentActor(thread_id=thread.id, run_id="run_hangs"))
    await hanging.start_segment(
        SegmentStart(run_id="run_hangs", thread_id=thread.id, trigger=RunTrigger.MESSAGE, claim=claim)
    )
    runner: Runner[None, str]
    async with conversation.runner(Script([])) as runner, recovering(runner, replica, every=SOON):
        assert not await runner.stop(alice, "run_hangs", patience=timedelta(milliseconds=100))
        await eventually(conversation.has_ended)
    assert [it for it in await conversation.events() if isinstance(it, MessagePosted)] == []
    assert [it.run_id for it in await conversation.events() if isinstance(it, RunEnded)] == ["run_hangs"]
