"""The unit of isolation, numbering and locking."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class WorkspaceKey:
    """A workspace of a tenant; two tenants may use the same workspace id [TN-03]."""

    tenant: str
    workspace: str
