"""Faults put into the running service, each with what catches it: the list of what our explorations would see."""

from collections.abc import AsyncIterator, Iterable
from typing import Final

import grpc
import pytest
from faults.files.seeded import faults, scenarios
from faults.files.seeded.faults import Fault
from faults.files.seeded.scenarios import Scenario
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from service.files.conftest import MakeSettings
from service.files.histories.file import FileRules
from service.files.histories.recording import Recording, record, require_linearizable
from service.files.machine.stage import Stage, open_stage
from service.files.machine.standing import Disagreement

PLAYED: Final[dict[Fault, Scenario]] = {
    faults.any_token_checks_in: scenarios.OLD_TOKEN,
    faults.the_token_is_not_looked_at_under_the_lock: scenarios.BROKEN_MEANWHILE,
    faults.an_edit_commits_without_its_lease: scenarios.LAPSED_EDIT,
    faults.a_live_lease_keeps_nobody_out: scenarios.TWO_CHECK_OUTS,
    faults.the_clock_is_the_process_own: scenarios.TWO_CHECK_OUTS,
    faults.tokens_begin_again_after_a_release: scenarios.OLD_TOKEN,
    faults.a_lapsed_check_out_is_not_broken: scenarios.LAPSED_AND_BROKEN,
    faults.a_late_check_in_keeps_its_token: scenarios.LATE,
    faults.a_refused_edit_keeps_its_lease: scenarios.REFUSED_BATCH,
    faults.a_change_is_committed_whatever_its_base: scenarios.SAME_BASE,
    faults.a_check_in_is_committed_whatever_its_base: scenarios.LAPSED_AND_RENAMED,
    faults.the_feed_is_written_after_the_commit: scenarios.SAME_BASE,
    faults.a_feed_row_is_written_twice_over_two_commits: scenarios.ACCEPTED_TWICE,
    faults.the_gate_is_asked_after_the_lease: scenarios.OFF,
    faults.the_gate_is_asked_once: scenarios.OFF_MEANWHILE,
    faults.the_gate_is_asked_after_the_callers_rights: scenarios.OFF,
    faults.no_request_is_remembered: scenarios.REPEATED,
    faults.requests_of_all_participants_are_one: scenarios.REPEATED,
    faults.another_request_under_the_same_id_is_answered_too: scenarios.REPEATED,
    faults.an_answered_proposal_is_answered_again: scenarios.ACCEPTED_TWICE,
    faults.a_rejected_proposal_is_applied: scenarios.REJECTED,
    faults.the_author_accepts: scenarios.OWN,
    faults.each_run_is_another_participant: scenarios.OWN,
    faults.an_acceptance_is_the_proposers_change: scenarios.REVIEWED,
    faults.the_patch_on_record_is_the_proposers: scenarios.REVIEWED,
    faults.agents_accept_what_they_would_have_to_propose: scenarios.BY_POLICY,
    faults.write_policies_are_ignored: scenarios.BY_POLICY,
    faults.must_propose_is_ignored: scenarios.REJECTED,
    faults.archived_artifacts_are_changed: scenarios.ARCHIVED,
    faults.generic_edits_pass_a_check_out: scenarios.CHECKED_OUT,
    faults.acceptances_pass_a_check_out: scenarios.CHECKED_OUT,
    faults.a_stale_batch_is_applied_as_it_was_made: scenarios.STALE,
    faults.a_superseded_proposal_stays_pending: scenarios.SUPERSEDED,
    faults.fences_are_not_looked_at: scenarios.OVERTAKEN,
    faults.a_revision_keeps_no_blobs: scenarios.COLLECTED,
    faults.a_pending_proposal_keeps_no_blobs: scenarios.COLLECTED_PROPOSAL,
    faults.names_of_other_tenants_are_read: scenarios.TRESPASS,
}
"""What a play of a few steps catches, which are compared with the model one by one."""

RECORDED: Final[tuple[Fault, ...]] = (
    faults.the_workspace_is_not_locked,
    faults.a_live_lease_keeps_nobody_out,
    faults.the_token_is_not_looked_at_under_the_lock,
)
"""What only clients at once bring about, or bring about too: their history is then no linearizable one."""


@pytest.fixture(scope="module")
async def stage(
    make_settings: MakeSettings, files_urls: DatabaseUrls, integrations: BoundServer
) -> AsyncIterator[Stage]:
    """A server of files that has the faults, one after the other."""
    async with open_stage(make_settings, files_urls, integrations.address) as opened:
        yield opened


async def plays(stage: Stage, scenario: Scenario) -> None:
    play = stage.new_play()
    for command in scenario:
        await play.do(command)
    await play.end()


async def records(server: BoundServer, name: str, seeds: Iterable[int]) -> None:
    for seed in seeds:
        await _records(server, name, seed)


async def _records(server: BoundServer, name: str, seed: int) -> None:
    recording = Recording(seed=seed, workspace=f"seeded-{name}-{seed}", calls=25, impatience=0, files=["f1"])
    history = await record(recording, [server.address])
    assert not history.unexpected
    require_linearizable(history, FileRules())


async def test_without_a_fault_every_scenario_and_history_is_what_the_rules_say(
    stage: Stage, server: BoundServer
) -> None:
    """WP-01, WP-02: so what is caught below is the fault."""
    for scenario in {id(it): it for it in PLAYED.values()}.values():
        await plays(stage, scenario)
    await records(server, "sound", [1])


@pytest.mark.parametrize(("fault", "scenario"), PLAYED.items(), ids=lambda it: getattr(it, "__name__", ""))
async def test_a_play_catches(stage: Stage, monkeypatch: pytest.MonkeyPatch, fault: Fault, scenario: Scenario) -> None:
    """Issue 3, "Done when": each seeded fault is caught, and by what it does, not by breaking the service."""
    fault(monkeypatch)
    with pytest.raises((Disagreement, grpc.aio.AioRpcError)) as caught:
        await plays(stage, scenario)
    assert fault is faults.a_revision_keeps_no_blobs or "INTERNAL" not in str(caught.value)


@pytest.mark.parametrize("fault", RECORDED, ids=lambda it: it.__name__)
async def test_a_history_catches(server: BoundServer, monkeypatch: pytest.MonkeyPatch, fault: Fault) -> None:
    """Issue 3, "Done when": each seeded fault is caught."""
    fault(monkeypatch)
    with pytest.raises(AssertionError):  # within some seeds, for a seed decides what is called and not what meets
        await records(server, fault.__name__, range(6))
