"""A server of files' contract whose change feed the test writes: what agent needs of files, and nothing more.

It is a real server on a real port. It keeps the contract of ChangesService (whole commits, cursors with an epoch,
fences), knows the artifacts that its feed created, and creates those that agents ask for, once a request.
"""
# ruff: noqa: N802 - the methods carry the names of the contract

import asyncio
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import grpc
from artifactr.core.actors import Actor, UserActor
from artifactr.core.rejections import NotFound, StaleClaim
from artifactr.wire import actors
from google.protobuf.message import Message
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as pb
from lattice.files.v1.artifacts_service_pb2_grpc import ArtifactsServiceServicer, add_ArtifactsServiceServicer_to_server
from lattice.files.v1.changes_service_pb2_grpc import ChangesServiceServicer, add_ChangesServiceServicer_to_server
from lattice.type.v1 import names_pb2 as names_pb
from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.identity import DevelopmentAuthenticator, Identity, Unauthenticated, current_identity
from lattice_chassis.names import ArtifactName
from lattice_chassis.paging import Cursor, sequence_after
from lattice_chassis.server import BoundServer, Service, serving

Context = grpc.aio.ServicerContext[Any, Any]
ALICE = UserActor(id="alice", name="Alice")


@dataclass
class Feed:
    """The change feed of one workspace."""

    epoch: str = field(default_factory=lambda: uuid.uuid4().hex)
    commits: list[pb.Commit] = field(default_factory=list)
    fences: dict[str, int] = field(default_factory=dict)
    answers: dict[str, artifacts_pb.Outcome] = field(default_factory=dict)
    """What was answered to each request that created something."""
    away: bool = False
    """Whether nobody is told how far it goes, so that who asks goes on without."""
    expired: bool = False
    """Whether the token of whoever watches has expired; who begins anew has another one."""
    grown: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def head(self) -> int:
        """The number of the last change."""
        return self.commits[-1].changes[-1].change_sequence if self.commits else 0

    def cursor(self, sequence: int) -> names_pb.Cursor:
        """A position as the contract has it."""
        return names_pb.Cursor(epoch=self.epoch, sequence=sequence)

    def hold(self, fence: names_pb.Fence) -> None:
        """Keep out who was overtaken; StaleClaim for a token lower than one seen before."""
        if fence.scope:
            if fence.token < self.fences.get(fence.scope, 0):
                raise StaleClaim(scope=fence.scope)
            self.fences[fence.scope] = fence.token

    def after(self, cursor: names_pb.Cursor | None) -> int:
        """The number of a cursor; CursorReset where it is not of this feed."""
        given = None if cursor is None else Cursor(epoch=cursor.epoch, sequence=cursor.sequence)
        return sequence_after(given, Cursor(epoch=self.epoch, sequence=self.head))


