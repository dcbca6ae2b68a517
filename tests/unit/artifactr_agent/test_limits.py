"""What a run and a request may use."""

import asyncio
from collections.abc import Awaitable, Callable

from artifactr import ArtifactWorkspace
from artifactr.agent import load_history
from artifactr.agent.budget import LEFT_OUT
from artifactr.core.events import RunStatus
from artifactr.testing import Script, call
from pydantic_ai import UsageLimits
from unit.artifactr_agent.conversation import Conversation

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


async def test_a_run_that_passes_its_limit_fails_with_a_code_and_the_thread_goes_on(conversation: Conversation) -> None:
    """RN-17."""
    again = call("list_artifacts")
    async with conversation.runner(Script([again] * 9), limits=UsageLimits(request_limit=3)) as runner:
        await asyncio.wait({(await conversation.say(runner)).ended})
    ended = await conversation.ended()
    assert (ended.status, ended.reason) == (RunStatus.FAILED, "usage_limit")
    await conversation.ask("Yes.", words="Are you still there?")
    assert (await conversation.ended()).status is RunStatus.COMPLETED


async def test_a_request_leaves_out_what_is_old_and_the_history_keeps_it(conversation: Conversation) -> None:
    """HI-01, HI-05: the model is told so; every message is stored."""
    for number in range(4):
        await conversation.ask(f"answer {number} " + "x" * 2_000, words=f"question {number}")
    script = Script(["The last."])
    capability = ArtifactWorkspace(max_history_tokens=1_500)
    async with conversation.runner(script, capability=capability) as runner:
        await (await conversation.say(runner, "And now?")).wait()
    (asked,) = script.asked
    heard = str(asked.messages)
    assert LEFT_OUT in heard
    assert "question 0" not in heard
    assert "question 3" in heard
    stored = str(await load_history(conversation.alice, conversation.thread.id))
    assert all(f"question {number}" in stored for number in range(4))
    assert LEFT_OUT not in stored
