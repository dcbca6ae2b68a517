"""The change feed: whole commits after a position, and the barrier behind which no overtaken writer commits.

A watch reads its commits from the table after its own position and keeps none in memory: a page is
read, sent, and only then the next one. No transaction is open while something is sent. [SB-02, MP-16]
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic

from lattice_chassis.paging import Cursor

from lattice_files.domain.actors import Caller
from lattice_files.domain.rejections import SlowConsumer
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.domain.writes import Fence, authorize_fence
from lattice_files.service.resources import Resources
from lattice_files.store import feed, fences
from lattice_files.store.feed import FeedCommit, FeedPage
from lattice_files.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, kw_only=True)
class WatchLimits:
    """How a watch behaves; the figures are settings."""

    page: int = 500
    """Changes read at once [SB-07]."""
    backlog: int = 1000
    """Changes that may wait for a reader that had caught up; with more it is cut off [SB-08]."""
    progress: timedelta = timedelta(seconds=10)
    """After how long without a message a mark is sent."""


@dataclass(frozen=True, kw_only=True)
class FeedEvent:
    """A commit, or without one a mark that everything up to the position was sent."""

    cursor: Cursor
    """The position after it."""
    commit: FeedCommit | None = None


async def list_changes(unit: UnitOfWork, scope: WorkspaceKey, cursor: Cursor | None, limit: int) -> FeedPage:
    """Commits after a position, oldest first."""
    async with unit.reading(scope) as reading:
        return await feed.after(reading, cursor, limit)


async def watch_changes(
    unit: UnitOfWork, limits: WatchLimits, scope: WorkspaceKey, cursor: Cursor | None, *, from_head: bool
) -> AsyncGenerator[FeedEvent, None]:
    """Every commit after a position, or from now on, in order, and marks while there is none.

    The first mark says that the watch has caught up. It ends only by an error: CursorReset for a
    position that the feed does not have, SlowConsumer.
    """
    with unit.wakings(scope) as wakings:  # before the first read, so that no commit falls in between
        if from_head:
            async with unit.reading(scope) as reading:
                cursor = await feed.head(reading)
        caught_up, sent_at = False, monotonic()
        async for _ in wakings:
            while True:
                page = await list_changes(unit, scope, cursor, limits.page)
                waiting = page.head - (0 if cursor is None else cursor.sequence)
                if caught_up and waiting > limits.backlog:
                    raise SlowConsumer(waiting=waiting)
                for commit in page.commits:
                    yield FeedEvent(commit=commit, cursor=Cursor(epoch=page.epoch, sequence=commit.end))
                    sent_at = monotonic()
                cursor = page.cursor
                if page.end == page.head:
                    break
            if not caught_up or monotonic() - sent_at >= limits.progress.total_seconds():
                yield FeedEvent(cursor=cursor)
                sent_at = monotonic()
            caught_up = True


async def establish_barrier(resources: Resources, scope: WorkspaceKey, caller: Caller, fence: Fence | None) -> Cursor:
    """Raise the fence and answer the head: nothing of a writer with a lower token comes after it [MP-15, MP-21].

    Raises:
        StaleClaim: a higher token was seen; the caller itself was overtaken.
    """
    authorize_fence(caller, fence)
    async with resources.writing(scope) as work:
        await fences.hold(work, fence)
        return work.workspace.cursor
