"""Edits: a batch of app commands makes the next version, or a proposal, or nothing at all."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.type.v1 import errors_pb2
from lattice_chassis.server import BoundServer
from lattice_files.main import running
from service.files.conftest import MakeSettings
from service.files.people import (
    Command,
    Participant,
    agent,
    append,
    detail,
    document,
    new_request_id,
    participant,
    refused,
    replace,
)

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


async def test_an_edit_is_the_next_version_with_its_text_review_and_summary(
    alice: Participant, assistant: Participant
) -> None:
    """F-07, N-17, F-09, AC-06: tracked under the agent's name, and its run is on the change."""
    artifact_id = await alice.has_file("One now.")
    answer = await assistant.edits(artifact_id, 1, replace("now", "soon"), append("Two."))
    assert (answer.outcome.applied.version, answer.outcome.change_sequence) == (2, 2)
    assert list(answer.changed_parts) == ["changes", "paragraphs"]
    assert await alice.reads(artifact_id) == "One soon.\nTwo."
    change = (await alice.feed())[-1]
    assert (change.actor, change.thread_id, change.run_id) == (assistant.actor, "thr_1", "run_1")
    changed = change.artifact_changed
    assert (changed.artifact_id, changed.version, changed.summary) == (artifact_id, 2, "edits the plan")
    data = json.loads((await alice.sees(artifact_id)).data_json)
    assert data["review"]["count"] == 3
    assert (await alice.lease_of(artifact_id)).token_counter == 1


async def test_a_persons_edit_is_direct_unless_it_asks_for_tracking(alice: Participant) -> None:
    """F-09."""
    artifact_id = await alice.has_file("One.")
    await alice.edits(artifact_id, 1, append("Two."))
    assert json.loads((await alice.sees(artifact_id)).data_json)["review"]["count"] == 0
    request = alice.edit_request(artifact_id, 2, append("Three."))
    request.mode = native_pb.EDIT_MODE_TRACKED
    await alice.native.Edit(request)
    assert json.loads((await alice.sees(artifact_id)).data_json)["review"]["count"] == 1


async def test_an_app_is_told_whose_document_it_edits(alice: Participant) -> None:
    """SE-01, SE-07: so that it keeps tenants apart; who edits is said by the batch alone."""
    artifact_id = await alice.has_file("One.")
    await alice.edits(artifact_id, 1, ("name_tenant", {}))
    assert await alice.reads(artifact_id) == f"One.\n{alice.identity.tenant}"


async def test_a_stale_base_is_refused_before_the_app_runs_and_before_any_policy(
    alice: Participant, assistant: Participant
) -> None:
    """N-21, CM-07, N-24: nothing is queued, no token is used up."""
    artifact_id = await alice.has_file("One.")
    await alice.edits(artifact_id, 1, append("Two."))
    for must_propose in (False, True):
        refusal = await refused(assistant.edits(artifact_id, 1, ("crash", {}), must_propose=must_propose))
        assert refusal.reason == "VERSION_CONFLICT"
        conflict = detail(refusal, errors_pb2.VersionConflict)
        assert (conflict.id, conflict.base, conflict.head) == (artifact_id, 1, 2)
    assert await alice.pending_proposals() == []
    assert (await alice.lease_of(artifact_id)).token_counter == 1


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("refuse", {"why": "no"}), "APP_REFUSED"),
        (replace("absent", "x"), "APP_REFUSED"),
        (("unheard_of", {}), "APP_REFUSED"),
        (("hang", {}), "APP_TIMEOUT"),
        (("crash", {}), "APP_CRASHED"),
        (("wrong_digest", {}), "APP_CRASHED"),
        (("oversize", {}), "FILE_TOO_LARGE"),
    ],
)
async def test_whatever_the_app_does_wrong_nothing_is_changed_queued_or_held(
    alice: Participant, assistant: Participant, command: Command, reason: str
) -> None:
    """R-06, R-07, R-11, F-08: the batch is all or nothing, and the next edit goes through."""
    artifact_id = await alice.has_file("One.")
    refusal = await refused(assistant.edits(artifact_id, 1, append("Two."), command))
    assert refusal.reason == reason
    if reason == "APP_REFUSED":
        assert (refusal.metadata["command"], refusal.metadata["index"]) == (command[0], "1")
        assert refusal.metadata["why"]
    assert (len(await alice.feed()), await alice.reads(artifact_id)) == (1, "One.")
    lease = await alice.lease_of(artifact_id)
    assert (lease.HasField("lease"), lease.token_counter) == (False, 1)
    assert (await assistant.edits(artifact_id, 1, append("Two."))).outcome.applied.version == 2


async def test_a_batch_that_changes_nothing_is_refused(alice: Participant) -> None:
    """F-10, AT-12."""
    artifact_id = await alice.has_file("One.")
    refusal = await refused(alice.edits(artifact_id, 1, replace("One", "One")))
    assert refusal.reason == "APP_REFUSED"
    assert len(await alice.revisions_of(artifact_id)) == 1