class ScriptedFiles(ChangesServiceServicer, ArtifactsServiceServicer):
    """The feeds of all workspaces, by name; the test appends to them, agent reads them."""

    def __init__(self) -> None:
        self.feeds: dict[str, Feed] = defaultdict(Feed)
        self.listed = 0
        """How often ListChanges was called."""
        self.creators: dict[str, list[Identity]] = defaultdict(list)
        """Under whose identity artifacts were asked for in each workspace."""

    async def append(
        self, workspace: str, *events: Message, by: Actor = ALICE, thread_id: str = "", run_id: str = ""
    ) -> int:
        """Commit events together, and answer the number of the last change."""
        feed = self.feeds[workspace]
        commit = pb.Commit(commit_id=f"cmt_{uuid.uuid4().hex}")
        for sequence, event in enumerate(events, start=feed.head + 1):
            change = commit.changes.add(
                change_sequence=sequence,
                change_id=f"chg_{uuid.uuid4().hex}",
                actor=actors.to_proto(by),
                thread_id=thread_id,
                run_id=run_id,
            )
            change.commit_time.GetCurrentTime()
            getattr(change, _field_of(event)).CopyFrom(event)
        feed.commits.append(commit)
        async with feed.grown:
            feed.grown.notify_all()
        return feed.head

    async def create(self, workspace: str, artifact_id: str, *, thread_id: str = "") -> int:
        """Commit the creation of an artifact."""
        created = pb.ArtifactCreated(artifact_id=artifact_id, kind="plan", version=1, data_json="{}")
        return await self.append(workspace, created, thread_id=thread_id)

    async def ListChanges(self, request: pb.ListChangesRequest, _: Context) -> pb.ListChangesResponse:
        self.listed += 1
        feed = self.feeds[request.workspace]
        after = feed.after(request.cursor if request.HasField("cursor") else None)
        commits: list[pb.Commit] = []
        for commit in feed.commits:
            if commit.changes[0].change_sequence > after and _size(commits) < (request.page_size or 500):
                commits.append(commit)
        last = commits[-1].changes[-1].change_sequence if commits else after
        return pb.ListChangesResponse(commits=commits, cursor=feed.cursor(last), head_sequence=feed.head)

    async def WatchChanges(self, request: pb.WatchChangesRequest, _: Context) -> AsyncIterator[pb.WatchChangesResponse]:
        feed = self.feeds[request.workspace]
        after = feed.after(request.cursor if request.HasField("cursor") else None)
        feed.expired = False
        while True:
            if feed.expired:
                raise Unauthenticated(why="the token has expired")
            commits = [it for it in feed.commits if it.changes[0].change_sequence > after]
            if commits:
                after = commits[-1].changes[-1].change_sequence
                yield pb.WatchChangesResponse(commits=commits, cursor=feed.cursor(after))
            async with feed.grown:
                if feed.head <= after and not feed.expired:
                    await feed.grown.wait()

    async def EstablishBarrier(self, request: pb.EstablishBarrierRequest, _: Context) -> pb.EstablishBarrierResponse:
        feed = self.feeds[request.workspace]
        if feed.away:
            raise PeerUnavailable(peer="files")
        feed.hold(request.fence)
        return pb.EstablishBarrierResponse(head=feed.cursor(feed.head))

    async def CreateArtifact(
        self, request: artifacts_pb.CreateArtifactRequest, _: Context
    ) -> artifacts_pb.CreateArtifactResponse:
        feed, context = self.feeds[request.workspace], request.context
        self.creators[request.workspace].append(current_identity())
        if context.request_id not in feed.answers:
            feed.hold(context.fence)
            created = pb.ArtifactCreated(
                artifact_id=f"art_{uuid.uuid4().hex}", kind=request.kind, version=1, data_json=request.data_json
            )
            agent = current_identity().actor
            head = await self.append(
                request.workspace,
                created,
                by=actors.from_proto(agent),
                thread_id=context.thread_id,
                run_id=agent.agent.run_id,
            )
            applied = artifacts_pb.Applied(artifact_id=created.artifact_id, version=1)
            feed.answers[context.request_id] = artifacts_pb.Outcome(applied=applied, change_sequence=head)
        return artifacts_pb.CreateArtifactResponse(outcome=feed.answers[context.request_id])

    async def GetArtifact(
        self, request: artifacts_pb.GetArtifactRequest, _: Context
    ) -> artifacts_pb.GetArtifactResponse:
        name = ArtifactName.of_caller(request.name)
        changes = [change for commit in self.feeds[str(name.workspace_name)].commits for change in commit.changes]
        for change in changes:
            if change.artifact_created.artifact_id == name.artifact:
                artifact = artifacts_pb.Artifact(
                    artifact_id=name.artifact,
                    kind=change.artifact_created.kind,
                    version=1,
                    data_json=change.artifact_created.data_json,
                    updated_by=current_identity().actor,
                )
                return artifacts_pb.GetArtifactResponse(artifact=artifact)
        raise NotFound(entity="artifact", id=name.artifact)


@asynccontextmanager
async def serving_files(files: ScriptedFiles, listen: str = "127.0.0.1:0") -> AsyncIterator[BoundServer]:
    """Serve it; listening where it listened before, it is files come back."""
    services = [
        Service(add_ChangesServiceServicer_to_server, files),
        Service(add_ArtifactsServiceServicer_to_server, files),
    ]
    none = timedelta(0)
    async with serving(listen, services, DevelopmentAuthenticator(), notice=none, grace=none) as server:
        yield server


def _field_of(event: Message) -> str:
    fields = pb.Change.DESCRIPTOR.oneofs_by_name["event"].fields
    return next(it.name for it in fields if it.message_type is event.DESCRIPTOR)


def _size(commits: Sequence[pb.Commit]) -> int:
    return sum(len(commit.changes) for commit in commits)
