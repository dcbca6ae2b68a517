"""Threads and messages in the database; each query is of one workspace."""

from typing import Any, Final

from sqlalchemy import ColumnElement, Row, ScalarSelect, bindparam, func, literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from artifactr.core.actors import NOBODY, Actor, AgentActor, Principal, WorkspaceKey, agent_of, editor_of
from artifactr.core.events import MessagePosted
from artifactr.core.threads import Message, Thread
from artifactr.store import log
from artifactr.store.entities import PRINCIPALS, THREADS, principal_entity, thread_entity
from artifactr.store.runs import ACTIVE
from artifactr.store.tables import columns_of, messages, of_workspace, runs, threads, within


def _active_run() -> ScalarSelect[str]:
    """The newest run of the thread that has not ended."""
    own = (
        (runs.c.tenant == threads.c.tenant)
        & (runs.c.workspace == threads.c.workspace)
        & (runs.c.thread_id == threads.c.thread_id)
    )
    newest = select(runs.c.run_id).where(own, runs.c.status.in_(ACTIVE)).order_by(runs.c.position.desc()).limit(1)
    return newest.correlate(threads).scalar_subquery()


_THREADS: Final = select(
    threads.c.position,
    threads.c.agent_name,
    threads.c.entity,
    func.coalesce(_active_run(), "").label("active_run_id"),
).where(of_workspace(threads))
_FIND: Final = _THREADS.where(threads.c.thread_id == bindparam("thread_id"))


def _thread(row: Row[Any]) -> Thread:
    return THREADS.validate_python({**row.entity, "agent_name": row.agent_name, "active_run_id": row.active_run_id})


async def find_thread(connection: AsyncConnection, key: WorkspaceKey, thread_id: str) -> Thread | None:
    """The thread, or None where there is none."""
    row = (await connection.execute(_FIND, {**columns_of(key), "thread_id": thread_id})).one_or_none()
    return None if row is None else _thread(row)


async def list_threads(
    connection: AsyncConnection, key: WorkspaceKey, *, after: int, limit: int
) -> list[tuple[int, Thread]]:
    """Threads created after a position, oldest first, each with its own position."""
    query = _THREADS.where(threads.c.position > after).order_by(threads.c.position).limit(limit)
    return [(row.position, _thread(row)) for row in await connection.execute(query, columns_of(key))]


async def insert_thread(connection: AsyncConnection, key: WorkspaceKey, thread: Thread, *, position: int) -> None:
    """Keep a new thread, created by the entry at `position`."""
    row = {
        "thread_id": thread.id,
        "position": position,
        "agent_name": thread.agent_name,
        "entity": thread_entity(thread),
    }
    await connection.execute(insert(threads).values(tenant=key.tenant, workspace=key.workspace, **row))


async def update_thread(connection: AsyncConnection, key: WorkspaceKey, thread: Thread) -> None:
    """Keep a thread's new state; its agent stays [TH-13]."""
    own = within(threads, key) & (threads.c.thread_id == thread.id)
    await connection.execute(update(threads).where(own).values(entity=thread_entity(thread)))


async def message_exists(connection: AsyncConnection, key: WorkspaceKey, message_id: str) -> bool:
    """Whether the id was used, in whichever thread [ID-01]."""
    query = select(messages.c.message_id).where(within(messages, key), messages.c.message_id == message_id)
    return (await connection.execute(query)).one_or_none() is not None


async def insert_message(
    connection: AsyncConnection, key: WorkspaceKey, message: Message, *, through_runner: bool
) -> None:
    """Keep where a new message stands, and for whom a run works that begins with it [SE-08]."""
    row = {
        "message_id": message.id,
        "thread_id": message.thread_id,
        "log_sequence": message.log_sequence,
        "participant": message.actor.participant.partition(":")[2],
        "author": message.actor.participant,
        "through_runner": through_runner,
        "principal": principal_entity(message.principal),
    }
    await connection.execute(insert(messages).values(tenant=key.tenant, workspace=key.workspace, **row))


async def mark_begun(connection: AsyncConnection, key: WorkspaceKey, log_sequence: int, run_id: str) -> None:
    """Keep which run began, or went on, with the message at a log position."""
    own = within(messages, key) & (messages.c.log_sequence == log_sequence)
    await connection.execute(update(messages).where(own).values(began_run=run_id))


async def run_begun_by(connection: AsyncConnection, key: WorkspaceKey, log_sequence: int) -> str:
    """The id of the run that the message at a log position started or resumed; empty where it did neither."""
    own = within(messages, key) & (messages.c.log_sequence == log_sequence)
    return (await connection.execute(select(messages.c.began_run).where(own))).scalar_one_or_none() or ""


async def oldest_waiting(connection: AsyncConnection, key: WorkspaceKey, thread: Thread) -> Message | None:
    """The oldest message that no turn has taken; what the thread's own agent said waits for nobody [TH-08]."""
    waiting = (messages.c.thread_id == thread.id) & (messages.c.log_sequence > thread.taken) & by_others()
    query = (
        select(messages.c.log_sequence).where(within(messages, key), waiting).order_by(messages.c.log_sequence).limit(1)
    )
    log_sequence = (await connection.execute(query)).scalar_one_or_none()
    return None if log_sequence is None else await message_at(connection, key, log_sequence)


def by_others() -> ColumnElement[bool]:
    """Whether somebody else than the thread's own agent posted a message.

    Where a replica of before kept the id alone, it was the agent if the id is the thread's.
    """
    of_an_agent = literal(agent_of(""))
    return func.coalesce(messages.c.author, of_an_agent + messages.c.participant) != of_an_agent + messages.c.thread_id


async def message_at(connection: AsyncConnection, key: WorkspaceKey, log_sequence: int) -> Message:
    """The message at a log position; LookupError where no message stands there."""
    for envelope in await log.read(connection, log.entry_at(key, log_sequence)):
        if isinstance(envelope.event, MessagePosted):
            return Message(
                id=envelope.event.message_id,
                thread_id=envelope.event.thread_id,
                content=envelope.event.content,
                actor=envelope.actor,
                log_sequence=log_sequence,
                principal=await _principal(connection, key, log_sequence, envelope.actor),
                traceparent=envelope.traceparent,
            )
    raise LookupError(f"no message stands at {log_sequence}")


async def _principal(connection: AsyncConnection, key: WorkspaceKey, log_sequence: int, author: Actor) -> Principal:
    """For whom a run works that begins with a message; one that tells it not was its author's, who could edit."""
    own = within(messages, key) & (messages.c.log_sequence == log_sequence)
    kept = (await connection.execute(select(messages.c.principal).where(own))).scalar_one_or_none()
    if kept is not None:
        return PRINCIPALS.validate_python(kept)
    return NOBODY if isinstance(author, AgentActor) else Principal(actor=author, roles=editor_of(key.workspace))
