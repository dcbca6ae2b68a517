"""What a command does: a new version, proposals, and the events that tell of them.

A decision is pure: the same command on the same state decides the same [CM-02]. It is saved whole
or not at all, and numbered in one place [WP-01, WP-02].
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from lattice_files.domain.actors import Actor
from lattice_files.domain.artifacts import Artifact, Revision, next_version
from lattice_files.domain.patches import Data, JsonPatch, difference
from lattice_files.domain.proposals import Answer, Proposal, ProposalState, ProposedChange


@dataclass(frozen=True, kw_only=True)
class ArtifactCreated:
    """An artifact came into being, at version 1."""

    artifact_id: str
    kind: str
    data: Data
    version: int = 1
    proposal_id: str = ""
    type: Literal["artifact_created"] = "artifact_created"


@dataclass(frozen=True, kw_only=True)
class ArtifactChanged:
    """An artifact changed."""

    artifact_id: str
    kind: str
    version: int
    patch: JsonPatch
    summary: str
    proposal_id: str = ""
    type: Literal["artifact_changed"] = "artifact_changed"


@dataclass(frozen=True, kw_only=True)
class ProposalCreated:
    """A change was proposed."""

    proposal_id: str
    change: ProposedChange
    rationale: str
    type: Literal["proposal_created"] = "proposal_created"


@dataclass(frozen=True, kw_only=True)
class ProposalResolved:
    """A proposal was answered."""

    proposal_id: str
    answer: Answer
    proposer: Actor
    artifact_id: str
    type: Literal["proposal_resolved"] = "proposal_resolved"


Event = ArtifactCreated | ArtifactChanged | ProposalCreated | ProposalResolved


@dataclass(frozen=True, kw_only=True)
class Change:
    """An event with its number, its author and its time: a row of the feed."""

    change_sequence: int
    change_id: str
    commit_id: str
    actor: Actor
    commit_time: datetime
    thread_id: str
    run_id: str
    traceparent: str
    event: Event


@dataclass(frozen=True, kw_only=True)
class Applied:
    """The change is the artifact's newest version."""

    artifact_id: str
    version: int
    type: Literal["applied"] = "applied"


@dataclass(frozen=True, kw_only=True)
class Proposed:
    """The change awaits review."""

    proposal_id: str
    artifact_id: str
    type: Literal["proposed"] = "proposed"


Result = Applied | Proposed


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a write did, and the number of the last change that it appended; 0 for none [CM-03]."""

    result: Result
    change_sequence: int


@dataclass(frozen=True, kw_only=True)
class EditAnswer:
    """What an edit did, and which package parts differ from its base."""

    outcome: Outcome
    changed_parts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What one command decided, to be saved in one transaction."""

    result: Result
    events: tuple[Event, ...] = ()
    revision: Revision | None = None
    """The new version; its trace and switch revision are added when it is saved."""
    proposals: tuple[Proposal, ...] = ()
    """Each as it stands from now on."""


def decide_creation(artifact: Artifact, summary: str) -> Decision:
    """Bring an artifact into being at version 1."""
    return Decision(
        result=Applied(artifact_id=artifact.id, version=artifact.version),
        events=(ArtifactCreated(artifact_id=artifact.id, kind=artifact.kind, data=artifact.data),),
        revision=Revision(artifact=artifact, summary=summary),
    )


def decide_new_data(artifact: Artifact, data: Data, summary: str, actor: Actor, now: datetime) -> Decision:
    """Give a current artifact new data; that it is current was checked before [CM-07]."""
    changed = next_version(artifact, data, actor, now)
    patch = difference(artifact.data, data)
    event = ArtifactChanged(
        artifact_id=artifact.id, kind=artifact.kind, version=changed.version, patch=patch, summary=summary
    )
    return Decision(
        result=Applied(artifact_id=artifact.id, version=changed.version),
        events=(event,),
        revision=Revision(artifact=changed, patch=patch, summary=summary),
    )


def decide_proposal(proposal: Proposal) -> Decision:
    """Queue a change for somebody else's answer."""
    event = ProposalCreated(proposal_id=proposal.id, change=proposal.change, rationale=proposal.rationale)
    return Decision(
        result=Proposed(proposal_id=proposal.id, artifact_id=proposal.artifact_id),
        events=(event,),
        proposals=(proposal,),
    )


def superseding(decision: Decision, base: Proposal, actor: Actor) -> Decision:
    """The same decision, which also takes back the proposal that it was built on [F-11]."""
    withdrawn = replace(base, state=ProposalState.WITHDRAWN, resolver=actor)
    event = ProposalResolved(
        proposal_id=base.id,
        answer=Answer.WITHDRAW,
        proposer=base.proposer,
        artifact_id=base.artifact_id,
    )
    return replace(decision, events=(event, *decision.events), proposals=(withdrawn, *decision.proposals))
