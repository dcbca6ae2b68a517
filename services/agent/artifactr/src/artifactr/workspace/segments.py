"""Segments of runs: how they start, what is recorded of them, how they end, and what becomes of abandoned ones."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from artifactr.core import runs as rules
from artifactr.core.actors import Actor, Caller, SystemActor
from artifactr.core.events import (
    Envelope,
    MessagePosted,
    RunEnded,
    RunFact,
    RunStarted,
    RunStatus,
    ToolCalled,
    ToolReturned,
    ToolStatus,
)
from artifactr.core.ids import new_id
from artifactr.core.rejections import InvalidState, StaleClaim
from artifactr.core.segments import (
    AbandonedSegment,
    HistoryChunk,
    RecordedCall,
    SegmentEnd,
    SegmentStart,
    StartedSegment,
)
from artifactr.core.threads import Claim
from artifactr.store import claims as claims_store
from artifactr.store import log
from artifactr.store import runs as runs_store
from artifactr.store import threads as threads_store
from artifactr.store.runs import Recording
from artifactr.store.unit_of_work import UnitOfWork, Work
from artifactr.workspace.commands import post, require_thread

DIRECT_RUN_SILENCE: Final = timedelta(minutes=10)
"""After how long without a new event a direct run, which holds no claim, counts as abandoned [RN-13]."""

RUNNER: Final = SystemActor(name="runner")
"""Who records the end of an abandoned run."""

ABANDONED: Final = "abandoned"
OUTCOME_UNKNOWN: Final = "the process was lost; the outcome of this call is unknown"

WriteChunk = Callable[[AbandonedSegment], bytes]
"""Makes the history chunk of an abandoned segment; pure, as it is called while a transaction is open."""


async def start(unit: UnitOfWork, caller: Caller, segment: SegmentStart) -> StartedSegment:
    """Record the start of a segment together with the message it takes [TH-09, 29.4 step 2].

    Raises InvalidState where the message was taken before or the run cannot start, and StaleClaim where a later claim
    on the thread was given out; nothing is consumed then [TH-10].
    """
    async with unit.begin(caller.key) as work:
        thread = await require_thread(work.connection, work.key, segment.thread_id)
        if segment.claim is not None:
            await _require_newest(work, segment.claim)
        if 0 < segment.taken <= thread.taken:
            raise InvalidState(why=f"the message at {segment.taken} was taken before")
        fact = RunStarted(
            run_id=segment.run_id,
            thread_id=thread.id,
            trigger=segment.trigger,
            trace_id=segment.trace_id,
        )
        token = 0 if segment.claim is None else segment.claim.token
        await _apply(work, caller.actor, fact, claim_token=token, taken=segment.taken)
        if segment.taken:
            await threads_store.mark_begun(work.connection, work.key, segment.taken, segment.run_id)
        taken = max(thread.taken, segment.taken)
        await threads_store.update_thread(work.connection, work.key, replace(thread, taken=taken))
        return StartedSegment(
            log_sequence=work.head,
            notes_after=thread.notes_through,
            boundary=max(taken, thread.notes_through),
            focus=thread.focus,
        )


async def record(unit: UnitOfWork, caller: Caller, facts: Sequence[RunFact]) -> int:
    """Record facts of a run in one transaction, and answer the number of the last [RN-03 to RN-05]."""
    async with unit.begin(caller.key) as work:
        for fact in facts:
            await _apply(work, caller.actor, fact)
        return work.head


async def end(unit: UnitOfWork, caller: Caller, segment: SegmentEnd) -> int:
    """Record the end of a segment with all that belongs to it, and answer the number of its closing fact.

    One transaction holds the reply, the closing fact, the history, `notes_through` and the taken position, so none is
    ever seen without the others [AMB-20, HI-02, X-04].
    """
    async with unit.begin(caller.key) as work:
        if segment.notes_through > work.head:
            raise InvalidState(why=f"the log ends at {work.head}, before {segment.notes_through}")
        for returned in segment.closing:
            await _apply(work, caller.actor, returned)
        if segment.reply.strip():
            reply = MessagePosted(thread_id=segment.end.thread_id, message_id=new_id("msg"), content=segment.reply)
            await post(work, caller.actor, reply, through_runner=False)
        await _apply(work, caller.actor, segment.end)
        await _save_chunk(
            work,
            segment.end.thread_id,
            segment.end.run_id,
            segment.history,
            notes_through=segment.notes_through,
            taken=segment.taken,
        )
        return work.head


async def abandon(unit: UnitOfWork, caller: Caller, claim: Claim, chunk: WriteChunk) -> list[str]:
    """Record every run of the claimed thread that nobody carries on as failed, and answer their ids [RN-13].

    Each gets in one transaction the returns of its open calls, a chunk made from the log, and its end. `notes_through`
    stays where it was: the next run is told again what these were told [HI-03, CN-14].
    """
    async with unit.begin(caller.key) as work:
        await _require_newest(work, claim)
        lost = await runs_store.abandoned_runs(
            work.connection, work.key, claim.thread_id, token=claim.token, silence=DIRECT_RUN_SILENCE
        )
        for recording in lost:
            await _abandon(work, recording, chunk)
        return [recording.run.id for recording in lost]


async def _require_newest(work: Work, claim: Claim) -> None:
    if await claims_store.hold_newest_token(work.connection, work.key, claim.thread_id) != claim.token:
        raise StaleClaim(scope=claim.thread_id)


async def _apply(
    work: Work, actor: Actor, fact: RunFact, *, claim_token: int | None = None, taken: int | None = None
) -> None:
    """Append a fact that may follow, and keep the run as it stands after it."""
    found = await runs_store.find_run(work.connection, work.key, fact.run_id)
    run = rules.after(None if found is None else found.run, fact, actor)
    log_sequence = work.append(fact, actor)
    recording = Recording(
        run=run if taken is None else replace(run, taken=taken),
        position=log_sequence if found is None else found.position,
        claim_token=(0 if found is None else found.claim_token) if claim_token is None else claim_token,
    )
    await runs_store.save_run(work.connection, work.key, recording)


async def _save_chunk(work: Work, thread_id: str, run_id: str, data: bytes, *, notes_through: int, taken: int) -> None:
    """Keep the segment's history and what it took; both positions only grow."""
    thread = await require_thread(work.connection, work.key, thread_id)
    moved = replace(thread, taken=max(thread.taken, taken), notes_through=max(thread.notes_through, notes_through))
    await threads_store.update_thread(work.connection, work.key, moved)
    chunk = HistoryChunk(run_id=run_id, data=data, log_sequence=work.head, notes_through=moved.notes_through)
    await runs_store.insert_chunk(work.connection, work.key, thread_id, chunk)


