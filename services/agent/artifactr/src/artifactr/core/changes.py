"""Commands on artifacts and proposals: intents that files carries out or refuses [CM-01, CM-02].

An id left empty is made by files. `thread_id` is the thread that a change belongs to, an agent's own one when empty.
`proposal_id` and `rationale` are the proposal's if the change becomes one, be it by policy [CM-06].
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from artifactr.core.patches import Patch


@dataclass(frozen=True, kw_only=True)
class CreateArtifact:
    """Create a structured artifact."""

    kind: str
    data: Mapping[str, Any]
    artifact_id: str = ""
    thread_id: str = ""
    proposal_id: str = ""
    rationale: str = ""


@dataclass(frozen=True, kw_only=True)
class EditArtifact:
    """Patch an artifact at its current version; a summary is made from the patch where none is given [AT-08]."""

    artifact_id: str
    base_version: int
    patch: Patch
    summary: str = ""
    thread_id: str = ""
    proposal_id: str = ""
    rationale: str = ""


@dataclass(frozen=True, kw_only=True)
class ArchiveArtifact:
    """Archive an artifact at its current version [AT-15]."""

    artifact_id: str
    base_version: int
    thread_id: str = ""
    proposal_id: str = ""
    rationale: str = ""


Change = CreateArtifact | EditArtifact | ArchiveArtifact
"""What applies, or becomes a proposal."""


@dataclass(frozen=True, kw_only=True)
class ProposeChange:
    """Propose a change whatever the type's policy says; it has to apply to the current version [PR-03, PR-12]."""

    change: Change


@dataclass(frozen=True, kw_only=True)
class AcceptProposal:
    """Apply a proposal to the current version [PR-06].

    `changes` are the reviewer's own, layered on the proposed result [PR-07]. `rebase` runs the batch of a stale native
    proposal again on the content as it is now [F-11].
    """

    proposal_id: str
    changes: Patch | None = None
    rebase: bool = False


@dataclass(frozen=True, kw_only=True)
class RejectProposal:
    """Turn a proposal down; no artifact changes [PR-09]."""

    proposal_id: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class WithdrawProposal:
    """Take one's own proposal back [AMB-06]."""

    proposal_id: str


ProposalAnswer = AcceptProposal | RejectProposal | WithdrawProposal
