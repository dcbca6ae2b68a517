"""Taking over a thread whose runs nobody carries on: they are recorded as failed, with what the log tells [RN-13]."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from artifactr.core.actors import Caller
from artifactr.core.events import (
    Envelope,
    RunEnded,
    RunPaused,
    RunStarted,
    RunStatus,
    ToolCalled,
    ToolReturned,
    ToolStatus,
)
from artifactr.core.segments import AbandonedSegment, RecordedCall
from artifactr.core.threads import Claim
from artifactr.store import log
from artifactr.store import runs as runs_store
from artifactr.store import threads as threads_store
from artifactr.store.runs import Recording
from artifactr.store.unit_of_work import UnitOfWork, Work
from artifactr.workspace.recording import RUNNER, apply, require_newest, save_chunk

DIRECT_RUN_SILENCE: Final = timedelta(minutes=10)
"""After how long without a new event a direct run, which holds no claim, counts as abandoned [RN-13]."""

ABANDONED: Final = "abandoned"
OUTCOME_UNKNOWN: Final = "the process was lost; the outcome of this call is unknown"

WriteChunk = Callable[[AbandonedSegment], bytes]
"""Makes the history chunk of an abandoned segment; pure, as it is called while a transaction is open."""


async def abandon(unit: UnitOfWork, caller: Caller, claim: Claim, chunk: WriteChunk) -> list[str]:
    """Record every run of the claimed thread that nobody carries on as failed, and answer their ids [RN-13].

    Each gets in one transaction the returns of its open calls, a chunk made from the log, and its end. `notes_through`
    stays where it was: the next run is told again what these were told [HI-03, CN-14].
    """
    async with unit.begin(caller.key) as work:
        await require_newest(work, claim)
        lost = await runs_store.abandoned_runs(
            work.connection, work.key, claim.thread_id, token=claim.token, silence=DIRECT_RUN_SILENCE
        )
        for recording in lost:
            await _abandon(work, recording, chunk)
        return [recording.run.id for recording in lost]


async def _abandon(work: Work, recording: Recording, chunk: WriteChunk) -> None:
    run = recording.run
    entries = await log.read(work.connection, log.entries_of_run(work.key, run.id))
    started = max(index for index, envelope in enumerate(entries) if isinstance(envelope.event, RunStarted))
    before, segment = entries[:started], entries[started:]
    taken = [run.taken] if run.taken else run.heard
    messages = [await threads_store.message_at(work.connection, work.key, it) for it in taken]
    resumed = _resumed(before, segment)
    again = {call.tool_call_id for call in resumed}
    calls = tuple(call for call in _calls(segment) if call.tool_call_id not in again)
    for call in (*resumed, *calls):
        if call.called and call.returned is None:
            unknown = ToolReturned(
                run_id=run.id,
                thread_id=run.thread_id,
                tool_call_id=call.tool_call_id,
                tool_name=call.tool_name,
                status=ToolStatus.ERROR,
                summary=OUTCOME_UNKNOWN,
            )
            await apply(work, RUNNER, unknown)
    ended = RunEnded(
        run_id=run.id,
        thread_id=run.thread_id,
        status=RunStatus.FAILED,
        error="abandoned: the claim on the thread lapsed",
        reason=ABANDONED,
    )
    await apply(work, RUNNER, ended)
    lost = AbandonedSegment(
        run_id=run.id, agent=segment[0].actor, messages=tuple(messages), resumed=resumed, calls=calls
    )
    await save_chunk(work, run.thread_id, run.id, chunk(lost), notes_through=0, taken=0)


def _resumed(before: Sequence[Envelope], segment: Sequence[Envelope]) -> tuple[RecordedCall, ...]:
    """The calls that were open at the pause before the segment, each with what is known of its outcome."""
    pauses = [envelope.event.requests for envelope in before if isinstance(envelope.event, RunPaused)]
    called = {it.event.tool_call_id for it in (*before, *segment) if isinstance(it.event, ToolCalled)}
    returned = _returned(segment)
    return tuple(
        RecordedCall(
            tool_call_id=request.tool_call_id,
            tool_name=request.tool_name,
            arguments_summary=request.arguments,
            returned=returned.get(request.tool_call_id),
            called=request.tool_call_id in called,
        )
        for request in (pauses[-1] if pauses else ())
    )


def _calls(segment: Sequence[Envelope]) -> tuple[RecordedCall, ...]:
    """The tool calls that the segment made, in order, each with what is known of its outcome."""
    returned = _returned(segment)
    return tuple(
        RecordedCall(
            tool_call_id=envelope.event.tool_call_id,
            tool_name=envelope.event.tool_name,
            arguments_summary=envelope.event.arguments_summary,
            returned=returned.get(envelope.event.tool_call_id),
        )
        for envelope in segment
        if isinstance(envelope.event, ToolCalled)
    )


def _returned(segment: Sequence[Envelope]) -> dict[str, ToolReturned]:
    return {it.event.tool_call_id: it.event for it in segment if isinstance(it.event, ToolReturned)}
