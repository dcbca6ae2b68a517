"""The change feed, as it is read: whole commits after a position [MP-10, MP-12]."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from lattice_chassis.paging import NEVER_WRITTEN, Cursor, sequence_after
from lattice_chassis.postgres.workspaces import read_workspace
from sqlalchemy import Row, select

from lattice_files.domain.changes import Change
from lattice_files.store import stored
from lattice_files.store.tables import changes
from lattice_files.store.unit_of_work import Reading


@dataclass(frozen=True, kw_only=True)
class FeedCommit:
    """The changes of one transaction, in order."""

    commit_id: str
    changes: tuple[Change, ...]

    @property
    def end(self) -> int:
        """The number of its last change."""
        return self.changes[-1].change_sequence


@dataclass(frozen=True, kw_only=True)
class FeedPage:
    """Commits after a position, and where the feed stood when they were read."""

    commits: Sequence[FeedCommit]
    epoch: str
    end: int
    """The position after them."""
    head: int

    @property
    def cursor(self) -> Cursor:
        """The position after them, to read on from."""
        return Cursor(epoch=self.epoch, sequence=self.end)


async def head(reading: Reading) -> Cursor:
    """The position of the last change; of a workspace never written to, the one before any [TN-02]."""
    workspace = await read_workspace(reading.connection, reading.scope.tenant, reading.scope.workspace)
    return NEVER_WRITTEN if workspace is None else workspace.cursor


async def after(reading: Reading, cursor: Cursor | None, limit: int) -> FeedPage:
    """Commits after the cursor, with about `limit` changes together, oldest first.

    Raises:
        CursorReset: the position is none of this feed's [SB-05].
    """
    now = await head(reading)
    start = sequence_after(cursor, now)
    end = await _end_of_commit(reading, min(start + limit, now.sequence))
    query = select(changes).where(
        reading.own(changes), changes.c.change_sequence > start, changes.c.change_sequence <= end
    )
    rows = (await reading.connection.execute(query.order_by(changes.c.change_sequence))).all()
    commits = [
        FeedCommit(commit_id=commit_id, changes=tuple(_change(row) for row in together))
        for commit_id, together in groupby(rows, key=lambda row: str(row.commit_id))
    ]
    return FeedPage(commits=commits, epoch=now.epoch, end=end, head=max(now.sequence, end))


async def _end_of_commit(reading: Reading, sequence: int) -> int:
    query = select(changes.c.commit_end).where(reading.own(changes), changes.c.change_sequence == sequence)
    end: int | None = (await reading.connection.execute(query)).scalar_one_or_none()
    return sequence if end is None else end


def _change(row: Row[Any]) -> Change:
    return Change(
        change_sequence=row.change_sequence,
        change_id=row.change_id,
        commit_id=row.commit_id,
        actor=stored.ACTOR.validate_python(row.actor),
        commit_time=row.committed_at,
        thread_id=row.thread_id,
        run_id=row.run_id,
        traceparent=row.traceparent,
        event=stored.EVENT.validate_python(row.event),
    )
