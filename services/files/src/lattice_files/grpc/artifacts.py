"""The servicer of `lattice.files.v1.ArtifactsService`; each method's contract stands in the proto."""

from typing import Any, TypeAlias

import grpc
from lattice.files.v1 import artifacts_service_pb2 as pb
from lattice.files.v1 import artifacts_service_pb2_grpc as pb_grpc
from lattice_chassis.paging import page_token, position_of

from lattice_files.grpc import from_proto, to_proto
from lattice_files.service import reads
from lattice_files.service.resources import Resources

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]


class ArtifactsServicer(pb_grpc.ArtifactsServiceServicer):
    """Answers for every workspace of the deployment."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    async def GetArtifact(self, request: pb.GetArtifactRequest, _context: Context) -> pb.GetArtifactResponse:
        """See the contract."""
        scope, artifact_id = from_proto.artifact(request.name)
        found = await reads.get_revision(self._resources, scope, artifact_id)
        return pb.GetArtifactResponse(artifact=to_proto.artifact(scope, found.artifact))

    async def ListArtifacts(self, request: pb.ListArtifactsRequest, _context: Context) -> pb.ListArtifactsResponse:
        """See the contract."""
        scope, limit = from_proto.workspace(request.workspace), from_proto.page_size(request.page_size)
        position = position_of(request, int)
        found = await reads.list_artifacts(
            self._resources,
            scope,
            kind=from_proto.text("kind", request.kind, 200),
            name_contains=from_proto.text("name_contains", request.name_contains, 255),
            archived=request.show_archived,
            after=0 if position is None else int(position[0]),
            limit=limit + 1,
        )
        page = to_proto.fitting(to_proto.artifact(scope, it) for _, it in found[:limit])
        more = len(found) > len(page)
        return pb.ListArtifactsResponse(
            artifacts=page, next_page_token=page_token(request, [found[len(page) - 1][0]]) if more else ""
        )

    async def ListRevisions(self, request: pb.ListRevisionsRequest, _context: Context) -> pb.ListRevisionsResponse:
        """See the contract."""
        scope, artifact_id = from_proto.artifact(request.name)
        limit, position = from_proto.page_size(request.page_size), position_of(request, int)
        after = 0 if position is None else int(position[0])
        found = await reads.list_revisions(self._resources, scope, artifact_id, after=after, limit=limit + 1)
        page = to_proto.fitting(to_proto.revision(scope, it) for it in found[:limit])
        more = len(found) > len(page)
        return pb.ListRevisionsResponse(
            revisions=page, next_page_token=page_token(request, [page[-1].artifact.version]) if more else ""
        )

    async def GetRevision(self, request: pb.GetRevisionRequest, _context: Context) -> pb.GetRevisionResponse:
        """See the contract."""
        scope, artifact_id, version = from_proto.revision(request.name)
        found = await reads.get_revision(self._resources, scope, artifact_id, version)
        return pb.GetRevisionResponse(revision=to_proto.revision(scope, found))
