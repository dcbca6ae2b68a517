"""The servicer of `lattice.files.v1.ChangesService`; each method's contract stands in the proto."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc
from lattice.files.v1 import changes_service_pb2 as pb
from lattice.files.v1 import changes_service_pb2_grpc as pb_grpc
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.paging import Cursor

from lattice_files.grpc import from_proto, to_proto
from lattice_files.service import feed
from lattice_files.service.feed import WatchLimits
from lattice_files.service.resources import Resources

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]


class ChangesServicer(pb_grpc.ChangesServiceServicer):
    """Answers for every workspace of the deployment."""

    def __init__(self, resources: Resources, limits: WatchLimits) -> None:
        self._resources = resources
        self._limits = limits

    async def ListChanges(self, request: pb.ListChangesRequest, _context: Context) -> pb.ListChangesResponse:
        """See the contract."""
        scope = from_proto.workspace(request.workspace)
        cursor = from_proto.cursor(request.cursor) if request.HasField("cursor") else None
        limit = from_proto.page_size(request.page_size, default=from_proto.MAX_PAGE)
        page = await feed.list_changes(self._resources.unit, scope, cursor, limit)
        commits = to_proto.fitting(map(to_proto.commit, page.commits))
        end = page.commits[len(commits) - 1].end if commits else page.end
        return pb.ListChangesResponse(
            commits=commits,
            cursor=to_proto.cursor(Cursor(epoch=page.epoch, sequence=end)),
            head_sequence=page.head,
        )

    async def WatchChanges(
        self, request: pb.WatchChangesRequest, _context: Context
    ) -> AsyncIterator[pb.WatchChangesResponse]:
        """See the contract."""
        scope = from_proto.workspace(request.workspace)
        cursor = from_proto.cursor(request.cursor) if request.HasField("cursor") else None
        if request.from_head and cursor is not None:
            raise ValidationFailed(errors=[("from_head", "excludes a cursor")])
        watch = feed.watch_changes(self._resources.unit, self._limits, scope, cursor, from_head=request.from_head)
        async with aclosing(watch) as events:
            async for event in events:
                yield pb.WatchChangesResponse(
                    commit=None if event.commit is None else to_proto.commit(event.commit),
                    cursor=to_proto.cursor(event.cursor),
                )

    async def EstablishBarrier(
        self, request: pb.EstablishBarrierRequest, _context: Context
    ) -> pb.EstablishBarrierResponse:
        """See the contract."""
        scope = from_proto.workspace(request.workspace)
        fence = from_proto.fence(request.fence) if request.HasField("fence") else None
        head = await feed.establish_barrier(self._resources, scope, from_proto.caller(), fence)
        return pb.EstablishBarrierResponse(head=to_proto.cursor(head))
