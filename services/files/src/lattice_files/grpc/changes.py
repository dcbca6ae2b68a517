"""The servicer of `lattice.files.v1.ChangesService`; each method's contract stands in the proto."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc
from lattice.files.v1 import changes_service_pb2 as pb
from lattice.files.v1 import changes_service_pb2_grpc as pb_grpc
from lattice_chassis.errors import ValidationFailed

from lattice_files.grpc import feed_to_proto, from_proto
from lattice_files.service import feed
from lattice_files.service.feed import Feed, WatchLimits
from lattice_files.service.resources import Resources

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]


class ChangesServicer(pb_grpc.ChangesServiceServicer):
    """Answers for every workspace of the deployment."""

    def __init__(self, resources: Resources, limits: WatchLimits) -> None:
        self._resources = resources
        self._feed = Feed(resources.unit, limits, feed_to_proto.commit)

    async def ListChanges(self, request: pb.ListChangesRequest, _context: Context) -> pb.ListChangesResponse:
        """See the contract."""
        scope = from_proto.workspace(request.workspace)
        cursor = from_proto.cursor(request.cursor) if request.HasField("cursor") else None
        limit = from_proto.page_size(request.page_size, default=from_proto.MAX_PAGE)
        page = await feed.list_changes(self._resources.unit, scope, cursor, limit)
        return pb.ListChangesResponse(
            commits=map(feed_to_proto.commit, page.commits),
            cursor=feed_to_proto.cursor(page.cursor),
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
        async with aclosing(self._feed.watch(scope, cursor, from_head=request.from_head)) as batches:
            async for batch in batches:
                yield pb.WatchChangesResponse(commits=batch.commits, cursor=feed_to_proto.cursor(batch.cursor))

    async def EstablishBarrier(
        self, request: pb.EstablishBarrierRequest, _context: Context
    ) -> pb.EstablishBarrierResponse:
        """See the contract."""
        scope = from_proto.workspace(request.workspace)
        fence = from_proto.fence(request.fence) if request.HasField("fence") else None
        head = await feed.establish_barrier(self._resources, scope, from_proto.caller(), fence)
        return pb.EstablishBarrierResponse(head=feed_to_proto.cursor(head))
