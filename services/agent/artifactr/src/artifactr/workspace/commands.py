"""Commands on threads and runs: load, decide, save, in one transaction [WP-02]."""

import json
from typing import Final, assert_never

from lattice_chassis.telemetry import span

from artifactr.core.actors import Actor, Caller
from artifactr.core.commands import (
    AnswerDeferred,
    Command,
    CreateThread,
    PostMessage,
    RecordAppEvent,
    Recorded,
    SetFocus,
    SetThreadMode,
)
from artifactr.core.events import AppEvent, MessagePosted, ThreadCreated, ThreadEvent, ThreadMode
from artifactr.core.ids import new_id
from artifactr.core.rejections import InvalidState, ValidationFailed
from artifactr.core.threads import Thread, created, with_focus, with_mode
from artifactr.store import threads as threads_store
from artifactr.store import turns as turns_store
from artifactr.store.request_memory import Request, first_answer, remember
from artifactr.store.unit_of_work import UnitOfWork, Work
from artifactr.workspace import pauses
from artifactr.workspace.threads import post, require_thread

MAX_ID: Final = 200
"""Characters of the longest id that a caller may choose [VO-08]."""
MAX_EVENT: Final = 100_000
"""Characters of the data of the largest event of an application's own."""


async def commit(unit: UnitOfWork, caller: Caller, command: Command, request: Request | None) -> Recorded:
    """Carry a command out, or answer a repeat as the first call was [ID-03]; a rejection changes nothing."""
    with span("commit"):
        async with unit.begin(caller.key) as work:
            first = await first_answer(work.connection, caller, request)
            if first is not None:
                return first
            recorded = await _carry_out(work, caller, command)
            await remember(work.connection, caller, request, recorded)
            return recorded


async def request_stop(unit: UnitOfWork, caller: Caller, run_id: str, request: Request | None) -> None:
    """Keep that a run is to be stopped, and the request that asked for it."""
    async with unit.begin(caller.key) as work:
        await turns_store.request_stop(work.connection, work.key, run_id)
        if request is not None and await first_answer(work.connection, caller, request) is None:
            await remember(work.connection, caller, request, Recorded(log_sequence=0, id=run_id))


async def follow(unit: UnitOfWork, caller: Caller, thread_id: str, artifact_id: str) -> None:
    """Add an artifact to what a thread follows; one already followed appends nothing [TH-03]."""
    async with unit.begin(caller.key) as work:
        thread = await require_thread(work.connection, work.key, thread_id)
        await _save(work, caller.actor, *with_focus(thread, (*thread.focus, artifact_id)))


async def _carry_out(work: Work, caller: Caller, command: Command) -> Recorded:
    actor = caller.actor
    match command:
        case CreateThread():
            return await _create_thread(work, actor, command)
        case SetThreadMode():
            thread = await require_thread(work.connection, work.key, command.thread_id)
            return await _save(work, actor, *with_mode(thread, ThreadMode(command.mode)))
        case SetFocus():
            thread = await require_thread(work.connection, work.key, command.thread_id)
            return await _save(work, actor, *with_focus(thread, command.artifact_ids))
        case PostMessage():
            return await _post_message(work, caller, command)
        case AnswerDeferred():
            return await pauses.answer(work, actor, command)
        case RecordAppEvent():
            return await _record_app_event(work, actor, command)
        case _:
            assert_never(command)


async def _create_thread(work: Work, actor: Actor, command: CreateThread) -> Recorded:
    thread = created(_chosen("thread_id", command.thread_id) or new_id("thr"), command.title, command.agent_name)
    if await threads_store.find_thread(work.connection, work.key, thread.id) is not None:
        raise InvalidState(why=f"thread id {thread.id} was used before")
    event = ThreadCreated(thread_id=thread.id, title=thread.title, agent_name=thread.agent_name)
    log_sequence = work.append(event, actor)
    await threads_store.insert_thread(work.connection, work.key, thread, position=log_sequence)
    return Recorded(log_sequence=log_sequence, id=thread.id, state=thread)


async def _post_message(work: Work, caller: Caller, command: PostMessage) -> Recorded:
    if not command.content.strip():  # a provider refuses blank text, and would whenever it stands in the history
        raise ValidationFailed(errors=("content: needs one character at least that is no space",))
    thread = await require_thread(work.connection, work.key, command.thread_id)
    message_id = _chosen("message_id", command.message_id) or new_id("msg")
    event = MessagePosted(thread_id=thread.id, message_id=message_id, content=command.content)
    log_sequence = await post(work, caller, event, through_runner=command.through_runner)
    return Recorded(log_sequence=log_sequence, id=message_id, state=thread)


async def _record_app_event(work: Work, actor: Actor, command: RecordAppEvent) -> Recorded:
    errors = []
    if not command.name.strip() or len(command.name) > MAX_ID:
        errors.append(f"event.name: needs 1 to {MAX_ID} characters")
    if len(command.data) > MAX_EVENT:
        errors.append(f"event.data_json: has more than {MAX_EVENT} characters")
    elif not _is_json(command.data):
        errors.append("event.data_json: is no JSON")
    if errors:
        raise ValidationFailed(errors=tuple(errors))
    thread = await require_thread(work.connection, work.key, command.thread_id) if command.thread_id else None
    event = AppEvent(name=command.name, data=command.data, thread_id=command.thread_id)
    return Recorded(log_sequence=work.append(event, actor), id=command.thread_id, state=thread)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


async def _save(work: Work, actor: Actor, thread: Thread, event: ThreadEvent | None) -> Recorded:
    if event is None:
        return Recorded(log_sequence=0, id=thread.id, state=thread)
    await threads_store.update_thread(work.connection, work.key, thread)
    return Recorded(log_sequence=work.append(event, actor), id=thread.id, state=thread)


def _chosen(field: str, chosen: str) -> str:
    """An id of the caller's choosing, which becomes part of resource names."""
    if len(chosen) > MAX_ID or "/" in chosen or "\0" in chosen:
        raise ValidationFailed(errors=(f"{field}: at most {MAX_ID} characters, no slash and no NUL",))
    return chosen
