"""Write agents that work on the artifacts of a Lattice workspace beside people."""

from artifactr.agent import ArtifactWorkspace, Live, LiveBuffers, RunHandle, Runner, Sent, Session
from artifactr.core.artifacts import Artifact, TextArtifact
from artifactr.core.outcomes import Applied, Outcome, Proposed, Resolved
from artifactr.files import NativeFiles
from artifactr.workspace import Workspace, Workspaces, open_workspaces

__all__ = [
    "Applied",
    "Artifact",
    "ArtifactWorkspace",
    "Live",
    "LiveBuffers",
    "NativeFiles",
    "Outcome",
    "Proposed",
    "Resolved",
    "RunHandle",
    "Runner",
    "Sent",
    "Session",
    "TextArtifact",
    "Workspace",
    "Workspaces",
    "open_workspaces",
]
