"""Files over gRPC: the ports Artifacts and ChangeFeed."""

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import grpc
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.files.v1.artifacts_service_pb2_grpc import ArtifactsServiceStub
from lattice.files.v1.changes_service_pb2_grpc import ChangesServiceStub
from lattice.files.v1.native_files_service_pb2_grpc import NativeFilesServiceStub
from lattice.files.v1.proposals_service_pb2_grpc import ProposalsServiceStub
from lattice.type.v1 import names_pb2 as names_pb
from lattice_chassis.errors import RefusedByPeer, calling
from lattice_chassis.identity import Identity, acting_as
from lattice_chassis.names import ArtifactName, WorkspaceName

from artifactr.core.actors import Caller, SystemActor, WorkspaceKey
from artifactr.core.rejections import NotFound, StaleClaim
from artifactr.ports import (
    ArtifactView,
    Change,
    FeedCommit,
    FeedDiverged,
    FeedPage,
    FeedPosition,
    Fence,
    PendingProposal,
)
from artifactr.wire import actors, to_entry
from artifactr.wire.identities import identity_of

PEER: Final = "files"
MAX_PAGE: Final = 500
FOLLOWER: Final = SystemActor(name="agent")
"""Who reads the change feed, on nobody else's behalf."""


class FilesArtifacts:
    """Artifacts, read on behalf of a caller."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._artifacts = ArtifactsServiceStub(channel)
        self._native_files = NativeFilesServiceStub(channel)
        self._proposals = ProposalsServiceStub(channel)

    async def artifact(self, caller: Caller, artifact_id: str) -> ArtifactView:
        """The artifact at its current version; NotFound where there is none."""
        request = artifacts_pb.GetArtifactRequest(name=_artifact_name(caller, artifact_id))
        with _reading_as(caller, artifact_id):
            answer = await self._artifacts.GetArtifact(request)
        return _view(answer.artifact)

    async def artifacts(self, caller: Caller, kind: str) -> Sequence[ArtifactView]:
        """The artifacts of a kind, or of all where it is empty, a page at the most."""
        workspace = str(WorkspaceName(caller.tenant, caller.workspace))
        request = artifacts_pb.ListArtifactsRequest(workspace=workspace, kind=kind, page_size=MAX_PAGE)
        with calling(PEER), acting_as(identity_of(caller)):
            answer = await self._artifacts.ListArtifacts(request)
        return [_view(artifact) for artifact in answer.artifacts]

    async def opening(self, caller: Caller, artifact_id: str, max_chars: int) -> str:
        """The first words of a native file; NotFound where there is none."""
        request = native_pb.ReadTextRequest(name=_artifact_name(caller, artifact_id), max_chars=max_chars)
        with _reading_as(caller, artifact_id):
            answer = await self._native_files.ReadText(request)
        return answer.text

    async def own_proposals(self, caller: Caller) -> Sequence[PendingProposal]:
        """The caller's own pending proposals, oldest first, a page at the most."""
        request = proposals_pb.ListProposalsRequest(
            workspace=str(WorkspaceName(caller.tenant, caller.workspace)),
            state=proposals_pb.PROPOSAL_STATE_PENDING,
            proposer_key=caller.actor.participant,
        )
        try:
            with calling(PEER), acting_as(identity_of(caller)):
                answer = await self._proposals.ListProposals(request)
        except RefusedByPeer as refused:
            if refused.reason == "NOT_IMPLEMENTED":  # an older release of files knows no proposals, so there are none
                return ()
            raise
        return [_pending(proposal) for proposal in answer.proposals]