async def _abandon(work: Work, recording: Recording, chunk: WriteChunk) -> None:
    run = recording.run
    entries = await log.read(work.connection, log.entries_of_run(work.key, run.id))
    started = max(index for index, envelope in enumerate(entries) if isinstance(envelope.event, RunStarted))
    segment = entries[started:]
    messages = [await threads_store.message_at(work.connection, work.key, run.taken)] if run.taken else []
    calls = _calls(segment)
    for call in calls:
        if call.returned is None:
            unknown = ToolReturned(
                run_id=run.id,
                thread_id=run.thread_id,
                tool_call_id=call.tool_call_id,
                tool_name=call.tool_name,
                status=ToolStatus.ERROR,
                summary=OUTCOME_UNKNOWN,
            )
            await _apply(work, RUNNER, unknown)
    ended = RunEnded(
        run_id=run.id,
        thread_id=run.thread_id,
        status=RunStatus.FAILED,
        error="abandoned: the claim on the thread lapsed",
        reason=ABANDONED,
    )
    await _apply(work, RUNNER, ended)
    lost = AbandonedSegment(run_id=run.id, agent=segment[0].actor, messages=tuple(messages), calls=calls)
    await _save_chunk(work, run.thread_id, run.id, chunk(lost), notes_through=0, taken=0)


def _calls(segment: Sequence[Envelope]) -> tuple[RecordedCall, ...]:
    """The tool calls that the segment made, in order, each with what is known of its outcome."""
    returned = {
        envelope.event.tool_call_id: envelope.event for envelope in segment if isinstance(envelope.event, ToolReturned)
    }
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
