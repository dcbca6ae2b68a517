"""The bytes of a file, kept on local disk so that memory stays constant whatever their size."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Content:
    """A spooled file: complete, hashed, and not changed any more. Whoever owns its folder deletes it."""

    path: Path
    size: int
    """The length in bytes."""
    digest: str
    """The SHA-256 as 64 lower-case hex digits; the name of its blob."""
