"""The servicer of `lattice.files.v1.ArtifactsService`; each method's contract stands in the proto."""

from typing import Any, Final, TypeAlias

import grpc
from lattice.files.v1 import artifacts_service_pb2 as pb
from lattice.files.v1 import artifacts_service_pb2_grpc as pb_grpc
from lattice_chassis.paging import page_token, position_of

from lattice_files.domain.changes import Outcome
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.grpc import commands_from_proto, from_proto, to_proto
from lattice_files.service import artifacts, reads, types
from lattice_files.service.artifacts import Command
from lattice_files.service.resources import Resources

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
_Write: TypeAlias = (
    pb.CreateArtifactRequest | pb.EditArtifactRequest | pb.ArchiveArtifactRequest | pb.RestoreRevisionRequest
)

_SERVICE: Final = "lattice.files.v1.ArtifactsService"


class ArtifactsServicer(pb_grpc.ArtifactsServiceServicer):
    """Answers for every workspace of the deployment."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    async def RegisterType(self, request: pb.RegisterTypeRequest, _context: Context) -> pb.RegisterTypeResponse:
        """See the contract."""
        call = from_proto.call(from_proto.deployment(), f"{_SERVICE}/RegisterType", request)
        registered = await types.register_type(self._resources, call, commands_from_proto.registration(request))
        return pb.RegisterTypeResponse(type=to_proto.artifact_type(registered))

    async def ListTypes(self, request: pb.ListTypesRequest, _context: Context) -> pb.ListTypesResponse:
        """See the contract."""
        limit, position = from_proto.page_size(request.page_size), position_of(request, str)
        after = "" if position is None else str(position[0])
        found = [it for it in await types.list_types(self._resources, from_proto.deployment()) if it.kind > after]
        page = to_proto.fitting(map(to_proto.artifact_type, found[:limit]))
        more = len(found) > len(page)
        return pb.ListTypesResponse(types=page, next_page_token=page_token(request, [page[-1].kind]) if more else "")

    async def CreateArtifact(self, request: pb.CreateArtifactRequest, _context: Context) -> pb.CreateArtifactResponse:
        """See the contract."""
        scope, command = from_proto.workspace(request.workspace), commands_from_proto.creation(request)
        outcome = await self._write("CreateArtifact", scope, request, command)
        return pb.CreateArtifactResponse(outcome=to_proto.outcome(outcome))

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

    async def EditArtifact(self, request: pb.EditArtifactRequest, _context: Context) -> pb.EditArtifactResponse:
        """See the contract."""
        scope, _ = from_proto.artifact(request.name)
        outcome = await self._write("EditArtifact", scope, request, commands_from_proto.artifact_edit(request))
        return pb.EditArtifactResponse(outcome=to_proto.outcome(outcome))

    async def ArchiveArtifact(
        self, request: pb.ArchiveArtifactRequest, _context: Context
    ) -> pb.ArchiveArtifactResponse:
        """See the contract."""
        scope, _ = from_proto.artifact(request.name)
        outcome = await self._write("ArchiveArtifact", scope, request, commands_from_proto.archiving(request))
        return pb.ArchiveArtifactResponse(outcome=to_proto.outcome(outcome))

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

    async def RestoreRevision(
        self, request: pb.RestoreRevisionRequest, _context: Context
    ) -> pb.RestoreRevisionResponse:
        """See the contract."""
        scope, _, _ = from_proto.revision(request.name)
        outcome = await self._write("RestoreRevision", scope, request, commands_from_proto.restore(request))
        return pb.RestoreRevisionResponse(outcome=to_proto.outcome(outcome))

    async def _write(self, method: str, scope: WorkspaceKey, request: _Write, command: Command) -> Outcome:
        call = from_proto.call(scope, f"{_SERVICE}/{method}", request)
        context = from_proto.write_context(request.context)
        return await artifacts.change_artifact(self._resources, call, command, context)
