"""Paused runs: people's answers, a message as the reply, and the end of a run that nobody answers [TH-04, PA-03]."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from artifactr.core import runs as rules
from artifactr.core.actors import Actor, Caller, WorkspaceKey
from artifactr.core.commands import AnswerDeferred, Recorded
from artifactr.core.events import DeferredAnswered, RunEnded, RunPaused, RunStatus, ToolReturned, ToolStatus
from artifactr.core.rejections import InvalidState, NotFound
from artifactr.core.runs import Run
from artifactr.core.threads import Claim, Message
from artifactr.store import log
from artifactr.store import runs as runs_store
from artifactr.store import threads as threads_store
from artifactr.store.runs import Recording
from artifactr.store.unit_of_work import UnitOfWork, Work
from artifactr.workspace.recording import RUNNER, apply, open_calls, require_newest, save_chunk
from artifactr.workspace.threads import require_thread

NOT_ANSWERED: Final = "the run was stopped before this was answered"

NOT_GONE_ON: Final = "the run was stopped before it went on with the answer"

CloseCalls = Callable[[Run, Sequence[Message]], bytes]
"""Makes the history chunk that closes the calls of a paused run and tells the messages that it heard; pure, as a
transaction is open."""


async def answer(work: Work, actor: Actor, command: AnswerDeferred) -> Recorded:
    """Answer one open request of a paused run [PA-03].

    Raises NotFound for an unknown run or request; InvalidState where the run is not paused, the request is answered or
    the answer of the wrong kind [PA-04]; Forbidden where the actor may not answer it [AMB-28].
    """
    thread_id = (await _require_run(work, command.run_id)).run.thread_id
    answered = DeferredAnswered(
        run_id=command.run_id,
        thread_id=thread_id,
        tool_call_id=command.tool_call_id,
        answer=command.answer,
        approved=command.approved,
    )
    run = await apply(work, actor, answered)
    thread = await require_thread(work.connection, work.key, thread_id)
    return Recorded(log_sequence=work.head, id=run.id, state=thread, resumes=not run.open_requests)


async def reply(unit: UnitOfWork, caller: Caller, claim: Claim, run_id: str, message: Message) -> Run:
    """Take a message as the reply to a paused run, and answer the run after it [TH-04, TH-09, PA-08].

    One whose author may answer nothing of what is open is kept for the resumed segment to begin with. Raises
    InvalidState where it was taken before, StaleClaim where a later claim on the thread was given out.
    """
    async with unit.begin(caller.key) as work:
        await require_newest(work, claim)
        thread = await require_thread(work.connection, work.key, message.thread_id)
        if message.log_sequence <= thread.taken:
            raise InvalidState(why=f"the message at {message.log_sequence} was taken before")
        recording = await _require_run(work, run_id)
        run, answers = recording.run, rules.reply(recording.run, message.content, message.actor)
        for answered in answers:
            run = await apply(work, message.actor, answered)
        if not answers:
            run = replace(run, heard=(*run.heard, message.log_sequence))
            await runs_store.save_run(work.connection, work.key, replace(recording, run=run))
        elif not run.open_requests:
            await threads_store.mark_begun(work.connection, work.key, message.log_sequence, run_id)
        await threads_store.update_thread(work.connection, work.key, replace(thread, taken=message.log_sequence))
        return run


async def traces(unit: UnitOfWork, key: WorkspaceKey, run_id: str) -> list[str]:
    """The traceparents of a run's last pause and of each answer to it, in their order [TR-03]."""
    async with unit.unlocked(key) as connection:
        entries = await log.read(connection, log.entries_of_run(key, run_id))
    paused = max(index for index, entry in enumerate(entries) if isinstance(entry.event, RunPaused))
    led = [it for it in entries[paused:] if isinstance(it.event, RunPaused | DeferredAnswered)]
    return [it.traceparent for it in led if it.traceparent]


async def stop(unit: UnitOfWork, caller: Caller, claim: Claim, run_id: str, chunk: CloseCalls) -> None:
    """End a paused run; its calls are closed in the history, so that the thread can go on [RN-02, HI-06].

    What was answered or said meanwhile is in the history, too: it counts as taken, and nobody tells it again [TH-08].

    Raises NotFound where there is no such run, InvalidState where it is not paused, StaleClaim as `reply` does.
    """
    async with unit.begin(caller.key) as work:
        await require_newest(work, claim)
        run = (await _require_run(work, run_id)).run
        if run.status is not RunStatus.PAUSED:
            raise InvalidState(why=f"run {run_id} is {run.status}")
        called = await open_calls(work, run_id)
        heard = [await threads_store.message_at(work.connection, work.key, it) for it in run.heard]
        for request in run.pending:
            if request.tool_call_id in called:
                returned = ToolReturned(
                    run_id=run_id,
                    thread_id=run.thread_id,
                    tool_call_id=request.tool_call_id,
                    tool_name=request.tool_name,
                    status=ToolStatus.ERROR,
                    summary=NOT_ANSWERED if request in run.open_requests else NOT_GONE_ON,
                )
                await apply(work, RUNNER, returned)
        ended = RunEnded(run_id=run_id, thread_id=run.thread_id, status=RunStatus.STOPPED, usage=run.usage)
        await apply(work, RUNNER, ended)
        await save_chunk(work, run.thread_id, run_id, chunk(run, heard), notes_through=0, taken=0)


async def _require_run(work: Work, run_id: str) -> Recording:
    found = await runs_store.find_run(work.connection, work.key, run_id)
    if found is None:
        raise NotFound(entity="run", id=run_id)
    return found
