"""The servicer of `lattice.agent.v1.LogService`; each method's contract stands in the proto."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc
from artifactr.core.commands import RecordAppEvent
from artifactr.workspace import Workspace, Workspaces
from artifactr.workspace.watching import WatchLimits, watch_log
from lattice.agent.v1 import log_service_pb2 as pb
from lattice.agent.v1 import log_service_pb2_grpc as pb_grpc
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.identity import Identity
from lattice_chassis.names import WorkspaceName
from lattice_chassis.paging import Cursor

from lattice_agent.grpc import from_proto, to_proto
from lattice_agent.grpc.barrier import caught_up

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]


class LogServicer(pb_grpc.LogServiceServicer):
    """Answers for every workspace of the deployment."""

    def __init__(self, workspaces: Workspaces, limits: WatchLimits) -> None:
        self._workspaces = workspaces
        self._limits = limits

    async def ReadLog(self, request: pb.ReadLogRequest, _context: Context) -> pb.ReadLogResponse:
        """See the contract."""
        workspace = self._open(WorkspaceName.of_caller(request.workspace), from_proto.reader())
        await caught_up(workspace, request.min_change_sequence)
        envelopes = await workspace.read(
            after=request.after_sequence,
            before=request.before_sequence or None,
            thread_ids=request.thread_ids,
            limit=request.limit or None,
            last=request.last or None,
        )
        head = await workspace.cursor()  # after the window, or a watch from here on would repeat its last entries
        return pb.ReadLogResponse(entries=map(to_proto.entry, envelopes), head=to_proto.cursor(head))

    async def WatchLog(self, request: pb.WatchLogRequest, _context: Context) -> AsyncIterator[pb.WatchLogResponse]:
        """See the contract."""
        workspace = self._open(WorkspaceName.of_caller(request.workspace), from_proto.reader())
        await caught_up(workspace, request.min_change_sequence)
        start = await _start(workspace, request)
        async with aclosing(watch_log(workspace, start, request.thread_ids, self._limits)) as events:
            async for event in events:
                yield to_proto.watch_event(event)

    async def RecordAppEvent(self, request: pb.RecordAppEventRequest, _context: Context) -> pb.RecordAppEventResponse:
        """See the contract."""
        workspace = self._open(WorkspaceName.of_caller(request.workspace), from_proto.editor())
        event = request.event
        command = RecordAppEvent(name=event.name, data=event.data_json or "null", thread_id=request.thread_id)
        recorded = await workspace.commit(
            command, request=from_proto.request_of(request, "lattice.agent.v1.LogService/RecordAppEvent")
        )
        return pb.RecordAppEventResponse(log_sequence=recorded.log_sequence)

    def _open(self, name: WorkspaceName, caller: Identity) -> Workspace:
        return self._workspaces.open_for(caller, name.workspace)


async def _start(workspace: Workspace, request: pb.WatchLogRequest) -> Cursor | None:
    if not request.from_head:
        return from_proto.cursor(request.cursor) if request.HasField("cursor") else None
    if request.HasField("cursor"):
        raise ValidationFailed(errors=[("from_head", "excludes a cursor")])
    return await workspace.cursor()
