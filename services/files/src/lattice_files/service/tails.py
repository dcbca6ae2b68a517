"""What the watches of one workspace have in common: its newest commits, read and translated once for all of them.

Those who watch read a tail on, in turns: whoever has seen all of it and has the turn waits to be woken and reads, and
the others then find what it read. So there is nobody beside them who could fail or would have to be stopped, an error
meets whoever had the turn, and a thousand idle watches poll the database as often as one. [SB-07]
"""

import asyncio
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Final, Generic, TypeVar

from lattice_chassis.paging import Cursor, CursorReset
from lattice_chassis.postgres.listen import Subscription

from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.store import feed
from lattice_files.store.feed import FeedCommit, FeedPage, PageSize
from lattice_files.store.unit_of_work import UnitOfWork

_READS: Final = 4
"""How many reads of watches go on at once: the other connections are for the calls that write."""

_TAIL_BYTES: Final = 1024 * 1024
"""What a tail keeps; who is further behind reads the tables."""

_PAUSE_EACH: Final = 0.0005
"""Seconds that pass between two reads of a tail for each who watches: to tell a thousand of them a commit each takes a
process longer than the commit took, so under load they are told of many at once, and half the time is for others."""

Sent = TypeVar("Sent")
"""A commit in the form in which it is sent."""


@dataclass(frozen=True, kw_only=True)
class FeedBatch(Generic[Sent]):
    """What one message tells: whole commits, or none and that everything up to the position was sent."""

    commits: Sequence[Sent]
    cursor: Cursor
    """The position after them."""
    head: int
    """The last change that is known of."""


class FeedReader(Generic[Sent]):
    """Reads the tables, for all watches of a process."""

    def __init__(self, unit: UnitOfWork, size: PageSize, translate: Callable[[FeedCommit], Sent]) -> None:
        self.size = size
        self.translate = translate
        self._unit = unit
        self._reads = asyncio.Semaphore(_READS)

    async def head(self, scope: WorkspaceKey) -> Cursor:
        """The position of the last change."""
        async with self._reads, self._unit.reading(scope) as reading:
            return await feed.head(reading)

    async def page(self, scope: WorkspaceKey, cursor: Cursor) -> FeedPage:
        """The commits after a position; CursorReset where the feed does not have it."""
        async with self._reads, self._unit.reading(scope) as reading:
            return await feed.after(reading, cursor, self.size)

    async def batch(self, scope: WorkspaceKey, cursor: Cursor) -> FeedBatch[Sent]:
        """The same as it is sent, for one watch alone."""
        page = await self.page(scope, cursor)
        return FeedBatch(commits=[self.translate(it) for it in page.commits], cursor=page.cursor, head=page.head)


@dataclass(frozen=True)
class _Kept(Generic[Sent]):
    end: int
    size: int
    commit: Sent


class Tail(Generic[Sent]):
    """All commits of a workspace after `start`, up to the position where it is read on."""

    def __init__(self, scope: WorkspaceKey, reader: FeedReader[Sent], wakings: Subscription) -> None:
        self.watches = 0
        """How many watch the workspace here."""
        self._scope = scope
        self._reader = reader
        self._wakings = wakings
        self._turn = asyncio.Lock()
        self._commits: list[_Kept[Sent]] = []
        self._size = 0
        self._start = 0
        self._end: Cursor | None = None
        """None until the first watch brings the position that it has reached."""
        self._head = 0
        """Where the feed stood when it was read on last."""
        self._unread = True
        """Whether there may be more to read without anybody being woken."""
        self._read_at = -inf
        """When it was read on last, by the process's clock."""

    async def after(self, cursor: Cursor, patience: float) -> FeedBatch[Sent]:
        """The commits after a position that the caller was sent, as far as one message holds them.

        It waits `patience` seconds for the first of them; then the batch is empty. Raises CursorReset where the feed
        does not have the position any more.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while self._ends_before(cursor):
                    async with self._turn:
                        if self._ends_before(cursor):  # else somebody read on while this one queued
                            await self._read_on(cursor)
        end = self._end
        if end is None or end.epoch != cursor.epoch or cursor.sequence < self._start:
            return await self._reader.batch(self._scope, cursor)
        return self._slice(cursor)

    def _ends_before(self, cursor: Cursor) -> bool:
        """Whether it has to be read on to hold anything after the position."""
        end = self._end
        return end is None or (end.epoch == cursor.epoch and end.sequence <= cursor.sequence)

    async def _read_on(self, cursor: Cursor) -> None:
        await asyncio.sleep(self._read_at + self.watches * _PAUSE_EACH - monotonic())
        if not self._unread:
            await anext(self._wakings)
        self._unread = True  # until a read says otherwise: this one may fail, be cancelled, or end before the head
        if self._end is None:
            self._start, self._end = cursor.sequence, cursor
        try:
            page = await self._reader.page(self._scope, self._end)
        except CursorReset:
            self._forget()  # or it would refuse those, too, whose position is of the new history
            raise
        self._end, self._head, self._unread = page.cursor, page.head, page.end < page.head
        self._read_at = monotonic()
        for commit in page.commits:
            self._commits.append(_Kept(commit.end, commit.size, self._reader.translate(commit)))
            self._size += commit.size
        while self._size > _TAIL_BYTES:
            oldest = self._commits.pop(0)
            self._start, self._size = oldest.end, self._size - oldest.size

    def _forget(self) -> None:
        self._commits.clear()
        self._size, self._end = 0, None

    def _slice(self, cursor: Cursor) -> FeedBatch[Sent]:
        taken: list[Sent] = []
        reached, size = cursor.sequence, 0
        for index in range(bisect_right(self._commits, reached, key=lambda it: it.end), len(self._commits)):
            kept = self._commits[index]
            size += kept.size
            if taken and size > self._reader.size.bytes:
                break
            taken.append(kept.commit)
            reached = kept.end
        end = Cursor(epoch=cursor.epoch, sequence=reached)
        return FeedBatch(commits=taken, cursor=end, head=max(self._head, reached))


class Tails(Generic[Sent]):
    """The tails of the workspaces that are watched in this process."""

    def __init__(self, unit: UnitOfWork, reader: FeedReader[Sent]) -> None:
        self._unit = unit
        self._reader = reader
        self._tails: dict[WorkspaceKey, tuple[Tail[Sent], ExitStack]] = {}

    @contextmanager
    def watched(self, scope: WorkspaceKey) -> Iterator[Tail[Sent]]:
        """The tail of a workspace, gone when the last who watches it here leaves the block."""
        if scope not in self._tails:
            subscribed = ExitStack()
            wakings = subscribed.enter_context(self._unit.wakings(scope))
            self._tails[scope] = Tail(scope, self._reader, wakings), subscribed
        tail, subscribed = self._tails[scope]
        tail.watches += 1
        try:
            yield tail
        finally:
            tail.watches -= 1
            if not tail.watches:
                del self._tails[scope]
                subscribed.close()
