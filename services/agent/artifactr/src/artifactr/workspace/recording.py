"""Recording facts of runs within a transaction: what may follow is appended, and the run kept as it stands after it."""

from dataclasses import replace
from typing import Final

from artifactr.core import runs as rules
from artifactr.core.actors import NOBODY, Actor, Principal, SystemActor
from artifactr.core.events import RunFact, ToolCalled, ToolReturned
from artifactr.core.rejections import StaleClaim
from artifactr.core.runs import Run
from artifactr.core.segments import HistoryChunk
from artifactr.core.threads import Claim
from artifactr.store import claims as claims_store
from artifactr.store import log
from artifactr.store import runs as runs_store
from artifactr.store import threads as threads_store
from artifactr.store.runs import Recording
from artifactr.store.unit_of_work import Work
from artifactr.workspace.threads import require_thread

RUNNER: Final = SystemActor(name="runner")
"""Who records the end of a run that its own agent cannot record."""


async def require_newest(work: Work, claim: Claim) -> None:
    """Keep whoever holds an overtaken claim out; StaleClaim where a later one was given out [MP-21]."""
    if await claims_store.hold_newest_token(work.connection, work.key, claim.thread_id) != claim.token:
        raise StaleClaim(scope=claim.thread_id)


async def apply(
    work: Work,
    actor: Actor,
    fact: RunFact,
    *,
    claim_token: int | None = None,
    taken: int | None = None,
    principal: Principal = NOBODY,
) -> Run:
    """Append a fact that may follow, and answer the run as it stands after it; raises what `runs.after` does.

    `principal` is for whom a run works that the fact starts; one that is there keeps its own [SE-08].
    """
    found = await runs_store.find_run(work.connection, work.key, fact.run_id)
    run = rules.after(None if found is None else found.run, fact, actor)
    if found is None:
        run = replace(run, principal=principal)
    if taken is not None:
        run = replace(run, taken=taken)
    log_sequence = work.append(fact, actor)
    recording = Recording(
        run=run,
        position=log_sequence if found is None else found.position,
        claim_token=(0 if found is None else found.claim_token) if claim_token is None else claim_token,
    )
    await runs_store.save_run(work.connection, work.key, recording)
    return run


async def save_chunk(work: Work, thread_id: str, run_id: str, data: bytes, *, notes_through: int, taken: int) -> None:
    """Keep the segment's history and what it took; both positions only grow."""
    thread = await require_thread(work.connection, work.key, thread_id)
    moved = replace(thread, taken=max(thread.taken, taken), notes_through=max(thread.notes_through, notes_through))
    await threads_store.update_thread(work.connection, work.key, moved)
    chunk = HistoryChunk(run_id=run_id, data=data, log_sequence=work.head, notes_through=moved.notes_through)
    await runs_store.insert_chunk(work.connection, work.key, thread_id, chunk)


async def open_calls(work: Work, run_id: str) -> frozenset[str]:
    """The ids of the calls of a run that are recorded as called and not as returned, before this transaction."""
    events = [it.event for it in await log.read(work.connection, log.entries_of_run(work.key, run_id))]
    called = {it.tool_call_id for it in events if isinstance(it, ToolCalled)}
    return frozenset(called - {it.tool_call_id for it in events if isinstance(it, ToolReturned)})
