"""Artifacts, their revisions, and how one becomes the next.

A stored artifact is immutable; a change makes a new version, one higher than the last [AT-03, AT-04].
"""

from dataclasses import dataclass
from datetime import datetime

from lattice_files.domain.actors import Actor
from lattice_files.domain.json_data import Data
from lattice_files.domain.patches import Patch
from lattice_files.domain.rejections import InvalidState, VersionConflict


@dataclass(frozen=True, kw_only=True)
class Artifact:
    """An artifact at one version."""

    id: str
    kind: str
    version: int
    data: Data
    updated_by: Actor
    update_time: datetime
    archived: bool = False


@dataclass(frozen=True, kw_only=True)
class Revision:
    """An applied change, for ever [AT-05]."""

    artifact: Artifact
    """The artifact as the change left it."""
    summary: str
    patch: Patch | None = None
    """Absent for a creation and for archiving."""
    proposal_id: str = ""
    """The proposal whose acceptance made it; empty for a direct change."""
    trace_id: str = ""
    switch_revision: int | None = None
    """The revision of the switch that let it through; None for kinds that nothing governs [X-06]."""


def require_unarchived(artifact: Artifact) -> None:
    """Let through what is about an artifact that may still change.

    Raises:
        InvalidState: it is archived.
    """
    if artifact.archived:
        raise InvalidState(why=f"{artifact.id} is archived")


def require_current(artifact: Artifact, base_version: int) -> None:
    """Let a change through that is based on what stands; asked before any policy [CM-07, AT-15].

    Raises:
        InvalidState: the artifact is archived.
        VersionConflict: it is at another version.
    """
    require_unarchived(artifact)
    if artifact.version != base_version:
        raise VersionConflict(artifact_id=artifact.id, base=base_version, head=artifact.version)
