"""Workspaces: handles on what agent keeps, and the use cases behind them."""

from artifactr.store.request_memory import Request
from artifactr.workspace.claims import ClaimLost
from artifactr.workspace.registration import TypeRefused
from artifactr.workspace.workspace import Workspace
from artifactr.workspace.workspaces import Workspaces, open_workspaces

__all__ = ["ClaimLost", "Request", "TypeRefused", "Workspace", "Workspaces", "open_workspaces"]