class FilesChangeFeed:
    """The change feed, read by agent itself."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._changes = ChangesServiceStub(channel)

    async def changes(self, key: WorkspaceKey, after: FeedPosition | None, *, patient: bool = False) -> FeedPage:
        """The next commits; FeedDiverged where the position is of another history."""
        request = changes_pb.ListChangesRequest(workspace=_name(key), cursor=_cursor(after))
        with _reading(key):
            answer = await self._changes.ListChanges(request, wait_for_ready=patient)
        return FeedPage(
            commits=tuple(map(_commit, answer.commits)),
            position=_position(answer.cursor),
            head=answer.head_sequence,
        )

    async def watch(self, key: WorkspaceKey, after: FeedPosition | None) -> AsyncGenerator[FeedPosition, None]:
        """The position after each message of commits and each mark; ends with the stream, in whatever way that ends."""
        request = changes_pb.WatchChangesRequest(workspace=_name(key), cursor=_cursor(after))
        with acting_as(_follower(key)):  # for the call's start only: a generator shares its context with its reader
            call = self._changes.WatchChanges(request)
        try:
            with _told_apart(key):
                async for answer in call:
                    yield _position(answer.cursor)
        finally:
            call.cancel()

    async def barrier(self, key: WorkspaceKey, fence: Fence | None) -> FeedPosition:
        """The head behind the fence; StaleClaim where a higher token was seen."""
        raised = None if fence is None else names_pb.Fence(scope=fence.scope, token=fence.token)
        request = changes_pb.EstablishBarrierRequest(workspace=_name(key), fence=raised)
        try:
            with _reading(key):
                answer = await self._changes.EstablishBarrier(request)
        except RefusedByPeer as refused:
            if refused.reason == "STALE_CLAIM" and fence is not None:
                raise StaleClaim(scope=fence.scope) from refused
            raise
        return _position(answer.head)


@contextmanager
def _reading(key: WorkspaceKey) -> Iterator[None]:
    with _told_apart(key), acting_as(_follower(key)):
        yield


@contextmanager
def _told_apart(key: WorkspaceKey) -> Iterator[None]:
    """Make a reset of our own cursor what it is: no client's fault, and nothing to try again."""
    try:
        with calling(PEER):
            yield
    except RefusedByPeer as refused:
        if refused.reason == "CURSOR_RESET":
            raise FeedDiverged(workspace=key.workspace, why="it does not know the position") from refused
        raise


@contextmanager
def _reading_as(caller: Caller, artifact_id: str) -> Iterator[None]:
    """Read one artifact on behalf of a caller; NotFound where there is none."""
    try:
        with calling(PEER), acting_as(identity_of(caller)):
            yield
    except RefusedByPeer as refused:
        if refused.reason == "NOT_FOUND":
            raise NotFound(entity="artifact", id=artifact_id) from refused
        raise


def _artifact_name(caller: Caller, artifact_id: str) -> str:
    return str(ArtifactName(caller.tenant, caller.workspace, artifact_id))


def _view(artifact: artifacts_pb.Artifact) -> ArtifactView:
    return ArtifactView(
        id=artifact.artifact_id,
        kind=artifact.kind,
        version=artifact.version,
        data=json.loads(artifact.data_json),
        updated_by=actors.from_proto(artifact.updated_by),
        archived=artifact.archived,
    )


def _follower(key: WorkspaceKey) -> Identity:
    return identity_of(Caller(tenant=key.tenant, workspace=key.workspace, actor=FOLLOWER))


def _name(key: WorkspaceKey) -> str:
    return str(WorkspaceName(key.tenant, key.workspace))


def _cursor(position: FeedPosition | None) -> names_pb.Cursor | None:
    return None if position is None else names_pb.Cursor(epoch=position.epoch, sequence=position.sequence)


def _position(cursor: names_pb.Cursor) -> FeedPosition:
    return FeedPosition(epoch=cursor.epoch, sequence=cursor.sequence)


def _commit(commit: changes_pb.Commit) -> FeedCommit:
    changes = tuple(
        Change(
            change_sequence=change.change_sequence,
            entry=to_entry.from_change(change).SerializeToString(),
        )
        for change in commit.changes
    )
    return FeedCommit(commit_id=commit.commit_id, changes=changes)


def _pending(proposal: proposals_pb.Proposal) -> PendingProposal:
    artifact_id, summary = _proposed(proposal.change)
    return PendingProposal(
        id=proposal.proposal_id, artifact_id=artifact_id, summary=summary, rationale=proposal.rationale
    )


def _proposed(change: proposals_pb.ProposedChange) -> tuple[str, str]:
    """The artifact that a change is about, and the change in words."""
    match change.WhichOneof("change"):
        case "create":
            return change.create.artifact_id, f"create a {change.create.kind}"
        case "edit":
            return change.edit.artifact_id, change.edit.summary
        case "archive":
            return change.archive.artifact_id, "archive it"
        case "batch":
            return change.batch.artifact_id, change.batch.summary
        case None:  # of a kind that a newer version knows
            return "", "a change"
