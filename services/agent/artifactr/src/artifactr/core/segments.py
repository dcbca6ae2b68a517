"""A segment of a run: how it starts and ends, each in one transaction [X-04, HI-02, 29.4]."""

from collections.abc import Sequence
from dataclasses import dataclass

from artifactr.core.actors import Actor
from artifactr.core.events import RunEnded, RunPaused, RunTrigger, ToolReturned
from artifactr.core.threads import Claim, Message


@dataclass(frozen=True, kw_only=True)
class SegmentStart:
    """A segment about to start.

    `taken` is the log position of the prompt that it takes, 0 for none; `claim` the one it runs under, None for a
    direct run [RN-18]; `returned` are the calls that people's answers end before anything runs [AMB-29].
    """

    run_id: str
    thread_id: str
    trigger: RunTrigger
    taken: int = 0
    trace_id: str = ""
    claim: Claim | None = None
    returned: Sequence[ToolReturned] = ()


@dataclass(frozen=True, kw_only=True)
class StartedSegment:
    """A recorded start.

    `log_sequence` is the log's head then. What was missed, `notes_after` < seq <= `log_sequence`, is judged with
    `focus`; messages after `boundary` steer the run [29.4 steps 1 to 3]. `open_calls` are the ids of the calls that
    earlier segments of the run made and that have not returned.
    """

    log_sequence: int
    notes_after: int
    boundary: int
    focus: tuple[str, ...]
    open_calls: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class SegmentEnd:
    """What one transaction records at the end of a segment [AMB-20].

    `closing` ends calls still open [HI-03]; `reply` is posted unless it is blank [RN-06]; `history` are
    the segment's new model messages, opaque here; `notes_through` is the greatest log position delivered to the model
    [CN-13]; `taken` that of the last message delivered to it, 0 when none was after the start.
    """

    end: RunEnded | RunPaused
    history: bytes
    notes_through: int
    taken: int = 0
    reply: str = ""
    closing: Sequence[ToolReturned] = ()


@dataclass(frozen=True, kw_only=True)
class HistoryChunk:
    """The new model messages of one segment, as they were saved [HI-01, HI-04]."""

    run_id: str
    data: bytes
    log_sequence: int
    notes_through: int


@dataclass(frozen=True, kw_only=True)
class RecordedCall:
    """A tool call as the log tells of it; `returned` is None when its outcome is unknown.

    One that was approved and not `called` yet did not run.
    """

    tool_call_id: str
    tool_name: str
    arguments_summary: str
    returned: ToolReturned | None
    called: bool = True


@dataclass(frozen=True, kw_only=True)
class AbandonedSegment:
    """A segment whose process died, as the log tells of it [HI-03].

    `resumed` are the calls that the saved history left open at the pause before it, `calls` those that came after.
    """

    run_id: str
    agent: Actor
    messages: tuple[Message, ...]
    resumed: tuple[RecordedCall, ...]
    calls: tuple[RecordedCall, ...]
