"""Live frames as the contract has them."""

import pytest
from artifactr.core.frames import (
    AppLive,
    Draft,
    Frame,
    PartEnded,
    PartStarted,
    TextDelta,
    ThinkingDelta,
    ToolArgsDelta,
)
from lattice.agent.v1 import runs_service_pb2 as pb
from lattice_agent.grpc import to_proto


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            PartStarted(index=1, kind="tool-call", tool_name="add"),
            pb.WatchRunResponse(part_started=pb.PartStarted(index=1, kind="tool-call", tool_name="add")),
        ),
        (TextDelta("word"), pb.WatchRunResponse(text_delta="word")),
        (ThinkingDelta("hm"), pb.WatchRunResponse(thinking_delta="hm")),
        (ToolArgsDelta('{"a'), pb.WatchRunResponse(tool_arguments_delta='{"a')),
        (PartEnded(index=1), pb.WatchRunResponse(part_ended=pb.PartEnded(index=1))),
        (
            Draft(kind="plan", data="{}", artifact_id="plan_1"),
            pb.WatchRunResponse(draft=pb.Draft(kind="plan", data_json="{}", artifact_id="plan_1")),
        ),
        (AppLive(name="counted", data="3"), pb.WatchRunResponse(app_live=pb.AppLive(name="counted", data_json="3"))),
    ],
)
def test_each_frame_has_a_message_of_its_own(frame: Frame, message: pb.WatchRunResponse) -> None:
    """LO-01."""
    assert to_proto.frame(frame) == message


def test_half_a_character_breaks_no_watch() -> None:
    """LO-01: JSON can hold half of a surrogate pair, and no message can."""
    assert to_proto.frame(TextDelta("a\ud83d")).text_delta == "a?"
    assert to_proto.frame(AppLive(name="\ude00")).app_live.name == "?"
