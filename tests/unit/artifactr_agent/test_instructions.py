"""What each request tells of the artifacts that a thread follows, and when files is asked for it again."""

from collections.abc import Sequence

import pytest
from artifactr.testing import call
from lattice.type.v1.actor_pb2 import Actor, UserActor
from lattice_chassis.errors import PeerUnavailable
from pydantic_ai import ToolCallPart
from unit.artifactr_agent.conversation import Conversation
from unit.artifactr_agent.scripted_files import ARTIFACT

BOB = Actor(user=UserActor(id="bob", name="Bob"))
NOTHING = call("find_commands", query="")


@pytest.fixture
async def following(conversation: Conversation) -> Conversation:
    """A conversation about the file."""
    await conversation.alice.follow(conversation.thread.id, ARTIFACT)
    return conversation


async def test_files_is_asked_again_for_what_something_was_committed_about_and_for_nothing_else(
    following: Conversation,
) -> None:
    """IN-01: each request shows an artifact as it is."""
    brief = following.brief
    reads: list[int] = []

    async def bob_moves_the_launch() -> Sequence[ToolCallPart]:
        reads.append(brief.text_reads)
        brief.text = "The launch is on 3 March."
        brief.change(BOB, "moved the launch")
        return NOTHING

    async def bob_proposes() -> Sequence[ToolCallPart]:
        reads.append(brief.text_reads)
        brief.propose(BOB, run_id="", thread_id="")
        return NOTHING

    async def ends() -> str:
        reads.append(brief.text_reads)
        return "I saw it."

    script = await following.ask(NOTHING, bob_moves_the_launch, bob_proposes, ends)
    assert reads == [1, 2, 2]
    assert ["3 March" in asked.instructions for asked in script.asked] == [False, False, True, True]


async def test_what_could_not_be_shown_is_asked_for_again(following: Conversation) -> None:
    """R-07: it is named with the reason meanwhile."""
    following.brief.read_failures.append(PeerUnavailable(peer="files"))
    script = await following.ask(NOTHING, "I saw it.")
    assert ["cannot be shown now" in asked.instructions for asked in script.asked] == [True, False]
    assert "The launch is on 17 February" in script.asked[1].instructions


async def test_while_files_does_not_say_what_it_committed_it_is_asked_for_all(following: Conversation) -> None:
    """IN-01, MP-17: reads may work where the feed does not."""
    brief = following.brief

    async def the_feed_fails() -> Sequence[ToolCallPart]:
        brief.reachable = False
        brief.text = "The launch is on 3 March."
        brief.change(BOB, "moved the launch")
        return NOTHING

    script = await following.ask(the_feed_fails, "I saw it.")
    assert ["3 March" in asked.instructions for asked in script.asked] == [False, True]
