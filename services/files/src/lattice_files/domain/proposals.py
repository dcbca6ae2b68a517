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
from lattice_files.domain.json_data import Data
from lattice_files.domain.native import NativeFile, is_native
from lattice_files.domain.patches import Patch
from lattice_files.domain.rejections import Forbidden, InvalidState, ProposalStale


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
class ProposedEdit:
    """A proposed patch; it always has a summary [EV-04]."""

    artifact_id: str
    base_version: int
    patch: Patch
    summary: str
    type: Literal["edit"] = "edit"


@dataclass(frozen=True, kw_only=True)
class ProposedArchiving:
    """A proposed archiving."""

    artifact_id: str
    base_version: int
    type: Literal["archiving"] = "archiving"


@dataclass(frozen=True, kw_only=True)
class ProposedBatch:
    """A proposed batch on a native file, with its finished result [F-11]."""

    artifact_id: str
    base_version: int
    base_digest: str
    """The content that the batch was made on."""
    commands: tuple[CommandCall, ...]
    """Empty where the content of an earlier revision is to come back."""
    mode: ChangeMode
    summary: str
    result: Data
    """The artifact's data once the batch is applied; its blobs are stored."""
    type: Literal["batch"] = "batch"


ProposedChange = ProposedCreation | ProposedEdit | ProposedArchiving | ProposedBatch


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

    @property
    def digests(self) -> frozenset[str]:
        """The blobs that accepting it needs; once it is answered nothing holds them any more [B-05]."""
        change = self.change
        if isinstance(change, ProposedBatch):
            return NativeFile.of(change.result).digests
        if isinstance(change, ProposedCreation) and is_native(change.kind):
            return NativeFile.of(change.data).digests
        return frozenset()


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


def applies_as_made(proposal: Proposal, head_digest: str | None, *, rebase: bool) -> bool:
    """Whether what was proposed may be applied as it is: a batch on other content is to be made again [F-11].

    One without commands brings a revision back, which is the same on any content, once its reviewer says `rebase`.
    """
    change = proposal.change
    as_it_is = rebase and isinstance(change, ProposedBatch) and not change.commands
    return as_it_is or not is_stale(proposal, head_digest)


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
    require_pending(proposal)
    if not isinstance(change, ProposedBatch) or change.artifact_id != artifact.id:
        raise InvalidState(why=f"the proposal {proposal.id} holds no batch on {artifact.id}")
    if is_stale(proposal, NativeFile.of(artifact.data).digest):
        raise ProposalStale(proposal_id=proposal.id)
    return change


def require_answerable(proposal: Proposal, actor: Actor) -> None:
    """Let an answer through that comes from another participant, and is the first [PR-04, PR-05].

    Raises:
        Forbidden: the author answers, in whichever of its runs.
        InvalidState: it was answered before.
    """
    if proposal.proposer.same_participant(actor):
        raise Forbidden(why="the author of a proposal does not answer it")
    require_pending(proposal)


def require_own(proposal: Proposal, actor: Actor) -> None:
    """Let its author take a proposal back [AMB-06].

    Raises:
        Forbidden: it is somebody else's.
        InvalidState: it was answered before.
    """
    if not proposal.proposer.same_participant(actor):
        raise Forbidden(why="only the author of a proposal withdraws it")
    require_pending(proposal)


def require_pending(proposal: Proposal) -> None:
    """Let through what is about a proposal that awaits its answer.

    Raises:
        InvalidState: it was answered.
    """
    if proposal.state is not ProposalState.PENDING:
        raise InvalidState(why=f"the proposal {proposal.id} is {proposal.state.value}")
