"""A row for each blob: what makes collection safe beside writers [B-06].

A writer touches the row before it relies on the blob, and the commit that names it locks the row
and wants it present. Collection takes only what nobody touched for its grace period: it marks, it
deletes the object, and last the row. There is no object without a row.

A transaction locks its rows all at once and in the order of their digests, or two could wait for each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from sqlalchemy import (
    Boolean,
    ColumnElement,
    DateTime,
    Select,
    Text,
    and_,
    any_,
    bindparam,
    delete,
    exists,
    func,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, array, insert

from lattice_files.domain.content import Content
from lattice_files.domain.proposals import ProposalState
from lattice_files.domain.rejections import PeerUnavailable
from lattice_files.store.tables import blobs, pages, proposals
from lattice_files.store.unit_of_work import Reading, Work

ABANDONED: Final = timedelta(minutes=1)
"""After how long a mark `deleting` belongs to nobody any more: a live collection deletes sooner, or gives up, and the
last request of a dead one has reached the object store, or never will."""

_PRESENT, _DELETING = "present", "deleting"
_CLOCK: Final = func.clock_timestamp(type_=DateTime(timezone=True))

_ADDED: Final = literal_column("xmax = 0", Boolean)
"""Of a row that an upsert returns: whether it was not there before."""

_OWN: Final = and_(blobs.c.tenant == bindparam("of_tenant"), blobs.c.workspace == bindparam("of_workspace"))
_NAMED: Final = (
    select(blobs.c.digest)
    .where(_OWN, blobs.c.digest == any_(bindparam("named", type_=ARRAY(Text))), blobs.c.state == _PRESENT)
    .order_by(blobs.c.digest)
    .with_for_update()
    .cte("named")
)
_KEPT: Final = or_(blobs.c.kept, blobs.c.digest == any_(bindparam("kept_now", type_=ARRAY(Text))))
_SETTLE: Final = (
    update(blobs)
    .where(_OWN, blobs.c.digest == _NAMED.c.digest)
    .values(kept=_KEPT, touched_at=_CLOCK)
    .returning(blobs.c.digest)
)


class BlobKind(StrEnum):
    """What a blob is [B-01]."""

    NATIVE = "native"
    TEXT = "text"
    REVIEW = "review"
    PAGE = "page"


@dataclass(frozen=True, kw_only=True)
class NewBlob:
    """Content that is about to be stored."""

    kind: BlobKind
    content: Content


@dataclass(frozen=True, kw_only=True)
class CollectableBlob:
    """A blob that collection takes."""

    digest: str
    size: int


@dataclass(frozen=True, kw_only=True)
class Touched:
    """What became of the rows of blobs that are about to be stored."""

    present: bool
    """Whether all may be stored; if not, one is being deleted, and must be waited for."""
    grown: bool
    """Whether one of them is new, and takes up room."""


async def touch(reading: Reading, new: Sequence[NewBlob]) -> Touched:
    """Announce that these are about to be stored.

    What a dead collection marked is the writer's, who must not wait for another one that may never come.
    """
    rows = {it.content.digest: it for it in new}
    values = [
        {**reading.key, "digest": digest, "kind": it.kind.value, "size": it.content.size, "state": _PRESENT}
        for digest, it in sorted(rows.items())
    ]
    row = insert(blobs).values([{**it, "touched_at": _CLOCK} for it in values])
    touched = row.on_conflict_do_update(
        index_elements=blobs.primary_key.columns,
        set_={"touched_at": _CLOCK, "state": _PRESENT},
        where=or_(blobs.c.state == _PRESENT, blobs.c.touched_at < _CLOCK - ABANDONED),
    ).returning(_ADDED)
    added = (await reading.connection.execute(touched)).scalars().all()
    return Touched(present=len(added) == len(rows), grown=any(added))


async def is_present(reading: Reading, digest: str) -> bool:
    """Whether a blob has a row, so that storing it again takes up no room."""
    present = select(blobs.c.digest).where(reading.own(blobs), blobs.c.digest == digest, blobs.c.state == _PRESENT)
    return (await reading.connection.execute(present)).one_or_none() is not None


async def touch_again(reading: Reading, digests: frozenset[str]) -> bool:
    """Touch rows once more; False where a collection took one meanwhile.

    Then its object may be gone, or have come too late to have a row.
    """
    return await _present(reading, digests) == digests


async def settle(work: Work, *, kept: frozenset[str], pending: frozenset[str], released: frozenset[str]) -> None:
    """Settle what becomes of the blobs that a commit names.

    Those that a revision names are `kept`: as long as there is history, they stay [B-07]. Those that a `pending`
    proposal names are locked until the commit. The grace of those that are `released` begins now, for a reader may be
    at them still [B-05].

    Raises:
        PeerUnavailable: one of the first two was collected, or is about to be; a repeat stores it again.
    """
    named = kept | pending | released
    if not named:
        return
    if not kept | pending <= await _present(work, named, kept):
        raise PeerUnavailable(peer="blobs")


async def retouch(reading: Reading, digest: str, *, every: timedelta) -> None:
    """Note that a blob is in use, unless that was noted within this time: reads should not all write."""
    used = update(blobs).where(reading.own(blobs), blobs.c.digest == digest, blobs.c.state == _PRESENT)
    await reading.connection.execute(used.where(blobs.c.touched_at < _CLOCK - every).values(touched_at=_CLOCK))


async def collectable(reading: Reading, now: datetime, grace: timedelta) -> tuple[int, int]:
    """How many blobs a collection would delete that begins `now`, and how many bytes they have [B-05]."""
    due = _due(reading, now, grace).subquery()
    row = (await reading.connection.execute(select(func.count(), func.coalesce(func.sum(due.c.size), 0)))).one()
    return int(row[0]), int(row[1])


async def mark(work: Work, now: datetime, grace: timedelta, limit: int) -> Sequence[CollectableBlob]:
    """Mark at most `limit` of the blobs `deleting` that were collectable `now`, the longest untouched first.

    None is left where it marks none.

    A page whose image goes, goes with it: it is rendered again on demand [B-05, F-13].
    """
    # Skipped are those that a writer touches right now: to wait for it with others locked could wait for ever.
    oldest = _due(work, now, grace).order_by(blobs.c.touched_at).limit(limit).with_for_update(skip_locked=True)
    due = oldest.cte("due")  # read once: a subquery with a limit may be run again, and then marks more
    marked = update(blobs).where(work.own(blobs), blobs.c.digest == due.c.digest)
    rows = await work.connection.execute(
        marked.values(state=_DELETING, touched_at=_CLOCK).returning(blobs.c.digest, blobs.c.size)
    )
    found = [CollectableBlob(digest=row.digest, size=row.size) for row in rows]
    images = pages.c.image_digest.in_([it.digest for it in found])
    await work.connection.execute(delete(pages).where(work.own(pages), images))
    return found


async def forget(reading: Reading, digest: str) -> None:
    """Delete the row of a blob whose object is gone."""
    gone = delete(blobs).where(reading.own(blobs), blobs.c.digest == digest, blobs.c.state == _DELETING)
    await reading.connection.execute(gone)


def _due(reading: Reading, now: datetime, grace: timedelta) -> Select[tuple[str, int]]:
    """The blobs that collection takes: any number, in no order."""
    untouched = and_(blobs.c.state == _PRESENT, blobs.c.touched_at < now - grace)
    abandoned = and_(blobs.c.state == _DELETING, blobs.c.touched_at < now - ABANDONED)
    return select(blobs.c.digest, blobs.c.size).where(
        reading.own(blobs), ~blobs.c.kept, or_(untouched, abandoned), ~_named_by_a_pending_proposal(reading)
    )


def _named_by_a_pending_proposal(reading: Reading) -> ColumnElement[bool]:
    """That an open proposal would create or make a file of the blob [F-11]."""
    change = proposals.c.proposal["change"]
    named = [
        change[data][part]["digest"].as_string() for data in ("data", "result") for part in ("native", "text", "review")
    ]
    pending = proposals.c.state == ProposalState.PENDING.value
    digests = select(func.unnest(array(named)).label("digest")).where(reading.own(proposals), pending).subquery()
    return exists().where(digests.c.digest == blobs.c.digest)


async def _present(reading: Reading, named: frozenset[str], kept: frozenset[str] = frozenset()) -> frozenset[str]:
    """Lock, touch and answer those of the named blobs that are present; some are kept from now on."""
    values = {"of_tenant": reading.scope.tenant, "of_workspace": reading.scope.workspace}
    lists = {"named": sorted(named), "kept_now": sorted(kept)}
    return frozenset((await reading.connection.execute(_SETTLE, {**values, **lists})).scalars())
