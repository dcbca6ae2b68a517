"""The handle's commands on artifacts and proposals, as a program of a person's uses them, and as a run repeats them."""

import uuid
from dataclasses import replace

import pytest
from artifactr import Applied, Proposed, Resolved
from artifactr.agent import describe_outcome
from artifactr.core import (
    AcceptProposal,
    ArchiveArtifact,
    CreateThread,
    EditArtifact,
    ProposeChange,
    RejectProposal,
    SetThreadMode,
    WithdrawProposal,
)
from artifactr.core.actors import AgentActor, ExternalAgentActor, UserActor
from artifactr.core.events import ArtifactCreated, Decision
from artifactr.core.patches import JsonPatch, TextEdit, TextEdits
from artifactr.core.proposals import ProposalState
from artifactr.core.rejections import Forbidden, InvalidState, NotFound, PatchFailed, ValidationFailed, VersionConflict
from artifactr.files.refusals import IdempotencyMismatch
from artifactr.workspace.write_ids import during_tool_call
from suite.agent.planning import Brief, Plan, Planning, ReleaseNotes, creation

BOB = UserActor(id="bob", name="Bob")


async def test_an_artifact_is_created_read_changed_and_archived(planning: Planning) -> None:
    """CM-03, AT-03, AT-04: whatever applied is on the log when the call returns."""
    alice = planning.alice
    created = await alice.commit(Plan(title="Launch").create("plan_1"))
    assert isinstance(created, Applied)
    assert (created.artifact_id, created.version) == ("plan_1", 1)
    assert (await alice.read(last=1))[0].change_sequence == created.change_sequence
    plan = await alice.get(Plan, "plan_1")
    assert plan.updated_by == alice.actor
    changed = await alice.commit(plan.edit(lambda it: it.add_task("Write the docs")))
    assert isinstance(changed, Applied)
    plan = await alice.get(Plan, "plan_1")
    assert (plan.version, plan.tasks["t1"].title) == (2, "Write the docs")
    await alice.commit(plan.archive())
    assert (await alice.get(Plan, "plan_1")).archived
    assert not await alice.artifacts()


async def test_what_files_refuses_is_a_rejection_with_its_fields(planning: Planning) -> None:
    """RJ-03, ID-01, AT-11, AT-15, CM-07: and nothing of it is left."""
    alice, brief = planning.alice, await planning.creates(Brief(text="Launch in May."))
    stale = (await alice.get(Brief, brief)).archive()
    await planning.changes_text(brief, "Launch in June.")
    with pytest.raises(VersionConflict) as conflict:
        await alice.commit(stale)
    assert (conflict.value.artifact_id, conflict.value.base, conflict.value.head) == (brief, 1, 2)
    with pytest.raises(InvalidState):
        await alice.commit(Brief(text="x").create(brief))
    edits = TextEdits(edits=[TextEdit(old="May", new="July")])
    with pytest.raises(PatchFailed, match="not in the text"):
        await alice.commit(EditArtifact(artifact_id=brief, base_version=2, patch=edits))
    with pytest.raises(ValidationFailed, match="owner"):
        await alice.commit(creation(title="x", owner="bob"))
    with pytest.raises(NotFound) as missing:
        await alice.get(Plan, brief)
    assert missing.value.entity == "plan"
    with pytest.raises(NotFound):
        await alice.commit(ArchiveArtifact(artifact_id="art_none", base_version=1))
    assert (await alice.get(Brief, brief)).version == 2


async def test_a_person_proposes_and_another_accepts_with_changes(planning: Planning) -> None:
    """PR-02, PR-04, PR-07, PR-12, AC-07: the author may not; what is applied is attributed to who accepted it."""
    alice, bob = planning.alice, planning.alice.acting_as(BOB)
    plan = await alice.get(Plan, await planning.creates(Plan(title="Launch")))
    proposed = await alice.propose(plan.edit(lambda it: it.add_task("one")), "we need it")
    (pending,) = await bob.proposals(state=ProposalState.PENDING)
    assert (pending.id, pending.proposer, pending.summary) == (proposed.proposal_id, alice.actor, "added one")
    assert (pending.rationale, pending.artifact_id) == ("we need it", plan.artifact_id)
    with pytest.raises(Forbidden):
        await alice.commit(AcceptProposal(proposal_id=pending.id))
    changes = JsonPatch(operations=[{"op": "replace", "path": "/tasks/t1/title", "value": "two"}])
    resolved = await bob.commit(AcceptProposal(proposal_id=pending.id, changes=changes))
    assert (resolved.decision, resolved.version) == (Decision.ACCEPT, 2)
    plan = await alice.get(Plan, plan.artifact_id)
    assert (plan.tasks["t1"].title, plan.updated_by) == ("two", BOB)
    assert not await bob.proposals(state=ProposalState.PENDING)
    with pytest.raises(InvalidState):
        await bob.commit(RejectProposal(proposal_id=pending.id))


