"""How artifacts change: values in, a decision or a rejection out [WP-06].

The same command on the same state decides the same [CM-02]. Which request it is, who may write,
whether the kind's integration is on and whether a lease holds was settled before, or is settled
beside these in the same transaction.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from lattice_files.domain.actors import Actor
from lattice_files.domain.artifacts import Artifact, Revision, require_current, require_unarchived
from lattice_files.domain.changes import (
    Applied,
    ArtifactArchived,
    ArtifactChanged,
    ArtifactCreated,
    ArtifactEvent,
    Decision,
    ProposalCreated,
    ProposalResolved,
    Proposed,
    Resolved,
)
from lattice_files.domain.json_data import Data, same_json
from lattice_files.domain.kinds import KindRules
from lattice_files.domain.native import is_native
from lattice_files.domain.patches import Patch, difference, patched, summary_of
from lattice_files.domain.policies import must_propose
from lattice_files.domain.proposals import (
    Answer,
    Proposal,
    ProposalState,
    ProposedArchiving,
    ProposedBatch,
    ProposedChange,
    ProposedCreation,
    ProposedEdit,
)
from lattice_files.domain.rejections import InvalidState, NotFound, PatchFailed
from lattice_files.domain.writes import WriteContext


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """What a decision depends on beside the command and what it is about."""

    actor: Actor
    now: datetime
    rules: KindRules
    """Of the kind that is written."""
    proposal_id: str
    """For the proposal, if there will be one [CM-02]."""


def decide_change(change: ProposedChange, head: Artifact | None, context: WriteContext, at: Circumstances) -> Decision:
    """Apply a change to what stands, or propose it; it has to apply either way, so no proposal is born stale [PR-03].

    Raises:
        VersionConflict: it is based on another version; asked before any policy [CM-07].
        NotFound, InvalidState, PatchFailed, ValidationFailed: it does not apply.
    """
    if not isinstance(change, ProposedCreation):
        require_current(_existing(change, head), change.base_version)
    revision, event = _carried_out(change, head, at)
    if must_propose(at.actor, at.rules.policy, asked=context.must_propose):
        return _proposed(change, revision.summary, context, at)
    return _applied(revision, event)


def decide_new_data(artifact: Artifact, data: Data, summary: str, at: Circumstances) -> Decision:
    """Give a current artifact new data, whatever its policy says."""
    return _applied(*_changed(artifact, data, difference(artifact.data, data), summary, at))


def decide_acceptance(
    proposal: Proposal, change: ProposedChange, head: Artifact | None, layered: Patch | None, at: Circumstances
) -> Decision:
    """Apply a proposal to what stands now, with the reviewer's own changes on top [PR-06, PR-07].

    `change` is the proposal's, or the same made again on what stands now [F-11]. The new version is
    the accepter's; the answer names the proposer, and follows it [AC-07, EV-02].

    Raises:
        NotFound, InvalidState, PatchFailed, ValidationFailed: it does not apply any more, and stays pending [PR-08].
    """
    revision, event = _carried_out(change, head, at, layered)
    version = revision.artifact.version
    answered = _answered(proposal, Answer.ACCEPT, at.actor, changes=layered, version=version)
    accepted = replace(revision, proposal_id=proposal.id)
    return replace(answered, events=(replace(event, proposal_id=proposal.id), *answered.events), revision=accepted)


def decide_rejection(proposal: Proposal, reason: str, actor: Actor) -> Decision:
    """Turn a proposal down; no artifact changes [PR-09]."""
    return _answered(proposal, Answer.REJECT, actor, reason=reason)


def decide_withdrawal(proposal: Proposal, actor: Actor) -> Decision:
    """Take one's own proposal back [AMB-06]."""
    return _answered(proposal, Answer.WITHDRAW, actor)


_STATES = {
    Answer.ACCEPT: ProposalState.ACCEPTED,
    Answer.REJECT: ProposalState.REJECTED,
    Answer.WITHDRAW: ProposalState.WITHDRAWN,
}


def _answered(
    proposal: Proposal,
    answer: Answer,
    actor: Actor,
    *,
    changes: Patch | None = None,
    reason: str = "",
    version: int = 0,
) -> Decision:
    resolved = replace(proposal, state=_STATES[answer], resolver=actor, reason=reason)
    event = ProposalResolved(
        proposal_id=proposal.id,
        answer=answer,
        proposer=proposal.proposer,
        artifact_id=proposal.artifact_id,
        changes=changes,
        reason=reason,
        version=version,
    )
    result = Resolved(proposal_id=proposal.id, answer=answer, version=version)
    return Decision(result=result, events=(event,), proposals=(resolved,))


