"""The script that plays the demo where no model is named."""

import pytest
from lattice_agent.scripted_model import Call, Step, Turn, decide, scripted_model, turns_of
from pydantic_ai import Agent
from pydantic_ai.messages import ModelRequest, UserPromptPart

NATIVE = frozenset({"read_native", "read_review", "find_commands", "edit_native", "read_artifact"})
GENERIC = frozenset({"read_artifact"})
ASKED = 'In art_1 replace "17 February" with "3 March" and comment "Legal asked for two more weeks."'

READ = Step(tool="read_native", text="art_1, version 3, from character 0 of 9:\n...", outcome="success")
REVIEW = Step(tool="read_review", text="...", outcome="success")
COMMANDS = Step(tool="find_commands", text="...", outcome="success")
MADE = Step(tool="edit_native", text="Done. art_1 is now at version 4.", outcome="success")
BUSY = Step(tool="edit_native", text="art_1 is checked out by Bob until 14:00.", outcome="success")
STALE = Step(tool="edit_native", text="Read the artifact again, then retry.", outcome="retried")
READ_AGAIN = Step(tool="read_native", text="art_1, version 5, from character 0 of 9:\n...", outcome="success")


def test_it_reads_the_file_its_review_and_the_commands_before_it_edits() -> None:
    steps: list[Step] = []
    called = []
    for answer in (READ, REVIEW, COMMANDS):
        decided = decide([Turn(message=ASKED, steps=steps)], NATIVE)
        assert isinstance(decided, Call)
        called.append(decided.tool)
        steps = [*steps, answer]
    edit = decide([Turn(message=ASKED, steps=steps)], NATIVE)
    assert called == ["read_native", "read_review", "find_commands"]
    assert isinstance(edit, Call)
    assert (edit.tool, edit.arguments["base_version"]) == ("edit_native", 3)
    assert edit.arguments["commands"] == [
        {"command": "replace_text", "arguments": {"quote": "17 February", "replacement": "3 March"}},
        {"command": "add_comment", "arguments": {"quote": "3 March", "text": "Legal asked for two more weeks."}},
    ]


def test_its_reply_names_the_version() -> None:
    reply = decide([Turn(message=ASKED, steps=[READ, REVIEW, COMMANDS, MADE])], NATIVE)
    assert isinstance(reply, str)
    assert "version 4" in reply


def test_a_check_out_ends_its_attempt_with_who_and_until_when() -> None:
    """A-10."""
    assert decide([Turn(message=ASKED, steps=[READ, REVIEW, COMMANDS, BUSY])], NATIVE) == BUSY.text


def test_after_the_check_in_it_makes_the_edit_that_waits_from_a_fresh_reading() -> None:
    """A-10."""
    before = Turn(message=ASKED, steps=[READ, REVIEW, COMMANDS, BUSY])
    first = decide([before, Turn(message="Go on.", steps=[])], NATIVE)
    then = decide([before, Turn(message="Go on.", steps=[READ_AGAIN, REVIEW, COMMANDS])], NATIVE)
    assert first == Call(tool="read_native", arguments={"artifact_id": "art_1"})
    assert isinstance(then, Call)
    assert then.arguments["base_version"] == 5


def test_its_reply_begins_with_what_it_was_told() -> None:
    """CN-02: a note begins no turn."""
    line = "- Alice changed art_1 (native_docx, v2 → v3): dated &lt;the&gt; tasks"
    note = f"<workspace-changes>\n{line}\n</workspace-changes>"
    prompts = [UserPromptPart(content="Go on."), UserPromptPart(content=note)]
    turns = turns_of([ModelRequest(parts=prompts)])
    assert [turn.message for turn in turns] == ["Go on."]
    reply = decide(turns, NATIVE)
    assert isinstance(reply, str)
    assert reply.startswith("I was told: Alice changed art_1 (native_docx, v2 → v3): dated <the> tasks. ")


def test_an_edit_that_was_made_is_not_made_again() -> None:
    made = Turn(message=ASKED, steps=[READ, REVIEW, COMMANDS, MADE])
    assert decide([made, Turn(message="Go on.", steps=[])], NATIVE) == "There is nothing left to do."


def test_refused_it_reads_again_and_tries_again() -> None:
    steps = [READ, REVIEW, COMMANDS, STALE]
    assert decide([Turn(message=ASKED, steps=steps)], NATIVE) == Call(
        tool="read_native", arguments={"artifact_id": "art_1"}
    )
    again = decide([Turn(message=ASKED, steps=[*steps, READ_AGAIN])], NATIVE)
    assert isinstance(again, Call)
    assert (again.tool, again.arguments["base_version"]) == ("edit_native", 5)


def test_when_the_tools_vanish_it_says_that_the_app_is_off_and_reads_on_without_them() -> None:
    turn = Turn(message="Read art_1 slowly.", steps=[READ, READ])
    assert decide([turn], GENERIC) == Call(tool="read_artifact", arguments={"artifact_id": "art_1"})
    generic = Step(tool="read_artifact", text="art_1 (native_docx, v3)", outcome="success")
    reply = decide([Turn(message="Read art_1 slowly.", steps=[READ, READ, generic])], GENERIC)
    assert isinstance(reply, str)
    assert "off" in reply
    assert generic.text in reply


def test_it_says_what_it_is() -> None:
    reply = decide([Turn(message="Write me a poem.", steps=[])], NATIVE)
    assert isinstance(reply, str)
    assert "script" in reply
    assert "LATTICE_MODEL" in reply


@pytest.mark.parametrize("outcome", ["failed", "retried"])
def test_what_it_cannot_read_it_does_not_edit(outcome: str) -> None:
    missing = Step(tool="read_native", text="there is no artifact art_1", outcome=outcome)
    reply = decide([Turn(message=ASKED, steps=[missing])], NATIVE)
    assert isinstance(reply, str)
    assert missing.text in reply


async def test_word_by_word_it_says_the_same_as_in_one_piece() -> None:
    """LO-01: so that a fresh installation shows live output, its calls as well."""
    agent = Agent(scripted_model())
    read: list[str] = []

    @agent.tool_plain
    def read_native(artifact_id: str) -> str:
        read.append(artifact_id)
        return "art_1, version 3"

    for message in ("Write me a poem.", "Read art_1 slowly"):
        async with agent.run_stream(message) as streamed:
            pieces = [piece async for piece in streamed.stream_text(delta=True, debounce_by=None)]
        assert len(pieces) > 3
        assert "".join(pieces) == (await agent.run(message)).output
    assert read == ["art_1"] * 8
