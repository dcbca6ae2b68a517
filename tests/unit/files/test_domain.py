"""Apps, policies, proposals and who may do what."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from lattice_files.domain.actors import Actor, ActorKind, Caller, authorize_check_out, authorize_write
from lattice_files.domain.apps import App, Apps, ChangeMode, CommandCall, Format
from lattice_files.domain.artifacts import Artifact, require_current, require_unarchived
from lattice_files.domain.limits import Limits
from lattice_files.domain.policies import WritePolicy, authorize_acceptance, must_propose
from lattice_files.domain.proposals import (
    Proposal,
    ProposalState,
    ProposedBatch,
    applies_as_made,
    base_of_next_batch,
    is_stale,
    require_answerable,
    require_own,
)
from lattice_files.domain.rejections import Forbidden, InvalidState, ProposalStale
from lattice_files.domain.writes import Fence, WriteContext, authorize_context, authorize_fence

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ALICE = Actor(kind=ActorKind.USER, id="alice")
ASSISTANT = Actor(kind=ActorKind.AGENT, id="thr_1", run_id="run_1")
EXTERNAL = Actor(kind=ActorKind.EXTERNAL_AGENT, id="bot")
SYSTEM = Actor(kind=ActorKind.SYSTEM, id="runner")


def app(name: str, *formats: str) -> App:
    served = tuple(Format(name=it, media_type=f"application/x-{it}", extension=it) for it in formats)
    return App(name=name, integration_key=f"files:{name}", version="1", formats=served)


def test_a_kind_belongs_to_the_app_that_declares_its_format_and_to_no_other() -> None:
    """I-10, I-11, N-40: one pure lookup, None for what nothing governs."""
    apps = Apps([app("words", "docx", "odt"), app("sheets", "xlsx")])
    assert [apps.key_of(it) for it in ("native_docx", "native_xlsx", "native_pdf", "brief")] == [
        "files:words",
        "files:sheets",
        None,
        None,
    ]
    found = apps.format_of_file("Q3 plan.DOCX")
    assert found is not None
    assert found.kind == "native_docx"
    for name in ("docx", ".docx", "plan.", "plan.docx.txt"):
        assert apps.format_of_file(name) is None
    with pytest.raises(ValueError, match="same format"):
        Apps([app("words", "docx"), app("letters", "docx")])
    with pytest.raises(ValueError, match="same name"):
        Apps([app("words", "docx"), app("words", "odt")])


@pytest.mark.parametrize("policy", WritePolicy)
@pytest.mark.parametrize("actor", [ALICE, ASSISTANT, EXTERNAL, SYSTEM])
def test_policies_bind_agents_only_and_asking_for_review_binds_everybody(actor: Actor, policy: WritePolicy) -> None:
    """AC-05, CM-06, MP-32."""
    assert must_propose(actor, policy, asked=True)
    is_agent = actor in (ASSISTANT, EXTERNAL)
    assert must_propose(actor, policy, asked=False) == (is_agent and policy is WritePolicy.PROPOSE)


def test_only_people_who_may_write_check_out() -> None:
    """AMB-12, WP-03."""
    authorize_check_out(Caller(actor=ALICE, permissions=frozenset({"edit"})))
    authorize_check_out(Caller(actor=ALICE, permissions=frozenset({"edit", "administer"})))
    for actor in (ASSISTANT, EXTERNAL, SYSTEM):
        authorize_write(Caller(actor=actor, permissions=frozenset({"edit"})))
        with pytest.raises(Forbidden):
            authorize_check_out(Caller(actor=actor, permissions=frozenset({"edit"})))
    with pytest.raises(Forbidden):
        authorize_write(Caller(actor=ALICE, permissions=frozenset({"read", "review"})))


def test_an_agent_writes_in_the_thread_of_its_delegation_alone() -> None:
    """SE-08, CM-06: to people, external agents and the system a thread is a word."""
    permissions = frozenset({"edit"})
    for thread_id in ("", "thr_1"):
        authorize_context(Caller(actor=ASSISTANT, permissions=permissions), WriteContext(thread_id=thread_id))
    for actor in (ALICE, EXTERNAL, SYSTEM):
        authorize_context(Caller(actor=actor, permissions=permissions), WriteContext(thread_id="thr_2"))
    with pytest.raises(Forbidden):
        authorize_context(Caller(actor=ASSISTANT, permissions=permissions), WriteContext(thread_id="thr_2"))


def test_a_fence_is_raised_by_its_thread_and_by_the_system_alone() -> None:
    """MP-21, MP-32: anybody else could shut the thread's agent out."""
    permissions = frozenset({"edit"})
    for actor in (ASSISTANT, SYSTEM):
        authorize_fence(Caller(actor=actor, permissions=permissions), Fence(scope="thr_1", token=1))
    authorize_fence(Caller(actor=ALICE, permissions=permissions), None)
    other = Actor(kind=ActorKind.AGENT, id="thr_2")
    for actor in (ALICE, EXTERNAL, other):
        with pytest.raises(Forbidden):
            authorize_fence(Caller(actor=actor, permissions=permissions), Fence(scope="thr_1", token=1))


