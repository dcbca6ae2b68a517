"""A runner used as a library keeps to the threads of its own agent."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from artifactr import Workspaces
from artifactr.agent.recovery import recovering
from artifactr.core import AnswerDeferred
from artifactr.core.commands import PostMessage
from artifactr.core.events import RunStatus
from artifactr.core.rejections import InvalidState
from artifactr.testing import Script, call
from unit.artifactr_agent.conversation import Asking, Conversation

pytestmark = pytest.mark.long

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]
SOON = timedelta(milliseconds=50)


@pytest.fixture
async def assistants(conversation: Conversation) -> Conversation:
    """The conversation in a thread of the agent assistant."""
    thread = await conversation.alice.create_thread("Launch", agent_name="assistant")
    return Conversation(conversation.alice, thread, conversation.brief, conversation.files)


async def test_a_message_in_a_thread_of_another_agent_is_refused(assistants: Conversation) -> None:
    """TH-15: and not recorded; in its own thread, and in one that names none, it is taken."""
    alice, head = assistants.alice, await assistants.alice.head()
    async with assistants.runner(Script([]), agent_name="writer") as writer:
        with pytest.raises(InvalidState, match="is the agent assistant's, not writer's"):
            await writer.send(alice, assistants.thread.id, "Hello?")
    assert await alice.head() == head
    unnamed = await alice.create_thread("Press")
    async with assistants.runner(Script(["Hello."] * 2)) as assistant:
        for thread in (assistants.thread, unnamed):
            sent = await assistant.send(alice, thread.id, "Hello?")
            assert sent.run is not None
            assert (await sent.run.wait()).output == "Hello."


async def test_a_run_of_another_agent_is_not_answered_and_can_be_stopped(
    assistants: Conversation, eventually: Eventually
) -> None:
    """TH-15, RN-16: a paused run ends where its agent is."""
    alice, asking = assistants.alice, Asking(assistants, Script([call("ask_user", question="When?")]))
    run = await asking.pause()
    answer = AnswerDeferred(run_id=run.id, tool_call_id=run.pending[0].tool_call_id, answer="Monday")
    async with assistants.runner(Script([]), agent_name="writer") as writer:
        with pytest.raises(InvalidState, match="is the agent assistant's, not writer's"):
            await writer.answer(alice, answer)
        assert (await alice.run(run.id)).open_requests == run.pending
        assert not await writer.stop(alice, run.id, patience=timedelta(milliseconds=100))
        assert (await alice.run(run.id)).status is RunStatus.PAUSED
        async with asking.runner() as assistant:
            assistant.take_up(alice, assistants.thread.id)
            await eventually(assistants.has_ended)
    assert (await alice.run(run.id)).status is RunStatus.STOPPED


async def test_what_was_left_behind_in_a_thread_of_another_agent_stays_there(
    assistants: Conversation, replica: Workspaces, eventually: Eventually
) -> None:
    """TH-14, RN-15: for whoever runs that agent."""
    alice, thread = assistants.alice, assistants.thread
    await alice.commit(PostMessage(thread_id=thread.id, content="Hello?", through_runner=True))
    async with (
        assistants.runner(Script([]), agent_name="writer") as writer,
        recovering(writer, replica, every=SOON),
    ):
        await asyncio.sleep(0.2)
        assert not await assistants.has_ended()
        async with assistants.runner(Script(["Hello."])) as assistant, recovering(assistant, replica, every=SOON):
            await eventually(assistants.has_ended)
    assert (await assistants.ended()).status is RunStatus.COMPLETED
