"""The checker: histories that an order explains, and such that none does."""

import pytest
from service.files.histories.file import CHECKOUT, EDIT, OK, Call, FileRules
from service.files.histories.linearizability import Operation, Verdict, check

pytestmark = pytest.mark.long

A, B = "alice", "bob"
UNKNOWN = float("inf")


def verdict(*told: tuple[float, float, Call, object], may_lapse: frozenset[str] = frozenset()) -> Verdict:
    history = [
        Operation(number=number, called=called, answered=answered, call=call, answer=answer)
        for number, (called, answered, call, answer) in enumerate(told)
    ]
    return check(FileRules(may_lapse=may_lapse), history)


def out(by: str) -> Call:
    return Call(name="check_out", by=by)


def checked_in(by: str, token: int) -> Call:
    return Call(name="check_in", by=by, token=token)


def edit(by: str, base: int) -> Call:
    return Call(name="edit", by=by, base=base)


GET = Call(name="get", by=A)
LEASE = Call(name="get_lease", by=A)
BUSY = ("ARTIFACT_BUSY",)


@pytest.mark.parametrize(
    "history",
    [
        pytest.param([], id="nothing"),
        pytest.param(
            [(0, 1, out(A), (OK, 1, 1)), (2, 3, checked_in(A, 1), (OK, 2)), (4, 5, GET, (OK, 2))], id="serial"
        ),
        pytest.param([(0, 9, out(A), (OK, 1, 1)), (1, 2, out(B), BUSY)], id="the loser was answered first"),
        pytest.param(
            [(0, 9, edit(A, 1), (OK, 2)), (1, 2, LEASE, (OK, 1, EDIT, A, 1)), (3, 4, GET, (OK, 1))], id="midway"
        ),
        pytest.param([(0, 9, edit(A, 1), (OK, 2)), (1, 9, edit(B, 1), ("VERSION_CONFLICT",))], id="two edits"),
        pytest.param([(0, UNKNOWN, edit(A, 1), None), (5, 6, GET, (OK, 2))], id="an unknown edit took effect"),
        pytest.param([(0, UNKNOWN, edit(A, 1), None), (5, 6, GET, (OK, 1))], id="an unknown edit did not"),
        pytest.param([(0, UNKNOWN, edit(A, 1), None), (5, 6, out(B), BUSY)], id="an unknown edit stopped midway"),
        pytest.param([(0, 2, edit(A, 1), ("APP_REFUSED",)), (3, 4, LEASE, (OK, 1))], id="a refusal uses a token up"),
    ],
)
def test_an_order_is_found_where_there_is_one(history: list[tuple[float, float, Call, object]]) -> None:
    assert verdict(*history).linearizable


@pytest.mark.parametrize(
    "history",
    [
        pytest.param([(0, 1, out(A), (OK, 1, 1)), (2, 3, out(B), (OK, 2, 1))], id="two leases"),
        pytest.param([(0, 1, out(A), (OK, 1, 1)), (2, 3, out(A), (OK, 1, 1))], id="a token given twice"),
        pytest.param([(0, 1, edit(A, 1), (OK, 2)), (2, 3, edit(B, 1), (OK, 2))], id="a lost update"),
        pytest.param([(0, 1, edit(A, 1), (OK, 2)), (2, 3, GET, (OK, 1))], id="a stale read"),
        pytest.param([(0, 9, edit(A, 1), (OK, 2)), (1, 2, GET, (OK, 2)), (3, 4, GET, (OK, 1))], id="time going back"),
        pytest.param([(0, 1, GET, (OK, 2)), (2, UNKNOWN, edit(A, 1), None)], id="an effect before its call"),
        pytest.param([(0, 1, out(A), (OK, 1, 1)), (2, 3, checked_in(B, 1), (OK, 2))], id="another's token"),
        pytest.param([(0, 1, out(A), BUSY)], id="busy with nobody"),
        pytest.param(
            [(0, 2, edit(A, 1), ("APP_REFUSED",)), (3, 4, LEASE, (OK, 1, EDIT, A, 1))], id="a lease left behind"
        ),
        pytest.param([(0, 1, out(A), (OK, 1, 1)), (2, 3, LEASE, (OK, 1))], id="a check-out that lapsed too early"),
    ],
)
def test_none_is_found_where_there_is_none(history: list[tuple[float, float, Call, object]]) -> None:
    found = verdict(*history)
    assert not found.linearizable
    assert found.stuck


def test_a_lease_lapses_only_where_that_may_happen_and_is_then_checked_in_late_just_once() -> None:
    """L-03, F-05."""
    lapsed = [(0, 1, out(A), (OK, 1, 1)), (2, 3, LEASE, (OK, 1)), (4, 5, checked_in(A, 1), (OK, 2))]
    late = [*lapsed, (6, 7, LEASE, (OK, 2))]
    may_lapse = frozenset({CHECKOUT})
    assert verdict(*late, may_lapse=may_lapse).linearizable
    assert not verdict(*late).linearizable
    assert not verdict(*lapsed, (6, 7, checked_in(A, 1), (OK, 3)), may_lapse=may_lapse).linearizable
    assert not verdict(*lapsed, (6, 7, LEASE, (OK, 1)), may_lapse=may_lapse).linearizable


def test_an_edit_that_a_kill_cut_takes_its_lease_again_and_any_other_only_once() -> None:
    """ID-03: the channel repeats it, and a lease that a dead server left behind is the repeat's."""
    for cut in (True, False):
        call = Call(name="edit", by=A, base=1, cut=cut)
        twice = [(0, 9, call, (OK, 2)), (1, 2, LEASE, (OK, 1, EDIT, A, 1)), (3, 4, LEASE, (OK, 2, EDIT, A, 1))]
        assert verdict(*twice).linearizable is cut
