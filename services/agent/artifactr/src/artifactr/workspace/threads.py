"""What every use case on threads stands on: that there is one, and how a message is posted."""

from sqlalchemy.ext.asyncio import AsyncConnection

from artifactr.core.actors import Caller, WorkspaceKey
from artifactr.core.events import MessagePosted
from artifactr.core.rejections import InvalidState, NotFound
from artifactr.core.threads import Message, Thread
from artifactr.store import threads as threads_store
from artifactr.store.unit_of_work import Work


async def require_thread(connection: AsyncConnection, key: WorkspaceKey, thread_id: str) -> Thread:
    """The thread; NotFound where there is none."""
    thread = await threads_store.find_thread(connection, key, thread_id)
    if thread is None:
        raise NotFound(entity="thread", id=thread_id)
    return thread


async def post(work: Work, caller: Caller, event: MessagePosted, *, through_runner: bool) -> int:
    """Append a message under an id that is used once in the workspace [ID-01], and answer its log position."""
    if await threads_store.message_exists(work.connection, work.key, event.message_id):
        raise InvalidState(why=f"message id {event.message_id} was used before")
    message = Message(
        id=event.message_id,
        thread_id=event.thread_id,
        content=event.content,
        actor=caller.actor,
        log_sequence=work.append(event, caller.actor),
        principal=caller.principal,
    )
    await threads_store.insert_message(work.connection, work.key, message, through_runner=through_runner)
    return message.log_sequence
