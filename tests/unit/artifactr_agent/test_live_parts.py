"""The frames of a model's answer, from whatever events that comes in."""

from artifactr.agent.live_output import LiveOutput
from artifactr.agent.streaming import Parts
from artifactr.core.frames import Frame, PartEnded, PartStarted, TextDelta, ThinkingDelta, ToolArgsDelta
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import (
    BinaryContent,
    FilePart,
    ModelResponsePart,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartEndEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)

WORDS = {"text": TextDelta, "thinking": ThinkingDelta, "tool-call": ToolArgsDelta}
FILE = FilePart(content=BinaryContent(data=b"x", media_type="image/png"))


def frames_of(*events: ModelResponseStreamEvent) -> list[Frame]:
    told: list[Frame] = []
    parts = Parts(LiveOutput(told.append))
    for event in events:
        parts.tell(event)
    parts.close()
    return told


def test_each_part_begins_has_its_words_and_ends() -> None:
    """LO-01, LO-06: counted over what is shown; what is no text is the log's to tell."""
    assert frames_of(
        PartStartEvent(index=0, part=ThinkingPart("Hm")),
        PartDeltaEvent(index=0, delta=ThinkingPartDelta(content_delta=".")),
        PartDeltaEvent(index=0, delta=ThinkingPartDelta(signature_delta="s")),
        PartEndEvent(index=0, part=ThinkingPart("Hm.")),
        PartStartEvent(index=1, part=FILE),
        PartStartEvent(index=2, part=TextPart("")),
        PartDeltaEvent(index=2, delta=TextPartDelta("Yes")),
        PartEndEvent(index=2, part=TextPart("Yes")),
        PartStartEvent(index=3, part=ToolCallPart("add_task", args='{"ti')),
        PartDeltaEvent(index=3, delta=ToolCallPartDelta(args_delta='tle": "x"}')),
        PartEndEvent(index=3, part=ToolCallPart("add_task", args='{"title": "x"}')),
    ) == [
        PartStarted(index=0, kind="thinking"),
        ThinkingDelta("Hm"),
        ThinkingDelta("."),
        PartEnded(index=0),
        PartStarted(index=1, kind="text"),
        TextDelta("Yes"),
        PartEnded(index=1),
        PartStarted(index=2, kind="tool-call", tool_name="add_task"),
        ToolArgsDelta('{"ti'),
        ToolArgsDelta('tle": "x"}'),
        PartEnded(index=2),
    ]


def test_arguments_that_come_as_an_object_are_json_again() -> None:
    """LO-01."""
    told = frames_of(PartStartEvent(index=0, part=ToolCallPart("add_task", args={"title": "x"})))
    assert told[1] == ToolArgsDelta('{"title": "x"}')


PART = st.sampled_from([TextPart(""), TextPart("a"), ThinkingPart("t"), ToolCallPart("tool", args="{"), FILE])
DELTA = st.sampled_from(
    [TextPartDelta("b"), ThinkingPartDelta(content_delta="u"), ToolCallPartDelta(args_delta="}"), ToolCallPartDelta()]
)
INDEX = st.integers(0, 3)


def _started(index: int, part: ModelResponsePart) -> ModelResponseStreamEvent:
    return PartStartEvent(index=index, part=part)


EVENT = st.one_of(
    st.builds(_started, INDEX, PART),
    st.builds(lambda index, delta: PartDeltaEvent(index=index, delta=delta), INDEX, DELTA),
    st.builds(lambda index, part: PartEndEvent(index=index, part=part), INDEX, PART),
)


@given(st.lists(EVENT, max_size=30))
def test_whatever_a_model_sends_the_frames_are_well_formed(events: list[ModelResponseStreamEvent]) -> None:
    """LO-06: parts are numbered without a gap and never overlap, and words stand inside a part."""
    open_part: int | None = None
    count = 0
    for frame in frames_of(*events):
        match frame:
            case PartStarted(index=index):
                assert (open_part, index) == (None, count)
                open_part, count = index, count + 1
            case PartEnded(index=index):
                assert index == open_part
                open_part = None
            case _:
                assert open_part is not None
                assert isinstance(frame, tuple(WORDS.values()))
    assert open_part is None
