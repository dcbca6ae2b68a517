"""Proposals as files answers them [PR-01, PR-02]."""

from dataclasses import dataclass
from enum import StrEnum

from artifactr.core.actors import Actor


class ProposalState(StrEnum):
    """Whether a proposal was answered, and how."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A change that awaits, or had, an answer.

    `summary` says what it would do; `stale` that it is pending for a native file whose content changed since [AMB-07];
    `reason` is the one given with a rejection.
    """

    id: str
    artifact_id: str
    summary: str
    proposer: Actor
    state: ProposalState
    rationale: str = ""
    thread_id: str = ""
    reason: str = ""
    stale: bool = False
