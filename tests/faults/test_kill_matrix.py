"""The suite written to while its services are killed, as `make soak` does for longer, and proof that a breach shows."""

import copy
from collections.abc import Callable

import pytest
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice_cli.suite import SERVICES
from soak.kills.evidence import Evidence
from soak.kills.invariants import breaches
from soak.kills.journal import Journal
from soak.kills.play import Report, play

pytestmark = [pytest.mark.xdist_group("kills"), pytest.mark.timeout(600)]

SAMPLE = (2033, 2)
"""A seed and how many cuts of it: files alone, then all at once, both between a commit and its answer."""

FAILED_ONCE: tuple[tuple[int, int], ...] = ((177703, 8),)
"""Every seed that ever failed, with how many cuts of it; each has a row in README.md."""


@pytest.fixture(scope="module")
async def played(request: pytest.FixtureRequest) -> Report:
    """The play of a seed."""
    return await play(*request.param)


@pytest.mark.parametrize("played", [SAMPLE, *FAILED_ONCE], indirect=True)
def test_whatever_is_killed_what_was_answered_stands_once(played: Report) -> None:
    """X-01 to X-03, X-06, X-07, AT-04, ID-03, WP-07, MP-10, MP-14, MP-21, RN-07, HI-03, L-01, L-08, SG-02, SG-03."""
    assert played.breaches == [], f"see {played.folder}"
    assert {service for cut in played.cuts for service in cut.services} == set(SERVICES)
    assert played.journal.done("edit", "check_in")
    assert any(write.attempts > 1 for write in played.journal.writes)


def loses_a_version(_: Journal, evidence: Evidence) -> None:
    next(it for it in evidence.revisions.values() if len(it) > 1).pop(0)


def loses_a_change(_: Journal, evidence: Evidence) -> None:
    evidence.changes.pop(0)


def doubles_an_entry(_: Journal, evidence: Evidence) -> None:
    evidence.log.append(next(it for it in evidence.log if it.change_sequence))


def leaves_a_lease(_: Journal, evidence: Evidence) -> None:
    next(iter(evidence.leases.values())).lease.base_version = 1


def loses_an_answered_write(journal: Journal, _: Evidence) -> None:
    journal.done("edit", "check_in")[0].mark = "nobody-0000"


def applies_a_refused_write(journal: Journal, _: Evidence) -> None:
    write = journal.done("edit", "check_in")[0]
    write.answer, write.refusal = None, "VERSION_CONFLICT"


def answers_another_version(journal: Journal, _: Evidence) -> None:
    journal.done("edit", "check_in")[0].answer.outcome.applied.version += 1


def refuses_a_held_check_in(journal: Journal, _: Evidence) -> None:
    write = next((it for it in journal.writes if it.kind == "check_in"), None)
    if write is None:
        pytest.skip("a slow machine came to no check-in in the sample")
    write.answer, write.refusal = None, "LEASE_EXPIRED"


def forgets_a_switch(_: Journal, evidence: Evidence) -> None:
    evidence.switches.pop()


def gives_a_token_out_twice(journal: Journal, _: Evidence) -> None:
    journal.writes.append(copy.deepcopy(journal.done("check_out")[0]))


def lets_a_write_through_while_off(journal: Journal, _: Evidence) -> None:
    off = journal.done("switch_off")[0]
    write = journal.done("edit", "check_in")[0]
    write.began, write.ended = off.ended + 1e-6, off.ended + 2e-6


def commits_under_a_switch_that_was_off(_: Journal, evidence: Evidence) -> None:
    off = next(it for it in evidence.switches if not it.enabled)
    revision = next(iter(evidence.revisions.values()))[-1]
    revision.switch_revision = off.revision


def leaves_a_run_open(_: Journal, evidence: Evidence) -> None:
    evidence.log.remove(next(it for it in evidence.log if it.HasField("run_ended")))


def changes_outside_of_a_call(_: Journal, evidence: Evidence) -> None:
    place, started = next((place, it) for place, it in enumerate(evidence.log) if it.HasField("run_started"))
    stray = log_pb.LogEntry(run_id=started.run_id)
    stray.artifact_changed.version = 2
    evidence.log.insert(place + 1, stray)


@pytest.mark.parametrize("played", [SAMPLE], indirect=True)
@pytest.mark.parametrize(
    ("spoil", "invariant"),
    [
        (loses_a_version, "versions_rise_by_one"),
        (loses_a_change, "the_feed_has_each_revision_once"),
        (doubles_an_entry, "the_log_has_each_change_once"),
        (leaves_a_lease, "no_lease_is_left"),
        (loses_an_answered_write, "answered_writes_are_applied_once"),
        (applies_a_refused_write, "answered_writes_are_applied_once"),
        (answers_another_version, "answers_name_the_version_that_they_made"),
        (refuses_a_held_check_in, "refusals_are_legitimate"),
        (forgets_a_switch, "each_switch_and_message_is_recorded_once"),
        (gives_a_token_out_twice, "tokens_are_given_out_once"),
        (lets_a_write_through_while_off, "nothing_begun_after_switching_off_succeeds"),
        (commits_under_a_switch_that_was_off, "every_commit_saw_the_switch_on"),
        (leaves_a_run_open, "each_run_ends_once"),
        (changes_outside_of_a_call, "a_runs_change_lies_within_its_call"),
    ],
)
def test_each_kind_of_breach_is_found(
    played: Report, spoil: Callable[[Journal, Evidence], None], invariant: str
) -> None:
    assert played.evidence is not None
    journal, evidence = copy.deepcopy((played.journal, played.evidence))
    spoil(journal, evidence)
    assert any(it.startswith(f"{invariant}:") for it in breaches(journal, evidence))
