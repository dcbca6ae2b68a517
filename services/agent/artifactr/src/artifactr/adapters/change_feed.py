"""The change feed of files over gRPC: the port ChangeFeed."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from datetime import UTC
from typing import Final

import grpc
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1.changes_service_pb2_grpc import ChangesServiceStub
from lattice.type.v1 import names_pb2 as names_pb
from lattice_chassis.errors import RefusedByPeer, calling
from lattice_chassis.identity import Identity, Unauthenticated, acting_as
from lattice_chassis.names import WorkspaceName
from lattice_chassis.telemetry import untraced

from artifactr.core.actors import Caller, SystemActor, WorkspaceKey
from artifactr.core.rejections import StaleClaim
from artifactr.ports import (
    FeedChange,
    FeedCommit,
    FeedDiverged,
    FeedPage,
    FeedPosition,
    Fence,
)
from artifactr.wire import to_entry
from artifactr.wire.identities import identity_of

PEER: Final = "files"
FOLLOWER: Final = SystemActor(name="agent")
"""Who reads the change feed, on nobody else's behalf; it may look, and raise the fences of threads [MP-32]."""


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
        # For the call's start only: a generator shares its context with its reader.
        with acting_as(_follower(key)), untraced():
            call = self._changes.WatchChanges(request)
        begun = False
        try:
            with _told_apart(key):
                async for answer in call:
                    begun = True
                    yield _position(answer.cursor)
        except RefusedByPeer as refused:
            if not begun or refused.reason != Unauthenticated.reason:
                raise
            # The token with which the watch began has expired; the next watch begins with another one.
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


def _follower(key: WorkspaceKey) -> Identity:
    looking = frozenset({f"{key.workspace}/viewer"})
    return identity_of(Caller(tenant=key.tenant, workspace=key.workspace, actor=FOLLOWER, roles=looking))


def _name(key: WorkspaceKey) -> str:
    return str(WorkspaceName(key.tenant, key.workspace))


def _cursor(position: FeedPosition | None) -> names_pb.Cursor | None:
    return None if position is None else names_pb.Cursor(epoch=position.epoch, sequence=position.sequence)


def _position(cursor: names_pb.Cursor) -> FeedPosition:
    return FeedPosition(epoch=cursor.epoch, sequence=cursor.sequence)


def _commit(commit: changes_pb.Commit) -> FeedCommit:
    changes = tuple(
        FeedChange(
            change_sequence=change.change_sequence,
            entry=to_entry.from_change(change).SerializeToString(),
        )
        for change in commit.changes
    )
    first = commit.changes[0]
    return FeedCommit(
        commit_id=commit.commit_id,
        changes=changes,
        time=first.commit_time.ToDatetime(UTC),
        traceparent=first.traceparent,
    )
