"""The leases of native files: the last of each, and how many there were [L-01, L-02]."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from lattice_chassis.postgres.dialect import DEFERRED
from sqlalchemy import Row, bindparam, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from lattice_files.domain.leases import BrokenCheckOut, Lease, LeaseKind, Tenure
from lattice_files.store import stored
from lattice_files.store.tables import broken_check_outs, leases, of_workspace
from lattice_files.store.unit_of_work import Reading, Work

_TENURE: Final = select(leases).where(of_workspace(leases), leases.c.artifact_id == bindparam("artifact_id"))
_INSERT: Final = insert(leases).execution_options(**DEFERRED)
_SAVE: Final = _INSERT.on_conflict_do_update(
    index_elements=leases.primary_key.columns,
    set_={it.name: _INSERT.excluded[it.name] for it in leases.c if not it.primary_key},
)


async def load(reading: Reading, artifact_id: str) -> Tenure:
    """The tenure of a file; of one never leased, the empty one."""
    row = (await reading.connection.execute(_TENURE, {**reading.key, "artifact_id": artifact_id})).one_or_none()
    return Tenure(artifact_id=artifact_id) if row is None else _tenure(row)


async def save(work: Work, tenure: Tenure) -> None:
    """Keep the tenure of a file; the workspace's lock orders it among all others."""
    if tenure.counter == 0:
        return  # there never was a lease, and a refusal must not leave the trace of one
    held = tenure.last
    values: dict[str, Any] = {
        "token": tenure.counter,
        "kind": held and held.kind.value,
        "holder": None if held is None else stored.dump(stored.ACTOR, held.holder),
        "request_id": held and held.request_id,
        "base_version": held and held.base_version,
        "acquired_at": held and held.acquired_at,
        "expires_at": held and held.expires_at,
    }
    await work.connection.execute(_SAVE, {**work.key, "artifact_id": tenure.artifact_id, **values})


async def list_check_outs(
    reading: Reading, now: datetime, *, after: tuple[datetime, str] | None, limit: int
) -> Sequence[tuple[str, Lease]]:
    """The check-outs that live at `now`, each with its artifact, oldest first, after that time and artifact."""
    place = (leases.c.acquired_at, leases.c.artifact_id)
    query = select(leases).where(
        reading.own(leases), leases.c.kind == LeaseKind.CHECKOUT.value, leases.c.expires_at > now
    )
    if after is not None:
        query = query.where(tuple_(*place) > after)
    rows = await reading.connection.execute(query.order_by(*place).limit(limit))
    return [(row.artifact_id, lease) for row in rows if (lease := _tenure(row).last) is not None]


async def record_break(work: Work, broken: BrokenCheckOut) -> None:
    """Put a break on record, in the transaction that ends the check-out."""
    lease = broken.lease
    row = insert(broken_check_outs).values(
        **work.key,
        artifact_id=broken.artifact_id,
        token=lease.token,
        lease=stored.dump(stored.LEASE, lease),
        breaker=stored.dump(stored.ACTOR, broken.breaker),
        reason=broken.reason,
        broken_at=broken.broken_at,
    )
    await work.connection.execute(row)


async def list_broken(reading: Reading, *, after: tuple[datetime, str] | None, limit: int) -> Sequence[BrokenCheckOut]:
    """The check-outs that were broken, oldest first, after that time and artifact."""
    place = (broken_check_outs.c.broken_at, broken_check_outs.c.artifact_id)
    query = select(broken_check_outs).where(reading.own(broken_check_outs))
    if after is not None:
        query = query.where(tuple_(*place) > after)
    rows = await reading.connection.execute(query.order_by(*place).limit(limit))
    return [
        BrokenCheckOut(
            artifact_id=row.artifact_id,
            lease=stored.LEASE.validate_python(row.lease),
            breaker=stored.ACTOR.validate_python(row.breaker),
            reason=row.reason,
            broken_at=row.broken_at,
        )
        for row in rows
    ]


def _tenure(row: Row[Any]) -> Tenure:
    if row.holder is None:
        return Tenure(artifact_id=row.artifact_id, counter=row.token)
    lease = Lease(
        token=row.token,
        kind=LeaseKind(row.kind),
        holder=stored.ACTOR.validate_python(row.holder),
        request_id=row.request_id,
        base_version=row.base_version,
        acquired_at=row.acquired_at,
        expires_at=row.expires_at,
    )
    return Tenure(artifact_id=row.artifact_id, counter=row.token, last=lease)
