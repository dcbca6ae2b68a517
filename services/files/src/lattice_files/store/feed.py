"""The change feed, as it is read: whole commits after a position [MP-10, MP-12]."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from lattice_chassis.paging import NEVER_WRITTEN, Cursor, sequence_after
from lattice_chassis.postgres.workspaces import read_workspace, workspaces
from sqlalchemy import BigInteger, Row, Select, Text, bindparam, cast, func, select

from lattice_files.domain.changes import Change
from lattice_files.store import stored
from lattice_files.store.tables import changes
from lattice_files.store.unit_of_work import Reading

_BESIDE_EVENT: Final = 300
"""Bytes that a change takes beside its event: ids, author and times."""

_BYTES: Final = func.octet_length(cast(changes.c.event, Text)) + _BESIDE_EVENT


@dataclass(frozen=True, kw_only=True)
class FeedCommit:
    """The changes of one transaction, in order."""

    commit_id: str
    changes: tuple[Change, ...]
    size: int
    """About how many bytes it takes in a message, rather too many."""

    @property
    def end(self) -> int:
        """The number of its last change."""
        return self.changes[-1].change_sequence


@dataclass(frozen=True, kw_only=True)
class PageSize:
    """How much is read at once; the first commit always, however large it is."""

    changes: int
    bytes: int


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


async def after(reading: Reading, cursor: Cursor | None, size: PageSize) -> FeedPage:
    """As many whole commits after the cursor as a page holds, oldest first; none at the head alone.

    Raises:
        CursorReset: the position is none of this feed's [SB-05].
    """
    start = 0 if cursor is None else cursor.sequence
    given = {**reading.key, "start": start, "last": start + size.changes, "bytes": size.bytes}
    rows = (await reading.connection.execute(_PAGE, given)).all()
    now = Cursor(epoch=rows[0].epoch, sequence=rows[0].head) if rows else NEVER_WRITTEN
    sequence_after(cursor, now)
    commits = [
        FeedCommit(commit_id=commit_id, changes=tuple(map(_change, together)), size=sum(it.bytes for it in together))
        for commit_id, together in ((key, list(group)) for key, group in groupby(rows, key=lambda row: row.commit_id))
        if commit_id is not None
    ]
    return FeedPage(commits=commits, epoch=now.epoch, end=commits[-1].end if commits else start, head=now.sequence)


def _page() -> Select[Any]:
    """The rows of the commits that lie within a number and a size, or else of the first, by number.

    Each comes with the workspace's row, which comes alone where there are none: one statement sees one state of both.
    """
    tenant, workspace = bindparam("tenant", type_=Text), bindparam("workspace", type_=Text)
    start = bindparam("start", type_=BigInteger)
    later = (changes.c.tenant == tenant) & (changes.c.workspace == workspace) & (changes.c.change_sequence > start)
    counted = (
        select(
            changes.c.change_sequence,
            changes.c.commit_end,
            func.sum(_BYTES).over(order_by=changes.c.change_sequence).label("total"),
        )
        .where(later, changes.c.change_sequence <= bindparam("last", type_=BigInteger))
        .subquery()
    )
    fits = (counted.c.change_sequence == counted.c.commit_end) & (counted.c.total <= bindparam("bytes"))
    end = select(func.coalesce(func.max(counted.c.commit_end).filter(fits), func.min(counted.c.commit_end)))
    return (
        select(workspaces.c.epoch, workspaces.c.head, changes, _BYTES.label("bytes"))
        .outerjoin_from(workspaces, changes, later & (changes.c.change_sequence <= end.scalar_subquery()))
        .where(workspaces.c.tenant == tenant, workspaces.c.workspace == workspace)
        .order_by(changes.c.change_sequence)
    )


_PAGE: Final = _page()
"""Composed once: that takes longer than the database takes to answer."""


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
