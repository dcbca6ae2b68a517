"""The tools for native files: when they are offered, and what they answer."""

from collections.abc import Sequence

from artifactr.core.events import RunStatus, ToolStatus
from artifactr.testing import Script, call
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.type.v1.actor_pb2 import Actor, UserActor
from lattice_chassis.errors import PeerUnavailable
from pydantic_ai import BinaryContent, ToolCallPart
from unit.artifactr_agent.conversation import Asking, Conversation
from unit.artifactr_agent.scripted_files import ARTIFACT

BOB = Actor(user=UserActor(id="bob", name="Bob"))
NATIVE = {"read_native", "read_review", "find_commands", "edit_native", "view_page"}
GENERIC = {"list_artifacts", "read_artifact", "edit_text", "archive_artifact"}


async def test_the_tools_are_offered_while_the_app_is_on_beside_the_generic_ones(conversation: Conversation) -> None:
    """A-02, A-08, A-11."""
    script = await conversation.ask("Hello.")
    assert script.asked[0].tools == NATIVE | GENERIC


async def test_only_an_agent_that_is_given_pages_can_look_at_them(conversation: Conversation) -> None:
    """A-01, A-08: as where its model reads no images."""
    agent = Asking(conversation, Script(["Hello."]))
    async with agent.runner() as runner:
        sent = await runner.send(conversation.alice, conversation.thread.id, "Hello?")
        assert sent.run is not None
        await sent.run.wait()
    assert agent.script.asked[0].tools & NATIVE == NATIVE - {"view_page"}


async def test_where_the_app_is_off_a_model_never_learns_that_they_exist(conversation: Conversation) -> None:
    """A-02, I-16: reading goes on by the generic tools."""
    conversation.brief.enabled = False
    script = await conversation.ask(call("read_artifact", artifact_id=ARTIFACT), "Read.")
    assert all(asked.tools == GENERIC for asked in script.asked)
    assert all(name not in asked.instructions for name in NATIVE for asked in script.asked)
    assert all(name not in script.asked[1].returns[0].text for name in NATIVE)
    assert conversation.brief.text in script.asked[1].returns[0].text


async def test_the_switch_is_read_once_for_each_request(conversation: Conversation) -> None:
    """A-02, AMB-21: never cached, and never more than once."""
    read = call("read_native", artifact_id=ARTIFACT)
    script = await conversation.ask([*read, *call("find_commands", query="")], read, "Read.")
    assert conversation.brief.status_reads == len(script.asked) == 3


async def test_a_switch_takes_effect_with_the_next_request(conversation: Conversation) -> None:
    """I-16, N-08."""

    async def switch_off_and_read() -> Sequence[ToolCallPart]:
        conversation.brief.enabled = False
        return call("read_native", artifact_id=ARTIFACT)

    async def switch_on_again() -> Sequence[ToolCallPart]:
        conversation.brief.enabled = True
        return call("list_artifacts")

    script = await conversation.ask(switch_off_and_read, switch_on_again, "Read.")
    assert ["read_native" in asked.tools for asked in script.asked] == [True, False, True]
    assert script.asked[1].returns[0].outcome == "success"


async def test_a_switch_that_cannot_be_read_for_a_moment_is_asked_again(conversation: Conversation) -> None:
    """AMB-04."""
    conversation.brief.status_failures.append(PeerUnavailable(peer="integrations"))
    script = await conversation.ask("Hello.")
    assert "edit_native" in script.asked[0].tools


async def test_a_switch_that_nobody_can_read_hides_the_tools_for_that_step(conversation: Conversation) -> None:
    """AMB-04: within two seconds; the run goes on."""
    conversation.brief.status_failures.extend(PeerUnavailable(peer="integrations") for _ in range(50))
    script = await conversation.ask("Hello.")
    assert script.asked[0].tools.isdisjoint(NATIVE)
    assert (await conversation.ended()).status is RunStatus.COMPLETED


async def test_a_hidden_tool_that_is_called_all_the_same_is_answered_with_a_retry(conversation: Conversation) -> None:
    """RE-01: the call is on the record although no tool ran."""
    conversation.brief.enabled = False
    script = await conversation.ask(call("read_native", artifact_id=ARTIFACT), "I cannot.")
    assert script.asked[1].returns[0].outcome == "retried"
    assert [(it.tool_name, it.status) for it in await conversation.returned()] == [("read_native", ToolStatus.RETRY)]


