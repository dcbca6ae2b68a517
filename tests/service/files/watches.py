"""A watch of the change feed, as a test reads it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TypeAlias

import grpc
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.errors import RefusedByPeer, refusal_of
from service.files.people import Participant

WATCH_DEADLINE = 60.0

WatchCall: TypeAlias = "grpc.aio.UnaryStreamCall[changes_pb.WatchChangesRequest, changes_pb.WatchChangesResponse]"


class Watch:
    """A running watch, read one message at a time; `cursor` is where it can be resumed."""

    def __init__(self, call: WatchCall, cursor: names_pb2.Cursor | None) -> None:
        self._call = call
        self.cursor = cursor

    async def read(self) -> changes_pb.WatchChangesResponse:
        """The next message, be it commits or a mark."""
        async with asyncio.timeout(WATCH_DEADLINE):
            message = await self._call.read()
        assert isinstance(message, changes_pb.WatchChangesResponse), "a watch never ends in peace"
        self.cursor = message.cursor
        return message

    async def mark(self) -> names_pb2.Cursor:
        """Where the next message stands, which is a mark."""
        message = await self.read()
        assert list(message.commits) == []
        return message.cursor

    async def commits(self) -> Sequence[changes_pb.Commit]:
        """The commits of the next message that has some."""
        while not (message := await self.read()).commits:
            pass
        return message.commits

    async def change(self) -> changes_pb.Change:
        """The one change of the next message that has some."""
        (commit,) = await self.commits()
        (change,) = commit.changes
        return change

    async def sequences(self, last: int) -> list[list[int]]:
        """The numbers of the changes up to the last, by commit."""
        found: list[list[int]] = []
        while not found or found[-1][-1] < last:
            found += [[it.change_sequence for it in commit.changes] for commit in await self.commits()]
        return found

    async def refusal(self) -> RefusedByPeer:
        """The refusal that ends it, whatever it tells before."""
        while (refusal := await self.refusal_or_mark()) is None:
            pass
        return refusal

    async def refusal_or_mark(self) -> RefusedByPeer | None:
        """The refusal that ends it, or None at a mark, which says that it is served still."""
        try:
            while (await self.read()).commits:
                pass
        except grpc.aio.AioRpcError as error:
            if (refusal := refusal_of(error)) is None:
                raise
            return refusal
        return None


@asynccontextmanager
async def watching(
    person: Participant, cursor: names_pb2.Cursor | None = None, *, from_head: bool = False
) -> AsyncIterator[Watch]:
    """A watch that is cut when the block is left."""
    request = changes_pb.WatchChangesRequest(workspace=person.scope, cursor=cursor, from_head=from_head)
    call = person.changes.WatchChanges(request)
    try:
        yield Watch(call, cursor)
    finally:
        call.cancel()