async def test_a_batch_has_1_to_200_commands_with_json_objects(alice: Participant) -> None:
    """L-06."""
    artifact_id = await alice.has_file("One.")
    assert (await refused(alice.edits(artifact_id, 1))).reason == "VALIDATION_FAILED"
    many = [append("x")] * 201
    assert (await refused(alice.edits(artifact_id, 1, *many))).reason == "VALIDATION_FAILED"
    request = alice.edit_request(artifact_id, 1, append("x"))
    request.commands[0].arguments_json = "[1]"
    assert (await refused(alice.native.Edit(request))).reason == "VALIDATION_FAILED"
    request = alice.edit_request(artifact_id, 1, append("x"), request_id="no-uuid")
    assert (await refused(alice.native.Edit(request))).reason == "VALIDATION_FAILED"


async def test_an_edit_that_must_be_proposed_keeps_its_finished_result(
    alice: Participant, assistant: Participant
) -> None:
    """N-23, F-11, CM-06: the file stays as it is, nothing stays held, and the proposal is not stale."""
    artifact_id = await alice.has_file("One.")
    answer = await assistant.edits(
        artifact_id, 1, append("Two."), must_propose=True, rationale="it is missing", proposal_id="prp_mine"
    )
    assert (answer.outcome.proposed.proposal_id, answer.outcome.change_sequence) == ("prp_mine", 2)
    assert (await alice.sees(artifact_id)).version == 1
    (proposal,) = await alice.pending_proposals()
    assert (proposal.stale, proposal.rationale, proposal.thread_id) == (False, "it is missing", "thr_1")
    batch = proposal.change.batch
    assert (batch.base_version, batch.summary) == (1, "edits the plan")
    assert batch.base_sha256 == json.loads((await alice.sees(artifact_id)).data_json)["native"]["digest"]
    assert json.loads(batch.commands_json) == [{"command": "append_paragraph", "arguments": {"text": "Two."}}]
    change = (await alice.feed())[-1].proposal_created
    assert (change.proposal_id, change.artifact_id, change.change.batch) == ("prp_mine", artifact_id, batch)
    assert not (await alice.lease_of(artifact_id)).HasField("lease")
    refusal = await refused(assistant.edits(artifact_id, 1, append("3"), must_propose=True, proposal_id="prp_mine"))
    assert refusal.reason == "INVALID_STATE"


async def test_a_pending_proposal_is_stale_once_the_content_changed(alice: Participant, assistant: Participant) -> None:
    """AMB-07: derived when it is read."""
    artifact_id = await alice.has_file("One.")
    answer = await assistant.edits(artifact_id, 1, append("Two."), must_propose=True)
    await alice.edits(artifact_id, 1, append("Three."))
    name = f"{alice.scope}/proposals/{answer.outcome.proposed.proposal_id}"
    proposal = (await alice.proposals.GetProposal(proposals_pb.GetProposalRequest(name=name))).proposal
    assert (proposal.stale, proposal.state) == (True, proposals_pb.PROPOSAL_STATE_PENDING)


async def test_small_proposed_edits_add_up(alice: Participant, assistant: Participant) -> None:
    """F-11: the next batch builds on the proposal and takes its place, in one commit."""
    artifact_id = await alice.has_file("One.")
    first = (await assistant.edits(artifact_id, 1, append("Two."), must_propose=True)).outcome.proposed.proposal_id
    refusal = await refused(alice.edits(artifact_id, 1, append("x"), base_proposal=first))
    assert refusal.reason == "FORBIDDEN"
    second = (await assistant.edits(artifact_id, 1, replace("Two", "Three"), base_proposal=first)).outcome
    assert second.proposed.proposal_id not in ("", first)
    (proposal,) = await alice.pending_proposals()
    commands = [it["command"] for it in json.loads(proposal.change.batch.commands_json)]
    assert (proposal.proposal_id, commands) == (second.proposed.proposal_id, ["append_paragraph", "replace_text"])
    *_, withdrawn, created = await alice.feed()
    assert withdrawn.proposal_resolved.proposal_id == first
    assert created.change_sequence == withdrawn.change_sequence + 1 == second.change_sequence
    await alice.edits(artifact_id, 1, append("Four."))
    stale = await refused(assistant.edits(artifact_id, 2, append("x"), base_proposal=second.proposed.proposal_id))
    assert stale.reason == "PROPOSAL_STALE"


async def test_by_policy_an_agents_edit_is_proposed_and_a_persons_applies(
    make_settings: MakeSettings, alice: Participant, tenant: str
) -> None:
    """AT-06, AC-05, CM-06."""
    artifact_id = await alice.has_file("One.")
    settings = make_settings(write_policies={"native_fake": "propose"}, app_slots=1)
    async with running(settings) as bound, participant(bound.address, agent(tenant, "thr_1"), "main") as assistant:
        answer = await assistant.edits(artifact_id, 1, append("Two."))
        assert answer.outcome.WhichOneof("result") == "proposed"
        async with participant(bound.address, alice.identity, "main") as same:
            assert (await same.edits(artifact_id, 1, append("Two."))).outcome.applied.version == 2


