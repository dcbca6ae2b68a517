"""Counts of what becomes of leases: taken, refused because another lives, or found to have lapsed [L-01]."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from lattice_chassis.metrics import METER, OUTCOME

from lattice_files.domain.leases import LeaseKind, Tenure
from lattice_files.domain.rejections import ArtifactBusy

_LEASES: Final = METER.create_counter("lattice.leases", "{lease}", "Leases that were taken, refused, or had lapsed")


@contextmanager
def counting_refusals(kind: LeaseKind) -> Iterator[None]:
    """Count a lease of this kind as refused where the block is refused because another one lives."""
    try:
        yield
    except ArtifactBusy:
        _count("refused", kind)
        raise


def count_taken(before: Tenure, kind: LeaseKind, now: datetime) -> None:
    """Count a lease that was taken, and the one before it where that had ended by itself."""
    _count("taken", kind)
    if before.last is not None and before.live(now) is None:
        count_lapsed(before.last.kind)


def count_lapsed(kind: LeaseKind) -> None:
    """Count a lease that ended by itself, and is found so."""
    _count("expired", kind)


def _count(outcome: str, kind: LeaseKind) -> None:
    _LEASES.add(1, {OUTCOME: outcome, "lattice.lease.kind": kind.value})
