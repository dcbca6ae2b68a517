"""Taking up files' change feed into the log, each change exactly once [MP-10 to MP-18].

The position is read without a lock and the changes are fetched with no transaction open. Then, in one transaction under
the workspace's lock, what someone else took up meanwhile is dropped, whole commits are appended and the position moves.
A crash in between leaves nothing, a replay adds nothing, and two replicas take turns on the lock.
"""

from datetime import UTC, datetime
from typing import Final

from lattice_chassis.metrics import METER, SECONDS
from lattice_chassis.telemetry import link_to, span

from artifactr.core.actors import WorkspaceKey
from artifactr.core.rejections import ValidationFailed
from artifactr.ports import ChangeFeed, FeedCommit, FeedDiverged, FeedPage, FeedPosition
from artifactr.store.feed_cursors import read_cursor, save_cursor
from artifactr.store.unit_of_work import UnitOfWork, Work

_MAX_LINKS: Final = 32
"""To how many commits a span is linked at most, the newest of its page: who is behind takes up hundreds at once."""

_LAG: Final = METER.create_histogram(
    "lattice.feed.lag",
    "s",
    "From a commit in files until it is on the log",
    explicit_bucket_boundaries_advisory=SECONDS,
)


class Ingestion:
    """Takes up the feeds of workspaces; may be shared by all tasks of an event loop."""

    def __init__(self, unit: UnitOfWork, feed: ChangeFeed) -> None:
        self._unit = unit
        self._feed = feed

    async def position(self, key: WorkspaceKey) -> FeedPosition | None:
        """How far the workspace's feed is taken up; None where nothing was."""
        async with self._unit.unlocked(key) as connection:
            return await read_cursor(connection, key)

    async def through(self, key: WorkspaceKey, change_sequence: int, *, patient: bool = False) -> FeedPosition | None:
        """Take the feed up through a change, at least, and answer how far; taken up before, nothing is asked of files.

        A patient call waits for files to be back, as long as any call may take, instead of failing at once.
        Raises ValidationFailed where the feed ends before that change, PeerUnavailable where files cannot be reached,
        FeedDiverged where the feed is of another history.
        """
        position = await self.position(key)
        while (position.sequence if position else 0) < change_sequence:
            page, position = await self._ingest(key, position, patient=patient)
            if not page.commits and page.head < change_sequence:
                raise ValidationFailed(errors=(f"the feed of files ends at {page.head}, before {change_sequence}",))
        return position

    async def catch_up(self, key: WorkspaceKey, known: FeedPosition | None) -> FeedPosition | None:
        """Take up all that is committed in files now, and answer how far; one call of files where nothing is new.

        `known` is a position up to which the caller knows the feed to be taken up, None for one who knows none.
        Raises what `through` does of files.
        """
        position = known or await self.position(key)
        while True:
            page, position = await self._ingest(key, position)
            if not page.commits or (position is not None and position.sequence >= page.head):
                return position

    async def _ingest(
        self, key: WorkspaceKey, after: FeedPosition | None, *, patient: bool = False
    ) -> tuple[FeedPage, FeedPosition | None]:
        """Fetch the next page and take it up, in a span that is linked to what committed it [TR-03]."""
        with span("ingest") as current:
            page = await self._feed.changes(key, after, patient=patient)
            current.set_attribute("lattice.commits", len(page.commits))
            link_to([it.traceparent for it in page.commits[-_MAX_LINKS:]])
            position = await self._take_up(key, page) if page.commits else after
        now = datetime.now(UTC)
        for commit in page.commits:
            _LAG.record(max(0.0, (now - commit.time).total_seconds()))
        return page, position

    async def _take_up(self, key: WorkspaceKey, page: FeedPage) -> FeedPosition:
        """Append what of the page is new, and answer the position afterwards; fetch again from there."""
        async with self._unit.begin(key) as work:
            taken = await read_cursor(work.connection, key)
            if taken is not None and taken.epoch != page.position.epoch:
                raise FeedDiverged(workspace=key.workspace, why="it began another history")
            reached = 0 if taken is None else taken.sequence
            for commit in page.commits:
                reached = _append(work, commit, reached)
            position = FeedPosition(epoch=page.position.epoch, sequence=reached)
            if position != taken:
                await save_cursor(work.connection, key, position)
            return position


def _append(work: Work, commit: FeedCommit, reached: int) -> int:
    """Append a commit that begins right after `reached`; one that was taken up before is left out."""
    first, last = commit.changes[0].change_sequence, commit.changes[-1].change_sequence
    if last <= reached:
        return reached
    if first != reached + 1 or last - first + 1 != len(commit.changes):
        # The page was asked for after a position at or before this one, so nothing may be missing in front of it.
        raise FeedDiverged(workspace=work.key.workspace, why=f"commit {commit.commit_id} does not follow {reached}")
    work.append_commit([change.entry for change in commit.changes])
    return last
