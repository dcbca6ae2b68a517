"""Agents in a workspace: the capability, the runner, and what tools and programs use beside them."""

from artifactr.agent.capability import ArtifactWorkspace
from artifactr.agent.history import load_history
from artifactr.agent.live import Live, LiveBuffers
from artifactr.agent.results import describe_outcome
from artifactr.agent.run_handle import RunHandle
from artifactr.agent.runner import Runner, Sent
from artifactr.agent.session import Session
from artifactr.agent.tools import submit

__all__ = [
    "ArtifactWorkspace",
    "Live",
    "LiveBuffers",
    "RunHandle",
    "Runner",
    "Sent",
    "Session",
    "describe_outcome",
    "load_history",
    "submit",
]
