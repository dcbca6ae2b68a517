"""The change feed: whole commits after a position, and the barrier behind which no overtaken writer commits.

A watch is sent what is stored, a mark, and then what comes. It reads one message's worth, and the next only once that
was taken, so a reader never has more than one message in memory; no transaction is open meanwhile. [SB-02, MP-16]
"""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Generic

from lattice_chassis.metrics import WATCH_BACKLOG
from lattice_chassis.paging import NEVER_WRITTEN, Cursor

from lattice_files.domain.actors import Caller
from lattice_files.domain.rejections import SlowConsumer
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.domain.writes import Fence, authorize_fence
from lattice_files.service.resources import Resources
from lattice_files.service.tails import FeedBatch, FeedReader, Sent, Tails
from lattice_files.store import feed, fences
from lattice_files.store.feed import FeedCommit, FeedPage, PageSize
from lattice_files.store.unit_of_work import UnitOfWork

_LISTED_BYTES: Final = 3 * 1024 * 1024
"""What one list carries, below the limit of a message."""

_WATCHED_BYTES: Final = 64 * 1024
"""What one message of a watch carries: so much may wait for each of a thousand readers that have stopped reading."""


@dataclass(frozen=True, kw_only=True)
class WatchLimits:
    """How a watch behaves; the figures are settings."""

    page: int = 500
    """Changes read at once [SB-07]."""
    backlog: int = 1000
    """Changes that may wait for a reader that had caught up; with more it is cut off [SB-08]."""
    progress: timedelta = timedelta(seconds=10)
    """After how long without a message a mark is sent."""


class Feed(Generic[Sent]):
    """The feeds of all workspaces, as they are watched in one process.

    `translate` makes of a commit what is sent; it runs once for all who watch.
    """

    def __init__(self, unit: UnitOfWork, limits: WatchLimits, translate: Callable[[FeedCommit], Sent]) -> None:
        size = PageSize(changes=limits.page, bytes=_WATCHED_BYTES)
        self._limits = limits
        self._reader = FeedReader(unit, size, translate)
        self._tails = Tails(unit, self._reader)

    async def watch(
        self, scope: WorkspaceKey, cursor: Cursor | None, *, from_head: bool
    ) -> AsyncGenerator[FeedBatch[Sent], None]:
        """Every commit after a position, or from now on, in order, and marks while there is none.

        The first mark says that all that was stored has been sent. It ends only by an error: CursorReset for a
        position that the feed does not have, SlowConsumer.
        """
        with self._tails.watched(scope) as tail:
            reached = await self._reader.head(scope) if from_head else cursor or NEVER_WRITTEN
            caught_up = False
            while not caught_up:
                batch = await self._reader.batch(scope, reached)
                reached, caught_up = batch.cursor, batch.cursor.sequence == batch.head
                if batch.commits:
                    yield batch
            yield FeedBatch(commits=(), cursor=reached, head=reached.sequence)
            while True:
                batch = await tail.after(reached, self._limits.progress.total_seconds())
                waiting = batch.head - reached.sequence
                WATCH_BACKLOG.record(waiting)
                if waiting > self._limits.backlog:
                    raise SlowConsumer(waiting=waiting)
                yield batch
                reached = batch.cursor


async def list_changes(unit: UnitOfWork, scope: WorkspaceKey, cursor: Cursor | None, limit: int) -> FeedPage:
    """Commits after a position, oldest first."""
    async with unit.reading(scope) as reading:
        return await feed.after(reading, cursor, PageSize(changes=limit, bytes=_LISTED_BYTES))


async def establish_barrier(resources: Resources, scope: WorkspaceKey, caller: Caller, fence: Fence | None) -> Cursor:
    """Raise the fence and answer the head: nothing of a writer with a lower token comes after it [MP-15, MP-21].

    Without a fence it waits for no writer: an agent asks at every step.

    Raises:
        StaleClaim: a higher token was seen; the caller itself was overtaken.
    """
    authorize_fence(caller, fence)
    if fence is None:
        async with resources.unit.reading(scope) as reading:
            return await feed.head(reading)
    async with resources.writing(scope) as work:
        await fences.hold(work, fence)
        return work.workspace.cursor
