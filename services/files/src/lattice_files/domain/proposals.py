"""Proposals: changes that await somebody else's answer [PR-02].

A native proposal keeps its batch and the finished blobs of its result. Its base is the digest of
the content, so a rename does not make it stale [F-11].
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from lattice_files.domain.actors import Actor
from lattice_files.domain.apps import ChangeMode, CommandCall
from lattice_files.domain.artifacts import Artifact
from lattice_files.domain.native import NativeFile
from lattice_files.domain.patches import Data
from lattice_files.domain.rejections import Forbidden, InvalidState, ProposalStale


class WritePolicy(StrEnum):
    """Whether an agent's write applies or becomes a proposal; nobody else's asks it [AT-06, AC-05]."""

    DIRECT = "direct"
    PROPOSE = "propose"


class ProposalState(StrEnum):
    """Whether a proposal was answered, and how."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class Answer(StrEnum):
    """How a proposal was answered."""

    ACCEPT = "accept"
    REJECT = "reject"
    WITHDRAW = "withdraw"


@dataclass(frozen=True, kw_only=True)
class ProposedCreation:
    """A proposed artifact."""

    artifact_id: str
    kind: str
    data: Data
    type: Literal["creation"] = "creation"


@dataclass(frozen=True, kw_only=True)
class ProposedBatch:
    """A proposed batch on a native file, with its finished result [F-11]."""

    artifact_id: str
    base_version: int
    base_digest: str
    """The content that the batch was made on."""
    commands: tuple[CommandCall, ...]
    mode: ChangeMode
    summary: str
    result: Data
    """The artifact's data once the batch is applied; its blobs are stored."""
    type: Literal["batch"] = "batch"


ProposedChange = ProposedCreation | ProposedBatch


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A change that awaits, or had, an answer."""

    id: str
    change: ProposedChange
    proposer: Actor
    rationale: str
    state: ProposalState
    thread_id: str
    create_time: datetime
    resolver: Actor | None = None
    reason: str = ""

    @property
    def artifact_id(self) -> str:
        """The artifact that it would change or create."""
        return self.change.artifact_id


def is_stale(proposal: Proposal, head_digest: str | None) -> bool:
    """Whether it is pending and the file's content is another than the one it was made on [AMB-07].

    `head_digest` is the digest of the file's current content; None where there is no file.
    """
    change = proposal.change
    return (
        proposal.state is ProposalState.PENDING
        and isinstance(change, ProposedBatch)
        and head_digest is not None
        and change.base_digest != head_digest
    )


def must_propose(actor: Actor, policy: WritePolicy, *, asked: bool) -> bool:
    """Whether a write becomes a proposal: by policy for agents, and for whoever asks for it [CM-06, MP-32]."""
    return asked or (actor.is_agent and policy is WritePolicy.PROPOSE)


def base_of_next_batch(proposal: Proposal, artifact: Artifact, actor: Actor) -> ProposedBatch:
    """What an edit builds on that names one's own pending proposal as its base [F-11].

    Raises:
        Forbidden: it is somebody else's.
        InvalidState: it was answered, is about another artifact, or holds no batch.
        ProposalStale: the file's content changed since it was made.
    """
    change = proposal.change
    if not proposal.proposer.same_participant(actor):
        raise Forbidden(why="only the author of a proposal builds on it")
    if proposal.state is not ProposalState.PENDING:
        raise InvalidState(why=f"the proposal {proposal.id} is {proposal.state.value}")
    if not isinstance(change, ProposedBatch) or change.artifact_id != artifact.id:
        raise InvalidState(why=f"the proposal {proposal.id} holds no batch on {artifact.id}")
    if is_stale(proposal, NativeFile.of(artifact.data).digest):
        raise ProposalStale(proposal_id=proposal.id)
    return change
