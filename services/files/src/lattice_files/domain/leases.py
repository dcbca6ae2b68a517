"""Leases on native files: who may write, and until when.

A lease keeps other writers of one file out; effects outside the database are not covered. The
transaction that commits looks at token and version again, so a lease that lapsed unseen costs a
refusal, never a lost update. All times are the database's, read after the workspace was locked.
A token names one lease for ever, so it also is what L-02 calls the holder id. [L-01 to L-08]
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from lattice_files.domain.actors import Actor
from lattice_files.domain.limits import Limits
from lattice_files.domain.rejections import ArtifactBusy, LeaseExpired


class LeaseKind(StrEnum):
    """What a lease is for."""

    CHECKOUT = "checkout"
    """A person's check-out, minutes to hours."""
    EDIT = "edit"
    """One call's edit, seconds [N-18]."""


@dataclass(frozen=True, kw_only=True)
class Lease:
    """The right of one holder to write one file [L-02]."""

    token: int
    kind: LeaseKind
    holder: Actor
    request_id: str
    """The request that took it; a repeat of the request takes it again [ID-03]."""
    base_version: int
    acquired_at: datetime
    expires_at: datetime

    def is_live(self, now: datetime) -> bool:
        """Whether it still keeps others out: at the very instant of its end it does not [L-03]."""
        return now < self.expires_at

    def is_edit_of(self, holder: Actor, request_id: str) -> bool:
        """Whether it is held for this request of this participant, be it the first one or a repeat [ID-03]."""
        same = self.request_id == request_id and self.holder.same_participant(holder)
        return self.kind is LeaseKind.EDIT and same


@dataclass(frozen=True, kw_only=True)
class Tenure:
    """What the database keeps of a file's leases: the last one, and how many there ever were.

    The row is never deleted and its counter never falls, so no token is given out twice [L-01].
    """

    artifact_id: str
    counter: int = 0
    last: Lease | None = None
    """The lease with the token `counter`; None once it was released, or before the first."""

    def live(self, now: datetime) -> Lease | None:
        """The lease that refuses other writers now."""
        return self.last if self.last is not None and self.last.is_live(now) else None

    def released(self) -> "Tenure":
        """The file free again; the counter stays."""
        return replace(self, last=None)

    def busy(self, lease: Lease) -> ArtifactBusy:
        """The refusal that names a live lease."""
        return ArtifactBusy(
            artifact_id=self.artifact_id, lease_kind=lease.kind.value, holder=lease.holder, until=lease.expires_at
        )


@dataclass(frozen=True, kw_only=True)
class Claimant:
    """Who asks for a lease, what for, and by which request."""

    kind: LeaseKind
    holder: Actor
    request_id: str
    base_version: int


@dataclass(frozen=True, kw_only=True)
class BrokenCheckOut:
    """A check-out that an administrator ended, on record for ever [F-18]."""

    artifact_id: str
    lease: Lease
    breaker: Actor
    reason: str
    broken_at: datetime


@dataclass(frozen=True, kw_only=True)
class BreakAnswer:
    """What a break ended; nothing where there was no check-out."""

    broken: BrokenCheckOut | None


def acquire(tenure: Tenure, claimant: Claimant, now: datetime, length: timedelta) -> Tenure:
    """Give the file to the claimant under the next token.

    A repeated edit takes its own lease again; the slower one is kept out by the higher token [ID-03].

    Raises:
        ArtifactBusy: a lease lives, whoever holds it; nothing changes, the counter neither [L-01, AMB-13].
    """
    live = tenure.live(now)
    if live is not None and not _is_repeated_edit(live, claimant):
        raise tenure.busy(live)
    lease = Lease(
        token=tenure.counter + 1,
        kind=claimant.kind,
        holder=claimant.holder,
        request_id=claimant.request_id,
        base_version=claimant.base_version,
        acquired_at=now,
        expires_at=now + length,
    )
    return replace(tenure, counter=lease.token, last=lease)


