"""What commands do: new versions, proposals, the events that tell of them, and what is answered.

A decision is saved whole or not at all, and its events are numbered in one place [WP-01, WP-02].
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from lattice_files.domain.actors import Actor
from lattice_files.domain.artifacts import Revision
from lattice_files.domain.json_data import Data
from lattice_files.domain.patches import Patch
from lattice_files.domain.proposals import Answer, Proposal, ProposedChange


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
    patch: Patch
    summary: str
    proposal_id: str = ""
    type: Literal["artifact_changed"] = "artifact_changed"


@dataclass(frozen=True, kw_only=True)
class ArtifactArchived:
    """An artifact was archived."""

    artifact_id: str
    kind: str
    version: int
    proposal_id: str = ""
    type: Literal["artifact_archived"] = "artifact_archived"


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
    changes: Patch | None = None
    """The reviewer's own, where it was accepted with some [PR-07]."""
    reason: str = ""
    """Given with a rejection [PR-09]."""
    version: int = 0
    """The artifact's new one; 0 unless it was accepted."""
    type: Literal["proposal_resolved"] = "proposal_resolved"


ArtifactEvent = ArtifactCreated | ArtifactChanged | ArtifactArchived
Event = ArtifactEvent | ProposalCreated | ProposalResolved


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


@dataclass(frozen=True, kw_only=True)
class Resolved:
    """A proposal was answered."""

    proposal_id: str
    answer: Answer
    version: int = 0
    """The artifact's new one; 0 unless it was accepted."""
    type: Literal["resolved"] = "resolved"


Result = Applied | Proposed | Resolved


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
