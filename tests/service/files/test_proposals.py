"""Proposals: made, answered, and refused."""

import json
from collections.abc import AsyncIterator

import pytest
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.type.v1 import errors_pb2
from lattice_files.main import running
from service.files.conftest import MakeSettings
from service.files.people import (
    FAKEAPP,
    Administrator,
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
from service.files.structured import (
    accepts,
    archives,
    creates,
    data_of,
    json_patch,
    patches,
    proposal,
    proposes,
    rejects,
    replaces,
    restores,
    sets,
    withdraws,
)

PENDING = proposals_pb.PROPOSAL_STATE_PENDING


async def proposed_name(person: Participant, artifact_id: str, base_version: int, name: str) -> str:
    """Propose a new name, and answer the proposal's id."""
    outcome = await patches(person, artifact_id, base_version, sets("/name", name), must_propose=True)
    return outcome.proposed.proposal_id


async def proposed_batch(assistant: Participant, artifact_id: str, base_version: int, words: str) -> str:
    """Propose a batch, and answer the proposal's id."""
    answer = await assistant.edits(artifact_id, base_version, append(words), must_propose=True)
    return answer.outcome.proposed.proposal_id


async def test_what_is_accepted_is_the_accepters_change_and_its_answer_follows_it(
    assistant: Participant, alice: Participant, task: str
) -> None:
    """AC-07, EV-02, MP-10, PR-02: two rows of one commit, the proposer named in the second."""
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    mine = await proposed_name(assistant, "plan", 1, "two")
    outcome = await accepts(alice, mine)
    assert (outcome.resolved.proposal_id, outcome.resolved.version) == (mine, 2)
    assert outcome.resolved.decision == artifacts_pb.PROPOSAL_DECISION_ACCEPT
    changed, resolved = (await alice.feed())[-2:]
    assert (changed.artifact_changed.version, changed.artifact_changed.proposal_id) == (2, mine)
    assert (changed.actor, resolved.actor) == (alice.actor, alice.actor)
    assert (changed.thread_id, changed.run_id) == ("thr_1", "")
    told = resolved.proposal_resolved
    assert (told.proposer, told.version, told.artifact_id) == (assistant.actor, 2, "plan")
    assert outcome.change_sequence == resolved.change_sequence
    revision = (await alice.revisions_of("plan"))[-1]
    assert (revision.proposal_id, revision.artifact.updated_by) == (mine, alice.actor)
    found = await proposal(alice, mine)
    assert (found.state, found.resolver) == (proposals_pb.PROPOSAL_STATE_ACCEPTED, alice.actor)


async def test_a_proposal_is_rebased_on_what_stands_when_it_is_accepted(
    assistant: Participant, alice: Participant, task: str
) -> None:
    """PR-06: and stays pending where it does not apply any more."""
    await creates(alice, task, {"name": "one", "done": False, "steps": {"a": 1}}, artifact_id="plan")
    name = await proposed_name(assistant, "plan", 1, "two")
    step = (
        await patches(assistant, "plan", 1, json_patch({"op": "remove", "path": "/steps/a"}), must_propose=True)
    ).proposed
    await patches(alice, "plan", 1, sets("/done", value=True))
    assert (await accepts(alice, name)).resolved.version == 3
    assert await data_of(alice, "plan") == {"name": "two", "done": True, "steps": {"a": 1}}
    await patches(alice, "plan", 3, sets("/steps", {}))
    assert (await refused(accepts(alice, step.proposal_id))).reason == "PATCH_FAILED"
    assert (await proposal(alice, step.proposal_id)).state == PENDING
    await archives(alice, "plan", 4)
    assert (await refused(accepts(alice, step.proposal_id))).reason == "INVALID_STATE"
    assert (await rejects(alice, step.proposal_id, "gone")).resolved.version == 0


async def test_a_reviewers_own_changes_lie_on_top_of_the_proposed_ones(
    assistant: Participant, alice: Participant, task: str
) -> None:
    """PR-07, AT-13: patch and summary on record tell of what was applied."""
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    mine = await proposed_name(assistant, "plan", 1, "two")
    await accepts(alice, mine, changes=sets("/done", value=True))
    assert await data_of(alice, "plan") == {"name": "two", "done": True}
    changed, resolved = (await alice.feed())[-2:]
    operations = json.loads(changed.artifact_changed.patch.json_patch)
    assert {it["path"] for it in operations} == {"/name", "/done"}
    assert "/name" in changed.artifact_changed.summary
    assert "/done" in changed.artifact_changed.summary
    assert json.loads(resolved.proposal_resolved.changes.json_patch)[0]["path"] == "/done"


async def test_a_reviewers_changes_are_refused_where_they_do_not_fit(
    assistant: Participant, alice: Participant, task: str
) -> None:
    """PR-07, AT-12: an archiving has no data; changes that undo the proposal leave nothing to apply."""
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    archiving = (await archives(assistant, "plan", 1, must_propose=True)).proposed.proposal_id
    assert (await refused(accepts(alice, archiving, changes=sets("/name", "x")))).reason == "PATCH_FAILED"
    mine = await proposed_name(assistant, "plan", 1, "two")
    assert (await refused(accepts(alice, mine, changes=sets("/name", "one")))).reason == "PATCH_FAILED"
    assert (await refused(accepts(alice, mine, changes=sets("/name", 1)))).reason == "VALIDATION_FAILED"
    assert len(await alice.pending_proposals()) == 2
    assert (await accepts(alice, archiving)).resolved.version == 2
    assert (await alice.sees("plan")).archived


async def test_a_proposed_artifact_comes_into_being_once_it_is_accepted(
    assistant: Participant, alice: Participant, task: str
) -> None:
    """PR-08, PR-07, ID-01: unless its id was taken meanwhile."""
    made = await creates(assistant, task, {"name": "one"}, artifact_id="plan", must_propose=True)
    assert (await refused(patches(alice, "plan", 1, sets("/name", "x")))).reason == "NOT_FOUND"
    await accepts(alice, made.proposed.proposal_id, changes=sets("/done", value=False))
    assert await data_of(alice, "plan") == {"name": "one", "done": False}
    late = await creates(assistant, task, {"name": "two"}, artifact_id="other", must_propose=True)
    await creates(alice, task, {"name": "three"}, artifact_id="other")
    assert (await refused(accepts(alice, late.proposed.proposal_id))).reason == "INVALID_STATE"
    assert (await proposal(alice, late.proposed.proposal_id)).state == PENDING


async def test_rejecting_touches_no_artifact_and_keeps_the_reason(
    assistant: Participant, alice: Participant, task: str
) -> None:
    """PR-09."""
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    mine = await proposed_name(assistant, "plan", 1, "two")
    outcome = await rejects(alice, mine, "not yet")
    assert outcome.resolved.decision == artifacts_pb.PROPOSAL_DECISION_REJECT
    assert (await alice.sees("plan")).version == 1
    (resolved,) = [it.proposal_resolved for it in await alice.feed() if it.HasField("proposal_resolved")]
    assert (resolved.reason, resolved.version) == ("not yet", 0)
    assert (await proposal(alice, mine)).reason == "not yet"


async def test_others_answer_and_the_author_withdraws_and_each_only_once(
    server: object, assistant: Participant, alice: Participant, bob: Participant, task: str
) -> None:
    """PR-04, PR-05, PR-12, AMB-06, SE-03: an author in another run is the same author."""
    assert server
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    mine = await proposed_name(assistant, "plan", 1, "two")
    for answer in (accepts(assistant, mine), rejects(assistant, mine), withdraws(alice, mine)):
        assert (await refused(answer)).reason == "FORBIDDEN"
    assert (await withdraws(assistant, mine)).resolved.decision == artifacts_pb.PROPOSAL_DECISION_WITHDRAW
    persons = proposals_pb.ProposedChange(
        edit=proposals_pb.ProposedEdit(artifact_id="plan", base_version=1, patch=sets("/name", "three"))
    )
    hers = (await proposes(alice, persons)).proposed.proposal_id
    assert (await refused(accepts(alice, hers))).reason == "FORBIDDEN"
    await accepts(bob, hers)
    for answer in (accepts(bob, hers), rejects(bob, hers), withdraws(alice, hers), accepts(alice, mine)):
        assert (await refused(answer)).reason == "INVALID_STATE"
    for answer in (accepts(bob, "prp_none"), rejects(bob, "prp_none"), withdraws(bob, "prp_none")):
        refusal = await refused(answer)
        assert (refusal.reason, refusal.metadata["entity"]) == ("NOT_FOUND", "proposal")


async def test_a_proposal_has_to_apply_when_it_is_made(assistant: Participant, alice: Participant, task: str) -> None:
    """PR-03, ID-01: none is born broken, stale, or under an id that another one has."""
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    change = proposals_pb.ProposedChange
    edit, archive, create = proposals_pb.ProposedEdit, proposals_pb.ProposedArchiving, proposals_pb.ProposedCreation
    for given, reason in (
        (change(edit=edit(artifact_id="plan", base_version=2, patch=sets("/name", "x"))), "VERSION_CONFLICT"),
        (change(edit=edit(artifact_id="plan", base_version=1, patch=sets("/name", "one"))), "PATCH_FAILED"),
        (change(edit=edit(artifact_id="plan", base_version=1, patch=sets("/name", 1))), "VALIDATION_FAILED"),
        (change(edit=edit(artifact_id="none", base_version=1, patch=sets("/name", "x"))), "NOT_FOUND"),
        (change(archive=archive(artifact_id="plan", base_version=2)), "VERSION_CONFLICT"),
        (change(create=create(kind=task, data_json='{"named": 1}')), "VALIDATION_FAILED"),
        (change(create=create(kind="nothing", data_json="{}")), "NOT_FOUND"),
        (change(create=create(kind="native_fake", data_json="{}")), "VALIDATION_FAILED"),
        (change(create=create(artifact_id="plan", kind=task, data_json='{"name": "x"}')), "INVALID_STATE"),
        (change(batch=proposals_pb.ProposedBatch()), "VALIDATION_FAILED"),
        (change(), "VALIDATION_FAILED"),
    ):
        assert (await refused(proposes(assistant, given))).reason == reason, given
    await patches(assistant, "plan", 1, sets("/name", "x"), must_propose=True, proposal_id="prp_1")
    again = patches(assistant, "plan", 1, sets("/name", "y"), must_propose=True, proposal_id="prp_1")
    assert (await refused(again)).reason == "INVALID_STATE"
    assert len(await alice.pending_proposals()) == 1


@pytest.fixture
async def other_agent(
    server: object, assistant: Participant, make_settings: MakeSettings
) -> AsyncIterator[Participant]:
    """The agent of another thread, at a server that lets agents accept."""
    assert server
    async with (
        running(make_settings(agents_accept=True)) as lenient,
        participant(lenient.address, agent(assistant.identity.tenant, "thr_2"), "main") as other,
    ):
        yield other


async def test_an_agent_accepts_only_what_it_might_have_done_itself(
    assistant: Participant, alice: Participant, bob: Participant, other_agent: Participant, note: str, task: str
) -> None:
    """AMB-27: rejecting stays open; a deployment may let agents accept."""
    await creates(alice, note, {"text": "one"}, artifact_id="memo")
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    persons = [
        (await patches(bob, "memo", 1, replaces("one", word), must_propose=True)).proposed.proposal_id
        for word in ("two", "three", "four")
    ]
    assert (await refused(accepts(assistant, persons[0]))).reason == "FORBIDDEN"
    assert (await rejects(assistant, persons[0])).HasField("resolved")
    direct = (await patches(bob, "plan", 1, sets("/name", "two"), must_propose=True)).proposed.proposal_id
    assert (await refused(accepts(assistant, direct, must_propose=True))).reason == "FORBIDDEN"
    assert (await accepts(assistant, direct)).resolved.version == 2
    assert (await accepts(other_agent, persons[1])).resolved.version == 2


async def test_a_finished_batch_is_applied_as_it_was_made_also_after_a_rename(
    assistant: Participant, alice: Participant
) -> None:
    """F-11, B-04, AMB-07: the name of today stays; no app runs again."""
    plan = await alice.has_file("One.")
    mine = await proposed_batch(assistant, plan, 1, "Two.")
    await patches(alice, plan, 1, sets("/name", "renamed.fake"))
    assert not (await proposal(alice, mine)).stale
    assert (await accepts(alice, mine)).resolved.version == 3
    header, content = await alice.downloads(plan)
    assert (header.file_name, json.loads(content)["paragraphs"]) == ("renamed.fake", ["One.", "Two."])
    assert (await alice.revisions_of(plan))[-1].summary == "edits the plan"


async def test_a_stale_batch_is_made_again_only_if_its_reviewer_says_so(
    assistant: Participant, alice: Participant
) -> None:
    """F-11, F-09, PR-06: on what stands now; the document names the agent, the revision the accepter."""
    plan = await alice.has_file("One.")
    mine = await proposed_batch(assistant, plan, 1, "Three.")
    await alice.edits(plan, 1, append("Two."))
    assert (await proposal(alice, mine)).stale
    refusal = await refused(accepts(alice, mine))
    assert (refusal.reason, refusal.metadata["proposal_id"]) == ("PROPOSAL_STALE", mine)
    assert (await accepts(alice, mine, rebase=True)).resolved.version == 3
    assert await alice.reads(plan) == "One.\nTwo.\nThree."
    assert (await alice.sees(plan)).updated_by == alice.actor
    lease = await alice.lease_of(plan)
    assert (lease.HasField("lease"), lease.token_counter) == (False, 3)


async def test_a_batch_that_its_app_refuses_on_the_new_content_stays_pending(
    assistant: Participant, alice: Participant
) -> None:
    """F-11, R-11: no version, no lease."""
    plan = await alice.has_file("One.")
    answer = await assistant.edits(plan, 1, replace("One.", "Two."), must_propose=True)
    mine = answer.outcome.proposed.proposal_id
    await alice.edits(plan, 1, replace("One.", "Three."))
    assert (await refused(accepts(alice, mine, rebase=True))).reason == "APP_REFUSED"
    assert (await proposal(alice, mine)).state == PENDING
    assert (await alice.sees(plan)).version == 2
    assert not (await alice.lease_of(plan)).HasField("lease")


async def test_of_a_native_proposal_a_reviewer_changes_the_name_at_the_most(
    assistant: Participant, alice: Participant
) -> None:
    """F-12: content means rejecting, or accepting and editing then."""
    plan = await alice.has_file("One.")
    mine = await proposed_batch(assistant, plan, 1, "Two.")
    assert (await refused(accepts(alice, mine, changes=sets("/native/size", 1)))).reason == "VALIDATION_FAILED"
    await accepts(alice, mine, changes=sets("/name", "final.fake"))
    header, content = await alice.downloads(plan)
    assert (header.file_name, json.loads(content)["paragraphs"]) == ("final.fake", ["One.", "Two."])


async def test_an_upload_that_was_proposed_becomes_a_file_once_it_is_accepted(
    assistant: Participant, alice: Participant
) -> None:
    """F-01, N-43: its blobs were kept for it."""
    made = await assistant.uploads(document("One."), artifact_id="plan", must_propose=True)
    await accepts(alice, made.proposed.proposal_id)
    assert (await alice.downloads("plan"))[1] == document("One.")
    assert (await alice.edits("plan", 1, append("Two."))).outcome.applied.version == 2


async def test_a_check_out_keeps_out_acceptances_and_an_off_switch_too_while_rejections_go_on(
    assistant: Participant, alice: Participant, bob: Participant, admin: Administrator
) -> None:
    """AMB-08, AMB-16, L-08, WP-04: accepting is a change, rejecting is not."""
    plan = await alice.has_file("One.")
    first, second, third = [await proposed_batch(assistant, plan, 1, word) for word in ("a", "b", "c")]
    await alice.checks_out(plan)
    for person in (alice, bob):
        for rebase in (False, True):
            refusal = await refused(accepts(person, first, rebase=rebase))
            assert detail(refusal, errors_pb2.ArtifactBusy).holder == alice.actor
    await rejects(bob, second)
    await alice.releases(plan)
    await admin.switches(FAKEAPP, on=False)
    assert (await refused(accepts(bob, first))).reason == "NOT_ENABLED"
    await rejects(bob, first)
    await withdraws(assistant, third)
    assert not await alice.pending_proposals()


async def test_a_restored_revision_that_was_proposed_comes_back_when_it_is_accepted(
    assistant: Participant, alice: Participant, task: str
) -> None:
    """F-18, F-11: stale once the content changed, and then applied only by the reviewer's word."""
    plan = await alice.has_file("One.")
    await alice.edits(plan, 1, append("Two."))
    mine = (await restores(assistant, plan, 1, 2, must_propose=True)).proposed.proposal_id
    await alice.edits(plan, 2, append("Three."))
    assert (await refused(accepts(alice, mine))).reason == "PROPOSAL_STALE"
    assert (await accepts(alice, mine, rebase=True)).resolved.version == 4
    assert await alice.reads(plan) == "One."
    await creates(alice, task, {"name": "one"}, artifact_id="list")
    await patches(alice, "list", 1, sets("/name", "two"))
    back = (await restores(assistant, "list", 1, 2, must_propose=True)).proposed.proposal_id
    await accepts(alice, back)
    assert await data_of(alice, "list") == {"name": "one"}


async def test_of_two_answers_at_once_one_counts(assistant: Participant, alice: Participant, task: str) -> None:
    """PR-05, WP-02, ID-03: and its repeat is answered as it was."""
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    mine = await proposed_name(assistant, "plan", 1, "two")
    request_id = new_request_id()
    first = await accepts(alice, mine, request_id=request_id)
    assert (await refused(rejects(alice, mine))).reason == "INVALID_STATE"
    assert await accepts(alice, mine, request_id=request_id) == first
    changed = accepts(alice, mine, request_id=request_id, changes=sets("/done", value=True))
    assert (await refused(changed)).reason == "IDEMPOTENCY_MISMATCH"


async def test_a_reviewer_answers_what_others_propose_and_changes_nothing_of_it(
    assistant: Participant, alice: Participant, reviewer: Participant, task: str
) -> None:
    """SE-02, PR-07: what is changed on the way is the reviewer's own edit."""
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    mine = await proposed_name(assistant, "plan", 1, "two")
    assert (await refused(accepts(reviewer, mine, changes=sets("/done", value=True)))).reason == "FORBIDDEN"
    assert (await refused(withdraws(reviewer, mine))).reason == "FORBIDDEN"
    assert (await proposal(reviewer, mine)).state == PENDING
    await accepts(reviewer, mine)
    assert await data_of(alice, "plan") == {"name": "two"}
    turned_down = await proposed_name(assistant, "plan", 2, "three")
    await rejects(reviewer, turned_down)
    assert (await proposal(reviewer, turned_down)).state == proposals_pb.PROPOSAL_STATE_REJECTED


async def test_a_viewer_answers_nothing(
    assistant: Participant, alice: Participant, viewer: Participant, task: str
) -> None:
    """SE-02, WP-03: looking is not writing."""
    await creates(alice, task, {"name": "one"}, artifact_id="plan")
    mine = await proposed_name(assistant, "plan", 1, "two")
    assert (await proposal(viewer, mine)).state == PENDING
    for answer in (accepts(viewer, mine), rejects(viewer, mine), withdraws(viewer, mine)):
        assert (await refused(answer)).reason == "FORBIDDEN"
