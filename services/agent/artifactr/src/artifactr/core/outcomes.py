"""What a write to artifacts did [CM-03]."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Applied:
    """The change is the artifact's newest version; `change_sequence` is 0 where it appended nothing."""

    artifact_id: str
    version: int
    change_sequence: int = 0


@dataclass(frozen=True, kw_only=True)
class Proposed:
    """The change awaits somebody else's answer."""

    proposal_id: str
    artifact_id: str
    change_sequence: int = 0


Outcome = Applied | Proposed