def require_free(tenure: Tenure, now: datetime) -> None:
    """Refuse a write that holds no lease while one lives, the holder's own writes too [L-08].

    Raises:
        ArtifactBusy: a lease lives.
    """
    live = tenure.live(now)
    if live is not None:
        raise tenure.busy(live)


def require_edit_lease(tenure: Tenure, token: int, now: datetime) -> None:
    """Let the edit through that holds the file under `token`.

    Raises:
        ArtifactBusy: the lease ended meanwhile, or was taken again; what is told is who holds it now, if anybody.
    """
    live = tenure.live(now)
    if live is None:
        raise ArtifactBusy(artifact_id=tenure.artifact_id)
    if live.token != token:
        raise tenure.busy(live)


def extend(tenure: Tenure, token: int, actor: Actor, now: datetime, limits: Limits) -> Tenure:
    """Let the holder's check-out end a whole check-out time from now, at most the total after it began [F-03, L-06].

    Raises:
        ArtifactBusy: somebody else holds the file, or the token is another's [L-04].
        LeaseExpired: the check-out ended.
    """
    lease = _own_check_out(tenure, token, actor, now)
    if not lease.is_live(now):
        raise LeaseExpired(expired_at=lease.expires_at)
    end = min(now + limits.check_out, lease.acquired_at + limits.check_out_total)
    return replace(tenure, last=replace(lease, expires_at=max(lease.expires_at, end)))


def check_out_to_check_in(tenure: Tenure, token: int, actor: Actor, now: datetime, limits: Limits) -> Lease:
    """The check-out that a check-in may use: a live one, or one that lapsed and that nobody followed [F-04, F-05].

    Raises:
        ArtifactBusy: somebody else holds the file, or the token is another's.
        LeaseExpired: it was released, followed by another lease, or ended too long ago.
    """
    lease = _own_check_out(tenure, token, actor, now)
    if now > lease.expires_at + limits.late_check_in:
        raise LeaseExpired(expired_at=lease.expires_at)
    return lease


def end_by_check_in(tenure: Tenure, lease: Lease, now: datetime) -> Tenure:
    """The tenure once the check-in is committed: free, and under a new token if the lease had lapsed [F-05]."""
    counter = tenure.counter if lease.is_live(now) else tenure.counter + 1
    return replace(tenure, counter=counter, last=None)


def release_check_out(tenure: Tenure, token: int | None, actor: Actor, now: datetime) -> tuple[Tenure, bool]:
    """End the actor's own check-out, and say whether it lived; anybody else's stays as it is [F-06, F-18, L-04].

    Without a token it is whichever the actor holds. One that lapsed ends too: it cannot be checked in any more.
    """
    last = tenure.last
    if last is None or last.kind is not LeaseKind.CHECKOUT or not last.holder.same_participant(actor):
        return tenure, False
    if token is not None and token != last.token:
        return tenure, False
    return tenure.released(), last.is_live(now)


def break_check_out(tenure: Tenure) -> tuple[Tenure, Lease | None]:
    """End whoever's check-out, live or lapsed: its token is worth nothing any more, at a late check-in neither [F-18].

    Answers the check-out that was ended, if there was one; an edit's lease stays.
    """
    last = tenure.last
    if last is None or last.kind is not LeaseKind.CHECKOUT:
        return tenure, None
    return tenure.released(), last


def release_edit(tenure: Tenure, token: int) -> Tenure:
    """End the edit lease with this token; a later lease stays as it is."""
    return tenure.released() if tenure.last is not None and tenure.last.token == token else tenure


def _own_check_out(tenure: Tenure, token: int, actor: Actor, now: datetime) -> Lease:
    last = tenure.last
    if last is not None and last.token == token and _is_check_out_of(last, actor):
        return last
    live = tenure.live(now)
    if live is not None:
        raise tenure.busy(live)
    raise LeaseExpired


def _is_check_out_of(lease: Lease, actor: Actor) -> bool:
    return lease.kind is LeaseKind.CHECKOUT and lease.holder.same_participant(actor)


def _is_repeated_edit(live: Lease, claimant: Claimant) -> bool:
    return claimant.kind is LeaseKind.EDIT and live.is_edit_of(claimant.holder, claimant.request_id)