async def test_a_repeated_edit_is_answered_as_the_first_was(alice: Participant) -> None:
    """ID-03: one revision; the same id with another body is refused."""
    artifact_id = await alice.has_file("One.")
    request = alice.edit_request(artifact_id, 1, append("Two."))
    first = await alice.native.Edit(request)
    assert await alice.native.Edit(request) == first
    assert [it.artifact.version for it in await alice.revisions_of(artifact_id)] == [1, 2]
    request.summary = "something else"
    assert (await refused(alice.native.Edit(request))).reason == "IDEMPOTENCY_MISMATCH"


async def test_a_refusal_is_not_remembered(alice: Participant) -> None:
    """ID-03: it is decided anew."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    request = alice.edit_request(artifact_id, 1, append("Two."))
    assert (await refused(alice.native.Edit(request))).reason == "ARTIFACT_BUSY"
    await alice.releases(artifact_id, lent.token)
    assert (await alice.native.Edit(request)).outcome.applied.version == 2


async def test_a_repeat_of_an_edit_that_still_runs_takes_its_lease_and_fences_it(
    alice: Participant, eventually: Eventually
) -> None:
    """ID-03: the repeat goes on under a higher token; the slower one commits nothing."""
    artifact_id = await alice.has_file("One.")
    request = alice.edit_request(artifact_id, 1, ("hang", {}), request_id=new_request_id())
    slow = asyncio.ensure_future(alice.native.Edit(request))

    async def holding() -> bool:
        return (await alice.lease_of(artifact_id)).lease.kind == errors_pb2.LEASE_KIND_EDIT

    await eventually(holding)
    other = await refused(alice.edits(artifact_id, 1, append("Two.")))
    assert (other.reason, detail(other, errors_pb2.ArtifactBusy).lease_kind) == (
        "ARTIFACT_BUSY",
        errors_pb2.LEASE_KIND_EDIT,
    )
    repeat = asyncio.ensure_future(alice.native.Edit(request))

    async def taken_again() -> bool:
        return (await alice.lease_of(artifact_id)).token_counter == 2

    await eventually(taken_again)
    assert {(await refused(it)).reason for it in (slow, repeat)} == {"APP_TIMEOUT"}
    lease = await alice.lease_of(artifact_id)
    assert (lease.HasField("lease"), lease.token_counter) == (False, 2)


async def test_a_cancelled_edit_holds_nothing(alice: Participant, eventually: Eventually) -> None:
    """SG-05, L-05, WP-07: release always, also when the caller hangs up while the app runs."""
    artifact_id = await alice.has_file("One.")
    call = alice.native.Edit(alice.edit_request(artifact_id, 1, ("hang", {})))

    async def holding() -> bool:
        return (await alice.lease_of(artifact_id)).HasField("lease")

    async def free() -> bool:
        return not await holding()

    await eventually(holding)
    call.cancel()
    await eventually(free)
    assert (await alice.edits(artifact_id, 1, append("Two."))).outcome.applied.version == 2


@pytest.fixture
async def short_server(make_settings: MakeSettings) -> AsyncIterator[BoundServer]:
    """A server with one worker and a deadline for edits below the app's."""
    settings = make_settings(app_slots=1, app_time_limit="60s", edit="5s", edit_lease="10s", slot="500ms")
    async with running(settings) as bound:
        yield bound


async def test_one_edit_has_one_deadline_and_no_slot_in_time_is_a_peer_that_is_down(
    short_server: BoundServer, alice: Participant, eventually: Eventually
) -> None:
    """L-05: nothing is held after either."""
    async with participant(short_server.address, alice.identity, "main") as hurried:
        first, second = await hurried.has_file("One."), await hurried.has_file("Two.")
        slow = asyncio.ensure_future(hurried.edits(first, 1, ("hang", {})))

        async def holding() -> bool:
            return (await alice.lease_of(first)).HasField("lease")

        await eventually(holding)
        refusal = await refused(hurried.edits(second, 1, append("Three.")))
        assert refusal.reason == "PEER_UNAVAILABLE"
        assert (await refused(slow)).reason == "APP_TIMEOUT"
        for artifact_id in (first, second):
            assert not (await alice.lease_of(artifact_id)).HasField("lease")
        assert (await alice.lease_of(second)).token_counter == 0


async def test_an_artifact_that_is_not_there_cannot_be_edited(alice: Participant, viewer: Participant) -> None:
    """R-10, WP-03: authorize comes before existence."""
    assert (await refused(alice.edits("none", 1, append("x")))).reason == "NOT_FOUND"
    assert (await refused(viewer.edits("none", 1, append("x")))).reason == "FORBIDDEN"


async def test_an_edit_leaves_the_file_of_the_version_before_untouched(alice: Participant) -> None:
    """N-43, B-03."""
    artifact_id = await alice.has_file("One.")
    await alice.edits(artifact_id, 1, append("Two."))
    assert (await alice.downloads(artifact_id, 1))[1] == document("One.")