def _proposed(change: ProposedChange, summary: str, context: WriteContext, at: Circumstances) -> Decision:
    """An edit that came without a summary gets the one that it would have had [EV-04]."""
    if isinstance(change, ProposedEdit):
        change = replace(change, summary=summary)
    proposal = Proposal(
        id=at.proposal_id,
        change=change,
        proposer=at.actor,
        rationale=context.rationale,
        state=ProposalState.PENDING,
        thread_id=context.thread_id or at.actor.thread_id,
        create_time=at.now,
    )
    return Decision(
        result=Proposed(proposal_id=proposal.id, artifact_id=proposal.artifact_id),
        events=(ProposalCreated(proposal_id=proposal.id, change=change, rationale=proposal.rationale),),
        proposals=(proposal,),
    )


def _applied(revision: Revision, event: ArtifactEvent) -> Decision:
    artifact = revision.artifact
    return Decision(
        result=Applied(artifact_id=artifact.id, version=artifact.version), events=(event,), revision=revision
    )


def _carried_out(
    change: ProposedChange, head: Artifact | None, at: Circumstances, layered: Patch | None = None
) -> tuple[Revision, ArtifactEvent]:
    """The revision that a change makes of what stands, whichever version it was based on, and its event."""
    match change:
        case ProposedCreation():
            return _created(change, head, at, layered)
        case ProposedEdit():
            return _edited(change, _existing(change, head), at, layered)
        case ProposedBatch():
            return _replaced(change, _existing(change, head), at, layered)
        case ProposedArchiving():
            if layered is not None:
                raise PatchFailed(why="an archiving has no data to change")
            return _archived(_existing(change, head), at)
        case unknown:
            assert_never(unknown)


def _existing(change: ProposedEdit | ProposedArchiving | ProposedBatch, head: Artifact | None) -> Artifact:
    if head is None:
        raise NotFound(entity="artifact", id=change.artifact_id)
    require_unarchived(head)
    return head


def _created(
    change: ProposedCreation, head: Artifact | None, at: Circumstances, layered: Patch | None
) -> tuple[Revision, ArtifactEvent]:
    if head is not None:
        raise InvalidState(why=f"the artifact id {change.artifact_id} was used before")
    at.rules.require_data(change.data, None)
    data = change.data if layered is None else _layered(change.data, layered, at)
    artifact = Artifact(
        id=change.artifact_id, kind=change.kind, version=1, data=data, updated_by=at.actor, update_time=at.now
    )
    summary = f"uploaded {data['name']}" if is_native(change.kind) else "created"
    event = ArtifactCreated(artifact_id=artifact.id, kind=artifact.kind, data=data)
    return Revision(artifact=artifact, summary=summary), event


def _edited(
    change: ProposedEdit, head: Artifact, at: Circumstances, layered: Patch | None
) -> tuple[Revision, ArtifactEvent]:
    data = patched(head.data, change.patch)
    at.rules.require_data(data, head.data)
    if layered is None:
        return _changed(head, data, change.patch, change.summary or summary_of(change.patch), at)
    return _changed_as_reviewed(head, _layered(data, layered, at), at)


def _replaced(
    change: ProposedBatch, head: Artifact, at: Circumstances, layered: Patch | None
) -> tuple[Revision, ArtifactEvent]:
    data = {**change.result, "name": head.data["name"]}  # a rename meanwhile stands [F-11]
    if layered is None:
        if same_json(data, head.data):
            raise PatchFailed(why="the content is what stands now")  # brought back by somebody else meanwhile [AT-12]
        return _changed(head, data, difference(head.data, data), change.summary, at)
    return _changed_as_reviewed(head, _layered(data, layered, at), at)


def _layered(data: Data, layered: Patch, at: Circumstances) -> Data:
    result = patched(data, layered)
    at.rules.require_data(result, data)
    return result


def _changed_as_reviewed(head: Artifact, data: Data, at: Circumstances) -> tuple[Revision, ArtifactEvent]:
    """What was applied is neither patch alone, so patch and summary are those of the difference [PR-07]."""
    patch = difference(head.data, data)
    if not patch.operations:
        raise PatchFailed(why="with these changes nothing would change")
    return _changed(head, data, patch, summary_of(patch), at)


def _changed(
    head: Artifact, data: Data, patch: Patch, summary: str, at: Circumstances
) -> tuple[Revision, ArtifactEvent]:
    artifact = replace(head, version=head.version + 1, data=data, updated_by=at.actor, update_time=at.now)
    event = ArtifactChanged(artifact_id=head.id, kind=head.kind, version=artifact.version, patch=patch, summary=summary)
    return Revision(artifact=artifact, patch=patch, summary=summary), event


def _archived(head: Artifact, at: Circumstances) -> tuple[Revision, ArtifactEvent]:
    artifact = replace(head, version=head.version + 1, archived=True, updated_by=at.actor, update_time=at.now)
    event = ArtifactArchived(artifact_id=head.id, kind=head.kind, version=artifact.version)
    return Revision(artifact=artifact, summary="archived"), event