async def test_text_is_read_eight_thousand_characters_a_call(conversation: Conversation) -> None:
    """A-03, F-15, F-16: it says where to read on, and at the end that this is the end."""
    conversation.brief.text = "ä" * 8_000 + "z" * 500
    reads = [call("read_native", artifact_id=ARTIFACT, start=start) for start in (0, 8_000, 9_000)]
    script = await conversation.ask(*reads, "Read.")
    answers = [asked.returns[0].text for asked in script.asked[1:]]
    assert answers[0].count("ä") == 8_000
    assert "version 1" in answers[0]
    assert "start=8000" in answers[0]
    assert answers[1].count("z") == 500
    assert "This is the end" in answers[1]
    assert "This is the end" in answers[2]


async def test_a_negative_start_asks_for_a_retry(conversation: Conversation) -> None:
    """F-15."""
    script = await conversation.ask(call("read_native", artifact_id=ARTIFACT, start=-1), "Sorry.")
    assert script.asked[1].returns[0].outcome == "retried"


async def test_the_review_is_read_fifty_items_a_call_with_the_apps_ids(conversation: Conversation) -> None:
    """A-05, AMB-24: each item is marked as one or the other."""
    conversation.brief.review = [
        native_pb.ReviewItem(
            id=f"rev-{number}",
            type=native_pb.REVIEW_ITEM_TYPE_COMMENT if number % 2 else native_pb.REVIEW_ITEM_TYPE_TRACKED_CHANGE,
            author="Legal",
            text="Why?",
            state="open",
        )
        for number in range(60)
    ]
    script = await conversation.ask(call("read_review", artifact_id=ARTIFACT), "Read.")
    lines = script.asked[1].returns[0].text.splitlines()
    assert len(lines) == 54
    assert lines[1] == f'<artifact id="{ARTIFACT}" version="1">'
    assert '"id": "rev-0", "type": "tracked_change"' in lines[2]
    assert '"id": "rev-1", "type": "comment"' in lines[3]
    assert lines[52] == "</artifact>"
    assert "start=50" in lines[53]


async def test_ten_commands_are_found_at_most(conversation: Conversation) -> None:
    """A-06, F-17: no match is a plain answer."""
    script = await conversation.ask(call("find_commands", query=""), call("find_commands", query="nothing"), "Found.")
    assert len(script.asked[1].returns[0].text.splitlines()) == 10
    assert script.asked[2].returns[0].outcome == "success"


async def test_a_page_is_an_image_recorded_as_a_line_and_saved_without_its_bytes(conversation: Conversation) -> None:
    """A-08, RE-06, N-41."""
    script = await conversation.ask(call("view_page", artifact_id=ARTIFACT, page=1), "Seen.")
    image = script.asked[1].returns[0].content[1]
    assert isinstance(image, BinaryContent)
    (returned,) = await conversation.returned()
    assert "image/png" in returned.summary
    (chunk,) = await conversation.alice.history(conversation.thread.id)
    assert image.base64.encode() not in chunk.data


async def test_a_page_beyond_the_last_asks_for_a_retry_with_the_count(conversation: Conversation) -> None:
    """F-14."""
    script = await conversation.ask(call("view_page", artifact_id=ARTIFACT, page=9), "Sorry.")
    answer = script.asked[1].returns[0]
    assert answer.outcome == "retried"
    assert "3 pages" in answer.text


async def test_what_is_read_is_followed_and_shown_with_the_next_request(conversation: Conversation) -> None:
    """R-14, IN-01, N-42."""
    script = await conversation.ask(call("read_review", artifact_id=ARTIFACT), "Read.")
    assert ARTIFACT not in script.asked[0].instructions
    assert f'<artifact id="{ARTIFACT}" kind="native_docx" version="1">' in script.asked[1].instructions
    assert conversation.brief.text in script.asked[1].instructions
    assert "read_native" in script.asked[1].instructions


async def test_what_cannot_be_shown_for_a_moment_is_shown_with_the_next_request(conversation: Conversation) -> None:
    """R-07, IN-01: also though nothing was committed meanwhile."""

    async def a_read_fails() -> Sequence[ToolCallPart]:
        conversation.brief.read_failures.append(PeerUnavailable(peer="the app"))
        conversation.brief.change(BOB, "moved the launch")
        return call("list_artifacts")

    script = await conversation.ask(
        call("read_review", artifact_id=ARTIFACT), a_read_fails, call("list_artifacts"), "Read."
    )
    cannot = f"{ARTIFACT} is followed but cannot be shown now"
    assert [cannot in asked.instructions for asked in script.asked] == [False, False, True, False]
    assert conversation.brief.text in script.asked[3].instructions