async def test_a_proposal_is_rejected_or_withdrawn_and_nothing_changes(planning: Planning) -> None:
    """PR-01, PR-09, AMB-06, PR-05."""
    alice, bob = planning.alice, planning.alice.acting_as(BOB)
    brief = await alice.get(Brief, await planning.creates(Brief(text="x")))
    one, two = await alice.propose(brief.archive()), await alice.propose(brief.archive())
    rejected = await bob.commit(RejectProposal(proposal_id=one.proposal_id, reason="we need it"))
    withdrawn = await alice.commit(WithdrawProposal(proposal_id=two.proposal_id))
    assert [it.decision for it in (rejected, withdrawn)] == [Decision.REJECT, Decision.WITHDRAW]
    states = {it.id: (it.state, it.reason) for it in await alice.proposals(artifact_id=brief.artifact_id)}
    assert states == {
        one.proposal_id: (ProposalState.REJECTED, "we need it"),
        two.proposal_id: (ProposalState.WITHDRAWN, ""),
    }
    assert (await alice.get(Brief, brief.artifact_id)).version == 1
    with pytest.raises(NotFound):
        await bob.commit(WithdrawProposal(proposal_id="prp_none"))


async def test_every_outcome_has_its_sentence(planning: Planning) -> None:
    """GT-05: with the ids and versions that the model goes on with."""
    alice, bob = planning.alice, planning.alice.acting_as(BOB)
    notes = await planning.creates(ReleaseNotes(text="x"))
    proposed = await alice.commit(ProposeChange(change=(await alice.get(ReleaseNotes, notes)).archive()))
    assert proposed.proposal_id in describe_outcome(proposed)
    resolved = await bob.commit(AcceptProposal(proposal_id=proposed.proposal_id))
    assert isinstance(resolved, Resolved)
    assert "version 2" in describe_outcome(resolved)
    for decision in (Decision.REJECT, Decision.WITHDRAW):
        assert "prp_1" in describe_outcome(Resolved(proposal_id="prp_1", decision=decision))
    assert describe_outcome(await alice.commit(CreateThread(title="Next"))) == "Done."


async def test_a_repeat_is_answered_as_the_first_was(planning: Planning) -> None:
    """ID-03."""
    alice, request_id = planning.alice, str(uuid.uuid4())
    first = await alice.commit(Plan(title="Launch").create(), request_id=request_id)
    assert await alice.commit(Plan(title="Launch").create(), request_id=request_id) == first
    with pytest.raises(IdempotencyMismatch):
        await alice.commit(Plan(title="Other").create(), request_id=request_id)
    assert len(await alice.artifacts("plan")) == 1


async def test_a_tool_call_that_is_repeated_writes_once(planning: Planning) -> None:
    """MP-20: through another handle of the run, as who resumes it has one; the call's second write is another."""
    agent = AgentActor(thread_id=planning.thread.id, run_id="run_1")
    outcomes = []
    for _ in range(2):
        handle = planning.alice.acting_as(agent)
        with during_tool_call("call_1"):
            outcomes.append([await handle.commit(Plan(title=title).create()) for title in ("one", "two")])
    assert outcomes[0] == outcomes[1]
    created = [it for it in await planning.events() if isinstance(it, ArtifactCreated)]
    assert len(created) == len(await planning.alice.artifacts("plan")) == 2


async def test_a_change_may_name_its_thread_and_the_proposal_that_it_becomes(planning: Planning) -> None:
    """CM-02, CM-06: policy binds an agent from outside as well, whatever the thread's mode."""
    robot = planning.alice.acting_as(ExternalAgentActor(client_id="robot"))
    creating = replace(
        ReleaseNotes(text="x").create(), thread_id=planning.thread.id, proposal_id="prp_mine", rationale="new"
    )
    outcome = await robot.commit(creating)
    assert isinstance(outcome, Proposed)
    assert outcome.proposal_id == "prp_mine"
    (proposal,) = await planning.alice.proposals()
    assert (proposal.thread_id, proposal.rationale, proposal.summary) == (
        planning.thread.id,
        "new",
        "create a release_notes",
    )


async def test_an_agent_writes_in_its_own_thread_alone(planning: Planning) -> None:
    """SE-08, CM-06, TH-02: so it leaves neither its suggest mode nor a trace in another thread; people name any."""
    alice, suggesting = planning.alice, await planning.alice.create_thread("Careful")
    await alice.commit(SetThreadMode(thread_id=suggesting.id, mode="suggest"))
    agent = alice.acting_as(AgentActor(thread_id=suggesting.id, run_id="run_1"))
    elsewhere = replace(Plan(title="x").create(), thread_id=planning.thread.id)
    with pytest.raises(Forbidden):
        await agent.commit(elsewhere)
    for named in ("", suggesting.id):
        assert isinstance(await agent.commit(replace(elsewhere, thread_id=named)), Proposed)
    assert {it.thread_id for it in await alice.proposals()} == {suggesting.id}
    assert isinstance(await alice.commit(elsewhere), Applied)
