"""What callers ask files to do, beside the changes that proposals wrap: intents that can be refused [VO-03]."""

from dataclasses import dataclass, field
from datetime import datetime

from lattice_files.domain.apps import ChangeMode, CommandCall
from lattice_files.domain.patches import Patch
from lattice_files.domain.writes import WriteContext


@dataclass(frozen=True, kw_only=True)
class Upload:
    """Make a new artifact of a file [F-01]."""

    artifact_id: str
    file_name: str
    context: WriteContext = field(default=WriteContext())


@dataclass(frozen=True, kw_only=True)
class CheckIn:
    """Make the holder's copy the newest version, and end the check-out [F-04]."""

    artifact_id: str
    token: int
    summary: str = ""
    """Empty, one is made."""


@dataclass(frozen=True, kw_only=True)
class Edit:
    """Apply a batch of app commands to the current version [F-07]."""

    artifact_id: str
    base_version: int
    commands: tuple[CommandCall, ...]
    summary: str
    mode: ChangeMode = ChangeMode.BY_AUTHOR
    base_proposal: str = ""
    """One's own pending proposal to build on instead; empty for none [F-11]."""
    context: WriteContext = field(default=WriteContext())


@dataclass(frozen=True, kw_only=True)
class Restore:
    """Bring the content of an earlier version back as the newest one [F-18]."""

    artifact_id: str
    version: int
    base_version: int
    summary: str = ""
    """Empty, one names the version."""


@dataclass(frozen=True, kw_only=True)
class Acceptance:
    """Apply a proposal to what stands now [PR-06]."""

    proposal_id: str
    changes: Patch | None = None
    """The reviewer's own, layered on the proposed result [PR-07]."""
    rebase: bool = False
    """Whether a stale batch is made again on the current content [F-11]."""
    context: WriteContext = field(default=WriteContext())


@dataclass(frozen=True, kw_only=True)
class CheckOut:
    """A person's right to write a file, as it is answered [F-02]."""

    artifact_id: str
    token: int
    base_version: int
    expires_at: datetime
