"""A row for each blob: what makes collection safe beside writers [B-06].

A writer touches the row before it relies on the blob, and the commit that names it locks the row
and wants it present. Collection takes only what nobody touched for its grace period.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from lattice_files.domain.content import Content
from lattice_files.store.tables import blobs
from lattice_files.store.unit_of_work import Reading, Work

_PRESENT, _DELETING = "present", "deleting"


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


class BlobVanishedError(Exception):
    """A commit names a blob that was collected meanwhile: its writer took longer than the grace period."""


async def touch(reading: Reading, new: Sequence[NewBlob]) -> bool:
    """Announce that these are about to be relied on; False where one is being deleted, and must be waited for."""
    rows = {it.content.digest: it for it in new}
    values = [
        {**reading.key, "digest": digest, "kind": it.kind.value, "size": it.content.size, "state": _PRESENT}
        for digest, it in sorted(
            rows.items()
        )  # in one order everywhere, so that two writers cannot wait for each other
    ]
    row = insert(blobs).values([{**it, "touched_at": func.clock_timestamp()} for it in values])
    touched = row.on_conflict_do_update(
        index_elements=blobs.primary_key.columns,
        set_={"touched_at": func.clock_timestamp()},
        where=blobs.c.state == _PRESENT,
    ).returning(blobs.c.digest)
    return len((await reading.connection.execute(touched)).all()) == len(rows)


async def require_present(work: Work, digests: frozenset[str]) -> None:
    """Lock the rows of blobs that a proposal of this transaction names.

    Raises:
        BlobVanishedError: one was collected, or is about to be.
    """
    query = select(blobs.c.digest).where(work.own(blobs), blobs.c.digest.in_(digests), blobs.c.state == _PRESENT)
    present = await work.connection.execute(query.order_by(blobs.c.digest).with_for_update())
    _require_all(digests, present.scalars())


async def keep(work: Work, digests: frozenset[str]) -> None:
    """Mark the blobs that a revision of this transaction names: as long as there is history, they stay [B-07].

    Raises:
        BlobVanishedError: one was collected, or is about to be.
    """
    kept = update(blobs).where(work.own(blobs), blobs.c.digest.in_(digests), blobs.c.state == _PRESENT)
    present = await work.connection.execute(kept.values(kept=True).returning(blobs.c.digest))
    _require_all(digests, present.scalars())


def _require_all(digests: frozenset[str], present: Iterable[str]) -> None:
    missing = digests.difference(present)
    if missing:
        raise BlobVanishedError(f"blobs {sorted(missing)} are not present")
