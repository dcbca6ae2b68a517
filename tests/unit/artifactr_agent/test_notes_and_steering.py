"""What a run hears: what it missed, what others do while it lasts, and messages in its thread."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest
from artifactr.agent import watcher
from artifactr.core.actors import UserActor
from artifactr.testing import Script, call
from lattice.type.v1 import actor_pb2
from pydantic_ai import ToolCallPart
from unit.artifactr_agent.conversation import Conversation
from unit.artifactr_agent.scripted_files import ARTIFACT

BOB = actor_pb2.Actor(user=actor_pb2.UserActor(id="bob", name="Bob"))
READ = call("read_native", artifact_id=ARTIFACT)


async def test_a_run_is_told_at_its_start_what_it_missed(conversation: Conversation) -> None:
    """CN-01, CN-02, CN-06, CN-11: once, as one element, in the first request."""
    await conversation.ask(READ, "Read.")
    conversation.brief.change(BOB, "checked in brief.docx")
    script = await conversation.ask("I see.", words="Go on.")
    notes = [prompt for prompt in script.asked[0].prompts if prompt.startswith("<workspace-changes>")]
    line = f"- Bob changed {ARTIFACT} (native_docx, v1 → v2): checked in brief.docx"
    assert notes == [f"<workspace-changes>\n{line}\n</workspace-changes>"]
    again = await conversation.ask("Nothing new.", words="And now?")
    assert again.asked[0].prompts == ["And now?"]


async def test_what_it_does_not_follow_is_not_told(conversation: Conversation) -> None:
    """CN-03, CN-16."""
    conversation.brief.change(BOB, "moved the launch")
    script = await conversation.ask("Hello.", words="Hello?")
    assert script.asked[0].prompts == ["Hello?"]


async def test_its_own_changes_are_never_told(conversation: Conversation) -> None:
    """CN-04: nor those of its earlier runs."""
    edit = call("edit_native", artifact_id=ARTIFACT, base_version=1, commands=[{"command": "x"}], summary="moved it")
    first = await conversation.ask(READ, edit, "Moved.")
    second = await conversation.ask("Yes.", words="Is it moved?")
    heard = [prompt for asked in (*first.asked, *second.asked) for prompt in asked.prompts]
    assert not [prompt for prompt in heard if prompt.startswith("<workspace-changes>")]


async def test_a_change_during_the_run_reaches_the_next_request_once(conversation: Conversation) -> None:
    """CN-02, CN-11, 29.4 step 4."""

    async def bob_changes_it() -> Sequence[ToolCallPart]:
        sequence = conversation.brief.change(BOB, "moved the launch")
        await conversation.alice.ingest(sequence)
        return call("find_commands", query="")

    script = await conversation.ask(READ, bob_changes_it, "I saw it.")
    told = ["moved the launch" in " ".join(asked.prompts) for asked in script.asked]
    assert told == [False, False, True]
    after = await conversation.ask("Nothing new.", words="And now?")
    assert after.asked[0].prompts == ["And now?"]


async def test_a_files_that_does_not_answer_holds_no_run_up_and_what_it_committed_is_told_later(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MP-17, R-07: a request goes by what is on the log; nothing is lost by that."""
    monkeypatch.setattr(watcher, "PATIENCE", timedelta(milliseconds=100))

    async def bob_changes_it() -> Sequence[ToolCallPart]:
        conversation.brief.change(BOB, "moved the launch")
        conversation.brief.silent = True
        return call("find_commands", query="")

    async def it_answers_again() -> Sequence[ToolCallPart]:
        conversation.brief.silent = False
        return call("find_commands", query="")

    script = await conversation.ask(READ, bob_changes_it, it_answers_again, "I saw it.")
    assert ["moved the launch" in " ".join(asked.prompts) for asked in script.asked] == [False, False, False, True]


async def test_a_change_while_the_last_answer_is_made_puts_off_the_end(conversation: Conversation) -> None:
    """29.4 step 5: it is told in one request more."""

    async def bob_changes_it_meanwhile() -> str:
        await conversation.alice.ingest(conversation.brief.change(BOB, "moved the launch"))
        return "Finished."

    script = await conversation.ask(READ, bob_changes_it_meanwhile, "I saw it.")
    assert "moved the launch" in " ".join(script.asked[2].prompts)


async def test_news_put_off_the_end_three_times_at_the_most(conversation: Conversation) -> None:
    """29.4 step 5, CN-13: what is left is told by the next turn."""

    async def bob_again() -> str:
        await conversation.alice.ingest(conversation.brief.change(BOB, f"change {conversation.brief.version}"))
        return "Finished."

    script = await conversation.ask(READ, *[bob_again] * 5)
    assert len(script.asked) == 5
    after = await conversation.ask("I see.", words="And now?")
    assert "change 4" in " ".join(after.asked[0].prompts)


async def test_a_message_while_a_run_lasts_steers_it(conversation: Conversation) -> None:
    """TH-04, TH-06, TH-08: it reaches the model as it is, and starts no run of its own."""

    async def alice_adds_something() -> Sequence[ToolCallPart]:
        sent = await runner.send(conversation.alice, conversation.thread.id, "Be brief.")
        assert sent.run is None
        return READ

    script = Script([alice_adds_something, "Brief."])
    async with conversation.runner(script) as runner:
        await (await conversation.say(runner)).wait()
    assert script.asked[1].prompts == ["Be brief."]
    after = await conversation.ask("Nothing new.", words="And now?")
    assert after.asked[0].prompts == ["And now?"]


async def test_a_message_of_somebody_with_the_threads_id_steers_as_any_other(conversation: Conversation) -> None:
    """AC-02, TH-08: the run leaves out what its own agent says, and nothing else."""
    namesake = conversation.alice.acting_as(UserActor(id=conversation.thread.id))

    async def they_add_something() -> Sequence[ToolCallPart]:
        await runner.send(namesake, conversation.thread.id, "Be brief.")
        return READ

    script = Script([they_add_something, "Brief."])
    async with conversation.runner(script) as runner:
        await (await conversation.say(runner)).wait()
    assert script.asked[1].prompts == ["Be brief."]


async def test_a_stopped_run_keeps_what_it_was_told(conversation: Conversation) -> None:
    """HI-03, CN-11, CN-14: the next one is not told again."""
    await conversation.ask(READ, "Read.")
    conversation.brief.change(BOB, "moved the launch")
    asked = asyncio.Event()

    async def never() -> str:
        asked.set()
        await asyncio.Event().wait()
        return "never"

    stopped = Script([never])
    async with conversation.runner(stopped) as runner:
        run = await conversation.say(runner)
        await asked.wait()
        await runner.stop(conversation.alice, run.run_id)
    assert "moved the launch" in " ".join(stopped.asked[0].prompts)
    after = await conversation.ask("Nothing new.", words="And now?")
    assert after.asked[0].prompts[-1] == "And now?"
    assert "moved the launch" not in after.asked[0].prompts[-1]
