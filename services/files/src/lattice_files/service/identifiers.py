"""Ids that files makes where callers choose none [VO-08]."""

import secrets


def new_artifact_id() -> str:
    """An id for an artifact."""
    return f"art_{secrets.token_hex(8)}"


def new_proposal_id() -> str:
    """An id for a proposal."""
    return f"prp_{secrets.token_hex(8)}"