def test_what_is_archived_is_neither_changed_nor_lent() -> None:
    """AT-15: whatever version the write is based on."""
    artifact = Artifact(id="plan", kind="native_docx", version=3, data={}, updated_by=ALICE, update_time=NOON)
    require_unarchived(artifact)
    require_current(artifact, 3)
    with pytest.raises(InvalidState):
        require_unarchived(replace(artifact, archived=True))
    with pytest.raises(InvalidState):
        require_current(replace(artifact, archived=True), 3)


def batch_proposal(state: ProposalState = ProposalState.PENDING, proposer: Actor = ASSISTANT) -> Proposal:
    batch = ProposedBatch(
        artifact_id="plan",
        base_version=1,
        base_digest="d1",
        commands=(CommandCall(command="append"),),
        mode=ChangeMode.BY_AUTHOR,
        summary="adds",
        result={},
    )
    return Proposal(
        id="prp_1", change=batch, proposer=proposer, rationale="", state=state, thread_id="thr_1", create_time=NOON
    )


def plan(digest: str) -> Artifact:
    data = {
        "name": "plan",
        "format": "fake",
        "media_type": "application/x-fake",
        "native": {"digest": digest, "size": 1},
        "text": {"digest": "t", "chars": 1},
        "review": {"digest": "r", "count": 0},
    }
    return Artifact(id="plan", kind="native_fake", version=7, data=data, updated_by=ALICE, update_time=NOON)


def test_a_proposal_is_stale_by_content_while_it_is_pending() -> None:
    """AMB-07, F-11: a rename does not make it stale, an answer ends it."""
    assert not is_stale(batch_proposal(), "d1")
    assert is_stale(batch_proposal(), "d2")
    assert not is_stale(batch_proposal(ProposalState.REJECTED), "d2")
    assert not is_stale(batch_proposal(), None)


def test_an_edit_builds_on_its_authors_own_pending_proposal_at_the_same_content() -> None:
    """F-11: by whichever run of the thread."""
    next_run = Actor(kind=ActorKind.AGENT, id="thr_1", run_id="run_2")
    assert base_of_next_batch(batch_proposal(), plan("d1"), next_run).base_digest == "d1"
    with pytest.raises(Forbidden):
        base_of_next_batch(batch_proposal(), plan("d1"), ALICE)
    with pytest.raises(InvalidState):
        base_of_next_batch(batch_proposal(ProposalState.ACCEPTED), plan("d1"), ASSISTANT)
    with pytest.raises(ProposalStale):
        base_of_next_batch(batch_proposal(), plan("d2"), ASSISTANT)


def test_figures_that_contradict_each_other_are_refused() -> None:
    """L-05, L-06: no edit outlives its lease."""
    with pytest.raises(ValueError, match="edit must end"):
        Limits(edit=timedelta(seconds=45))
    with pytest.raises(ValueError, match="check-out"):
        Limits(check_out=timedelta(hours=9))


@pytest.mark.parametrize("policy", WritePolicy)
@pytest.mark.parametrize("agents_may", [False, True])
def test_an_agent_does_not_accept_what_it_would_have_to_propose(policy: WritePolicy, agents_may: bool) -> None:
    """AMB-27: barred by default; suggest mode bars always; people may."""
    authorize_acceptance(ALICE, policy, asked=False, agents_may=agents_may)
    for actor in (ASSISTANT, EXTERNAL):
        if policy is WritePolicy.DIRECT or agents_may:
            authorize_acceptance(actor, policy, asked=False, agents_may=agents_may)
        else:
            with pytest.raises(Forbidden):
                authorize_acceptance(actor, policy, asked=False, agents_may=agents_may)
        with pytest.raises(Forbidden):
            authorize_acceptance(actor, policy, asked=True, agents_may=agents_may)


def test_others_answer_a_proposal_and_its_author_takes_it_back() -> None:
    """PR-04, PR-05, AMB-06: the author is the participant, in whichever run; each once."""
    next_run = Actor(kind=ActorKind.AGENT, id="thr_1", run_id="run_2")
    require_answerable(batch_proposal(), ALICE)
    require_own(batch_proposal(), next_run)
    with pytest.raises(Forbidden):
        require_answerable(batch_proposal(), next_run)
    with pytest.raises(Forbidden):
        require_own(batch_proposal(), ALICE)
    for state in (ProposalState.ACCEPTED, ProposalState.REJECTED, ProposalState.WITHDRAWN):
        with pytest.raises(InvalidState):
            require_answerable(batch_proposal(state), ALICE)
        with pytest.raises(InvalidState):
            require_own(batch_proposal(state), next_run)


def test_a_finished_batch_is_applied_to_the_content_it_was_made_on_and_to_no_other() -> None:
    """F-11: another content wants the batch made again; a revision that comes back only the reviewer's word."""
    batch = batch_proposal()
    assert applies_as_made(batch, "d1", rebase=False)
    assert applies_as_made(batch, "d1", rebase=True)
    assert not applies_as_made(batch, "d2", rebase=False)
    assert not applies_as_made(batch, "d2", rebase=True)
    assert isinstance(batch.change, ProposedBatch)
    restoring = replace(batch, change=replace(batch.change, commands=()))
    assert not applies_as_made(restoring, "d2", rebase=False)
    assert applies_as_made(restoring, "d2", rebase=True)
