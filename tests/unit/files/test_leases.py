"""The rules of leases, against a model and a clock that the test moves."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from lattice_files.domain import leases
from lattice_files.domain.actors import Actor, ActorKind
from lattice_files.domain.leases import Claimant, LeaseKind, Tenure
from lattice_files.domain.limits import Limits
from lattice_files.domain.rejections import ArtifactBusy, LeaseExpired

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
LIMITS = Limits()
FREE = Tenure(artifact_id="plan")
ALICE = Actor(kind=ActorKind.USER, id="alice", name="Alice")
BOB = Actor(kind=ActorKind.USER, id="bob")
ASSISTANT = Actor(kind=ActorKind.AGENT, id="thr_1", run_id="run_1")


def lent(holder: Actor = ALICE, at: datetime = NOON) -> Tenure:
    claimant = Claimant(kind=LeaseKind.CHECKOUT, holder=holder, request_id="r", base_version=1)
    return leases.acquire(FREE, claimant, at, LIMITS.check_out)


def editing(request_id: str = "r", holder: Actor = ASSISTANT) -> Claimant:
    return Claimant(kind=LeaseKind.EDIT, holder=holder, request_id=request_id, base_version=1)


def test_at_the_very_instant_of_its_end_a_lease_is_anyones() -> None:
    """L-03: expired is now >= expires_at, and takeover needs no cleanup."""
    tenure = lent()
    end = NOON + LIMITS.check_out
    with pytest.raises(ArtifactBusy):
        leases.acquire(tenure, editing(), end - timedelta(microseconds=1), LIMITS.edit_lease)
    taken = leases.acquire(tenure, editing(), end, LIMITS.edit_lease)
    assert (taken.counter, taken.last and taken.last.holder) == (2, ASSISTANT)


def test_a_refusal_names_holder_kind_and_end() -> None:
    """N-22, R-13: who, what for, and until when."""
    with pytest.raises(ArtifactBusy) as refused:
        leases.require_free(lent(), NOON)
    assert (refused.value.holder, refused.value.lease_kind) == (ALICE, "checkout")
    assert refused.value.until == NOON + LIMITS.check_out


def test_the_same_person_checks_out_once() -> None:
    """AMB-13: a second check-out of the holder is busy, naming themselves."""
    claimant = Claimant(kind=LeaseKind.CHECKOUT, holder=ALICE, request_id="other", base_version=1)
    with pytest.raises(ArtifactBusy) as refused:
        leases.acquire(lent(), claimant, NOON, LIMITS.check_out)
    assert refused.value.holder == ALICE


def test_a_repeated_edit_takes_its_own_lease_again_under_a_higher_token() -> None:
    """ID-03: and the slower one is kept out by it."""
    first = leases.acquire(FREE, editing("r"), NOON, LIMITS.edit_lease)
    renamed = replace(ASSISTANT, name="Renamed", run_id="run_2")
    second = leases.acquire(first, editing("r", renamed), NOON, LIMITS.edit_lease)
    assert second.counter == 2
    leases.require_edit_lease(second, 2, NOON)
    with pytest.raises(ArtifactBusy):
        leases.require_edit_lease(second, 1, NOON)
    for other in (editing("other"), editing("r", BOB)):
        with pytest.raises(ArtifactBusy):
            leases.acquire(second, other, NOON, LIMITS.edit_lease)


def test_an_edit_whose_lease_lapsed_does_not_commit() -> None:
    """L-01: the commit looks at the clock again."""
    tenure = leases.acquire(FREE, editing(), NOON, LIMITS.edit_lease)
    with pytest.raises(ArtifactBusy):
        leases.require_edit_lease(tenure, 1, NOON + LIMITS.edit_lease)


def test_an_extension_reaches_from_now_and_ends_with_the_total() -> None:
    """F-03, L-06: now + 30 min, 8 h in all."""
    tenure, now = lent(), NOON
    for _ in range(30):
        now += timedelta(minutes=20)
        try:
            tenure = leases.extend(tenure, 1, ALICE, now, LIMITS)
        except LeaseExpired:
            break
        assert tenure.last is not None
        assert tenure.last.expires_at == min(now + LIMITS.check_out, NOON + LIMITS.check_out_total)
    assert now == NOON + LIMITS.check_out_total


def test_an_extension_by_another_is_busy_and_one_after_the_end_is_expired() -> None:
    """L-04, F-03."""
    for token, actor in ((1, BOB), (2, ALICE)):
        with pytest.raises(ArtifactBusy):
            leases.extend(lent(), token, actor, NOON, LIMITS)
    with pytest.raises(LeaseExpired) as refused:
        leases.extend(lent(), 1, ALICE, NOON + LIMITS.check_out, LIMITS)
    assert refused.value.expired_at == NOON + LIMITS.check_out
    with pytest.raises(LeaseExpired):
        leases.extend(lent().released(), 1, ALICE, NOON, LIMITS)


def test_a_lapsed_check_out_is_checked_in_within_a_day_under_a_new_token() -> None:
    """F-05: while nobody followed it."""
    tenure, end = lent(), NOON + LIMITS.check_out
    late = end + LIMITS.late_check_in
    lease = leases.check_out_to_check_in(tenure, 1, ALICE, late, LIMITS)
    assert leases.end_by_check_in(tenure, lease, late) == Tenure(artifact_id="plan", counter=2)
    with pytest.raises(LeaseExpired):
        leases.check_out_to_check_in(tenure, 1, ALICE, late + timedelta(microseconds=1), LIMITS)
    with pytest.raises(LeaseExpired):
        leases.check_out_to_check_in(tenure, 1, BOB, late, LIMITS)


def test_a_lapsed_check_out_that_another_followed_is_not_checked_in() -> None:
    """F-05: busy while that one lives, expired once it ended."""
    end = NOON + LIMITS.check_out
    followed = leases.acquire(lent(), editing(), end, LIMITS.edit_lease)
    with pytest.raises(ArtifactBusy):
        leases.check_out_to_check_in(followed, 1, ALICE, end, LIMITS)
    with pytest.raises(LeaseExpired):
        leases.check_out_to_check_in(followed.released(), 1, ALICE, end, LIMITS)


def test_a_release_by_anybody_but_the_holder_changes_nothing() -> None:
    """L-04, F-06, F-18: the holder needs no token; a wrong one ends nothing."""
    tenure = lent()
    for token, actor in ((1, BOB), (None, BOB), (2, ALICE)):
        assert leases.release_check_out(tenure, token, actor, NOON) == (tenure, False)
    assert leases.release_check_out(tenure, None, ALICE, NOON) == (tenure.released(), True)
    held = leases.acquire(FREE, editing(holder=ALICE), NOON, LIMITS.edit_lease)
    assert leases.release_check_out(held, None, ALICE, NOON) == (held, False)


class LeasesOfOneFile(RuleBasedStateMachine):
    """L-01 to L-04, X-07: any order of calls at any time, against what the rules mean."""

    def __init__(self) -> None:
        super().__init__()
        self.now = NOON
        self.tenure = FREE
        self.holder: Actor | None = None
        self.kind: LeaseKind | None = None
        self.token = 0
        self.end = NOON
        self.tokens: list[int] = []

    @rule(seconds=st.integers(min_value=0, max_value=3600))
    def wait(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @rule(
        holder=st.sampled_from([ALICE, BOB, ASSISTANT]),
        kind=st.sampled_from(LeaseKind),
        request_id=st.sampled_from(["r1", "r2"]),
    )
    def acquire(self, holder: Actor, kind: LeaseKind, request_id: str) -> None:
        length = LIMITS.check_out if kind is LeaseKind.CHECKOUT else LIMITS.edit_lease
        claimant = Claimant(kind=kind, holder=holder, request_id=request_id, base_version=1)
        before = self.tenure
        try:
            self.tenure = leases.acquire(before, claimant, self.now, length)
        except ArtifactBusy:
            assert self.is_held
            assert self.tenure is before
            return
        again = before.last is not None and before.last.request_id == request_id
        own = self.holder == holder and self.kind is kind is LeaseKind.EDIT and again
        assert own or not self.is_held
        self.holder, self.kind, self.token, self.end = holder, kind, self.tenure.counter, self.now + length
        self.tokens.append(self.token)

    @rule(actor=st.sampled_from([ALICE, BOB]), token=st.integers(min_value=1, max_value=5))
    def release(self, actor: Actor, token: int) -> None:
        mine = self.holder == actor and self.kind is LeaseKind.CHECKOUT and self.token == token
        self.tenure, was_live = leases.release_check_out(self.tenure, token, actor, self.now)
        assert was_live == (mine and self.is_held)
        if mine:
            self.holder = None

    @rule(actor=st.sampled_from([ALICE, BOB]), token=st.integers(min_value=1, max_value=5))
    def extend(self, actor: Actor, token: int) -> None:
        mine = self.holder == actor and self.kind is LeaseKind.CHECKOUT and self.token == token
        try:
            self.tenure = leases.extend(self.tenure, token, actor, self.now, LIMITS)
        except (ArtifactBusy, LeaseExpired):
            assert not (mine and self.is_held)
            return
        assert mine
        assert self.is_held
        assert self.tenure.last is not None
        assert self.tenure.last.expires_at >= self.end
        self.end = self.tenure.last.expires_at

    @property
    def is_held(self) -> bool:
        return self.holder is not None and self.now < self.end

    @invariant()
    def one_lease_lives_at_most_and_it_is_the_last_given(self) -> None:
        live = self.tenure.live(self.now)
        assert (live is not None) == self.is_held
        if live is not None:
            assert (live.holder, live.token) == (self.holder, self.tenure.counter)

    @invariant()
    def tokens_only_grow(self) -> None:
        assert self.tokens == sorted(set(self.tokens))
        assert self.tenure.counter == (self.tokens[-1] if self.tokens else 0)


TestLeasesOfOneFile = LeasesOfOneFile.TestCase
