"""Write agents that work on the artifacts of a Lattice workspace beside people."""

from artifactr.agent import ArtifactWorkspace, RunHandle, Runner, Sent, Session
from artifactr.core.outcomes import Applied, Outcome, Proposed
from artifactr.files import NativeFiles
from artifactr.workspace import Workspace, Workspaces, open_workspaces

__all__ = [
    "Applied",
    "ArtifactWorkspace",
    "NativeFiles",
    "Outcome",
    "Proposed",
    "RunHandle",
    "Runner",
    "Sent",
    "Session",
    "Workspace",
    "Workspaces",
    "open_workspaces",
]
