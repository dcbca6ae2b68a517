"""Segments of runs: how they start, what is recorded of them, and how they end."""

from collections.abc import Sequence
from dataclasses import replace

from lattice_chassis.failpoints import failpoint

from artifactr.core.actors import Caller
from artifactr.core.events import MessagePosted, RunFact, RunStarted
from artifactr.core.ids import new_id
from artifactr.core.rejections import InvalidState
from artifactr.core.segments import SegmentEnd, SegmentStart, StartedSegment
from artifactr.store import threads as threads_store
from artifactr.store.unit_of_work import UnitOfWork
from artifactr.workspace.recording import apply, open_calls, require_newest, save_chunk
from artifactr.workspace.threads import post, require_thread


async def start(unit: UnitOfWork, caller: Caller, segment: SegmentStart) -> StartedSegment:
    """Record the start of a segment together with the message it takes [TH-09, 29.4 step 2].

    A new run works for the caller's principal until its end, whoever resumes it [SE-08].
    Raises InvalidState where the message was taken before or the run cannot start, and StaleClaim where a later claim
    on the thread was given out; nothing is consumed then [TH-10].
    """
    async with unit.begin(caller.key) as work:
        thread = await require_thread(work.connection, work.key, segment.thread_id)
        if segment.claim is not None:
            await require_newest(work, segment.claim)
        if 0 < segment.taken <= thread.taken:
            raise InvalidState(why=f"the message at {segment.taken} was taken before")
        fact = RunStarted(
            run_id=segment.run_id,
            thread_id=thread.id,
            trigger=segment.trigger,
            trace_id=segment.trace_id,
        )
        token = 0 if segment.claim is None else segment.claim.token
        await apply(work, caller.actor, fact, claim_token=token, taken=segment.taken, principal=caller.principal)
        for returned in segment.returned:
            await apply(work, caller.actor, returned)
        if segment.taken:
            await threads_store.mark_begun(work.connection, work.key, segment.taken, segment.run_id)
        still_open = await open_calls(work, segment.run_id)
        taken = max(thread.taken, segment.taken)
        await threads_store.update_thread(work.connection, work.key, replace(thread, taken=taken))
        return StartedSegment(
            log_sequence=work.head,
            notes_after=thread.notes_through,
            boundary=max(taken, thread.notes_through),
            focus=thread.focus,
            open_calls=still_open - {it.tool_call_id for it in segment.returned},
        )


async def record(unit: UnitOfWork, caller: Caller, facts: Sequence[RunFact]) -> int:
    """Record facts of a run in one transaction, and answer the number of the last [RN-03 to RN-05]."""
    async with unit.begin(caller.key) as work:
        for fact in facts:
            await apply(work, caller.actor, fact)
        return work.head


async def end(unit: UnitOfWork, caller: Caller, segment: SegmentEnd) -> int:
    """Record the end of a segment with all that belongs to it, and answer the number of its closing fact.

    One transaction holds the reply, the closing fact, the history, `notes_through` and the taken position, so none is
    ever seen without the others [AMB-20, HI-02, X-04].
    """
    async with unit.begin(caller.key) as work:
        if segment.notes_through > work.head:
            raise InvalidState(why=f"the log ends at {work.head}, before {segment.notes_through}")
        still_open = await open_calls(work, segment.end.run_id) if segment.closing else frozenset()
        for returned in segment.closing:
            if returned.tool_call_id in still_open:
                await apply(work, caller.actor, returned)
        if segment.reply.strip():
            reply = MessagePosted(thread_id=segment.end.thread_id, message_id=new_id("msg"), content=segment.reply)
            await post(work, caller, reply, through_runner=False)
        await apply(work, caller.actor, segment.end)
        failpoint("segment.recorded")
        await save_chunk(
            work,
            segment.end.thread_id,
            segment.end.run_id,
            segment.history,
            notes_through=segment.notes_through,
            taken=segment.taken,
        )
        return work.head
