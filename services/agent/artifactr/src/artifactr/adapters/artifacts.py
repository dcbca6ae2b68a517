"""Artifacts of files over gRPC: the port Artifacts."""

import json
from collections.abc import Sequence
from typing import assert_never

import grpc
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1.artifacts_service_pb2_grpc import ArtifactsServiceStub
from lattice.files.v1.native_files_service_pb2_grpc import NativeFilesServiceStub

from artifactr.core.actors import Caller
from artifactr.core.artifacts import ArtifactHeader, StoredArtifact
from artifactr.core.changes import ArchiveArtifact, Change, CreateArtifact, EditArtifact
from artifactr.core.outcomes import Outcome
from artifactr.files.calls import MAX_PAGE, artifact_name, calling_as, workspace_name
from artifactr.ports import Write
from artifactr.wire import actors, writes


class FilesArtifacts:
    """Artifacts, read and changed on behalf of a caller."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._artifacts = ArtifactsServiceStub(channel)
        self._native_files = NativeFilesServiceStub(channel)

    async def artifact(self, caller: Caller, artifact_id: str) -> StoredArtifact:
        """The artifact at its current version; NotFound where there is none."""
        request = artifacts_pb.GetArtifactRequest(name=artifact_name(caller, artifact_id))
        with calling_as(caller):
            answer = await self._artifacts.GetArtifact(request)
        return _stored(answer.artifact)

    async def artifacts(self, caller: Caller, kind: str) -> Sequence[StoredArtifact]:
        """The artifacts of a kind, or of all where it is empty, as many as fit one page."""
        request = artifacts_pb.ListArtifactsRequest(workspace=workspace_name(caller), kind=kind, page_size=MAX_PAGE)
        with calling_as(caller):
            answer = await self._artifacts.ListArtifacts(request)
        return [_stored(artifact) for artifact in answer.artifacts]

    async def headers(self, caller: Caller, kind: str, limit: int) -> Sequence[ArtifactHeader]:
        """The first artifacts of a kind, or of all; of each page, which is cut by its bytes, too, only that is kept."""
        request = artifacts_pb.ListArtifactsRequest(workspace=workspace_name(caller), kind=kind, page_size=MAX_PAGE)
        found: list[ArtifactHeader] = []
        with calling_as(caller):
            while len(found) < limit:
                page = await self._artifacts.ListArtifacts(request)
                found += map(_header, page.artifacts)
                if not page.next_page_token:
                    break
                request.page_token = page.next_page_token
        return found[:limit]

    async def opening(self, caller: Caller, artifact_id: str, max_chars: int) -> str:
        """The first words of a native file; NotFound where there is none."""
        request = native_pb.ReadTextRequest(name=artifact_name(caller, artifact_id), max_chars=max_chars)
        with calling_as(caller):
            answer = await self._native_files.ReadText(request)
        return answer.text

    async def change(self, caller: Caller, change: Change, write: Write) -> Outcome:
        """Carry a change out, or make it a proposal where policy says so."""
        with calling_as(caller):
            return writes.outcome(await self._changed(caller, change, write))

    async def _changed(self, caller: Caller, change: Change, write: Write) -> artifacts_pb.Outcome:
        context = writes.context(write, proposal_id=change.proposal_id)
        match change:
            case CreateArtifact():
                creation = artifacts_pb.CreateArtifactRequest(
                    workspace=workspace_name(caller),
                    kind=change.kind,
                    data_json=writes.data(change),
                    artifact_id=change.artifact_id,
                    context=context,
                )
                return (await self._artifacts.CreateArtifact(creation)).outcome
            case EditArtifact():
                edit = artifacts_pb.EditArtifactRequest(
                    name=artifact_name(caller, change.artifact_id),
                    base_version=change.base_version,
                    patch=writes.patch(change.patch),
                    summary=change.summary,
                    context=context,
                )
                return (await self._artifacts.EditArtifact(edit)).outcome
            case ArchiveArtifact():
                archiving = artifacts_pb.ArchiveArtifactRequest(
                    name=artifact_name(caller, change.artifact_id), base_version=change.base_version, context=context
                )
                return (await self._artifacts.ArchiveArtifact(archiving)).outcome
            case _:
                assert_never(change)


def _header(artifact: artifacts_pb.Artifact) -> ArtifactHeader:
    return ArtifactHeader(
        id=artifact.artifact_id, kind=artifact.kind, version=artifact.version, archived=artifact.archived
    )


def _stored(artifact: artifacts_pb.Artifact) -> StoredArtifact:
    return StoredArtifact(
        id=artifact.artifact_id,
        kind=artifact.kind,
        version=artifact.version,
        data=json.loads(artifact.data_json),
        updated_by=actors.from_proto(artifact.updated_by),
        archived=artifact.archived,
    )
