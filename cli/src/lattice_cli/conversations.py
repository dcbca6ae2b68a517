"""What a person does with threads and runs, as calls: the verbs and the demo share them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice.type.v1.names_pb2 import Cursor
from lattice_chassis.identity import display_name

from lattice_cli.connection import Connection
from lattice_cli.native_files import new_request_id
from lattice_cli.paging import pages


async def create_thread(
    connection: Connection, title: str, thread_id: str = "", agent_name: str = ""
) -> threads_pb.Thread:
    """Create a thread with an agent, the default one unless named."""
    request = threads_pb.CreateThreadRequest(
        workspace=connection.person.workspace_name,
        title=title,
        thread_id=thread_id,
        agent_name=agent_name,
        request_id=new_request_id(),
    )
    return (await connection.threads.CreateThread(request)).thread


async def threads(connection: Connection) -> list[threads_pb.Thread]:
    """All threads of the workspace, oldest first."""
    request = threads_pb.ListThreadsRequest(workspace=connection.person.workspace_name, page_size=500)
    return [it async for page in pages(connection.threads.ListThreads, request) for it in page.threads]


async def send(connection: Connection, thread_id: str, content: str) -> threads_pb.SendMessageResponse:
    """Send a message; it starts a run, or steers the one that runs."""
    request = threads_pb.SendMessageRequest(
        name=connection.person.thread_name(thread_id), content=content, request_id=new_request_id()
    )
    return await connection.threads.SendMessage(request)


async def entries_of_run(
    connection: Connection, run_id: str, *, within: float, after: int = 0
) -> list[log_pb.LogEntry]:
    """What the log tells of a run, once it has ended or paused.

    Args:
        connection: who asks.
        run_id: the run.
        within: the seconds that it may take.
        after: the number of an entry before the run's, such as the message's that started it; 0 reads all.

    Raises:
        TimeoutError: it neither ended nor paused in time.
    """
    found: list[log_pb.LogEntry] = []
    try:
        async with asyncio.timeout(within), aclosing(entries_after(connection, after)) as entries:
            async for entry in entries:
                if entry.run_id != run_id:
                    continue
                found.append(entry)
                if entry.WhichOneof("event") in {"run_ended", "run_paused"}:
                    break
    except TimeoutError:
        raise TimeoutError(f"the run {run_id} did not end within {within:g} s") from None
    return found


async def entries_after(connection: Connection, sequence: int) -> AsyncGenerator[log_pb.LogEntry, None]:
    """The entries of the workspace's log after a number, then each new one."""
    workspace = connection.person.workspace_name
    head = (await connection.log.ReadLog(log_pb.ReadLogRequest(workspace=workspace, last=1))).head
    cursor = Cursor(epoch=head.epoch, sequence=sequence)
    call = connection.log.WatchLog(log_pb.WatchLogRequest(workspace=workspace, cursor=cursor))
    try:
        async for message in call:
            if message.HasField("entry"):
                yield message.entry
    finally:
        call.cancel()


def shown(frame: runs_pb.WatchRunResponse) -> str:
    """A live frame as the next characters for people: words as they are, calls and all else on lines of their own."""
    match frame.WhichOneof("frame"):
        case "text_delta" | "thinking_delta" | "tool_arguments_delta" as words:
            next_characters: str = getattr(frame, words)
        case "part_started" if frame.part_started.tool_name:
            next_characters = f"{frame.part_started.tool_name} "
        case "part_ended":
            next_characters = "\n"
        case "draft":
            draft = frame.draft
            next_characters = f"draft of {draft.artifact_id or 'a new'} {draft.kind}: {draft.data_json}\n"
        case "app_live":
            next_characters = f"{frame.app_live.name} {frame.app_live.data_json}\n"
        case _:
            next_characters = ""
    return next_characters


def asked(request: runs_pb.DeferredRequest) -> str:
    """What a paused run waits for, as a line for people."""
    kind = runs_pb.DeferredKind.Name(request.kind).removeprefix("DEFERRED_KIND_").lower()
    return f"{kind} {request.tool_call_id}: {request.tool_name} {request.arguments_json}"


def told(entry: log_pb.LogEntry) -> str:
    """An entry of the log as a line for people."""
    kind = entry.WhichOneof("event") or "something newer"
    match kind:
        case "message_posted":
            what = entry.message_posted.content
        case "tool_called":
            what = f"{entry.tool_called.tool_name} {entry.tool_called.arguments_summary}"
        case "tool_returned":
            status = log_pb.ToolStatus.Name(entry.tool_returned.status).removeprefix("TOOL_STATUS_").lower()
            what = f"{entry.tool_returned.tool_name} {status}: {entry.tool_returned.summary}"
        case "artifact_created":
            what = f"{entry.artifact_created.artifact_id} v{entry.artifact_created.version}"
        case "artifact_changed":
            changed = entry.artifact_changed
            what = f"{changed.artifact_id} v{changed.version}: {changed.summary}"
        case "run_paused":
            what = "; ".join(map(asked, entry.run_paused.requests))
        case "deferred_answered":
            given = entry.deferred_answered
            leave = {True: "approved", False: "declined"}[given.approved] if given.HasField("approved") else ""
            what = f"{given.tool_call_id} {leave} {given.answer}"
        case "app_event":
            what = f"{entry.app_event.name} {entry.app_event.data_json}"
        case "run_ended":
            what = runs_pb.RunStatus.Name(entry.run_ended.status).removeprefix("RUN_STATUS_").lower()
            what = f"{what} {entry.run_ended.error}".strip()
        case _:
            what = ""
    return f"{entry.log_sequence:>5}  {display_name(entry.actor):<12} {kind:<18} {what}".rstrip()
