"""Ids of what agent creates: a prefix, an underscore and 16 hex digits; callers may choose others [VO-08]."""

import secrets
from typing import Literal

Prefix = Literal["thr", "run", "msg", "claim", "evt"]


def new_id(prefix: Prefix) -> str:
    """A fresh id such as `run_3f9c2a1b7d4e5f60`."""
    return f"{prefix}_{secrets.token_hex(8)}"
