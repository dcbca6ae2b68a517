"""What a write to artifacts did [CM-03]. `change_sequence` is files' number of the last change, 0 for none."""

from dataclasses import dataclass

from artifactr.core.events import Decision


@dataclass(frozen=True, kw_only=True)
class Applied:
    """The change is the artifact's newest version."""

    artifact_id: str
    version: int
    change_sequence: int = 0


@dataclass(frozen=True, kw_only=True)
class Proposed:
    """The change awaits somebody else's answer."""

    proposal_id: str
    artifact_id: str
    change_sequence: int = 0


@dataclass(frozen=True, kw_only=True)
class Resolved:
    """A proposal was answered; `version` is the artifact's new one, 0 unless it was accepted."""

    proposal_id: str
    decision: Decision
    version: int = 0
    change_sequence: int = 0


Outcome = Applied | Proposed
"""What a change did."""
