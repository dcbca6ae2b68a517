"""Why the service refuses; a refusal changes nothing. Each class carries its registered reason [RJ-03]."""

from dataclasses import dataclass
from typing import ClassVar


class Rejection(Exception):  # a refusal is an answer, not an error
    """A rule says no; the base of all refusals of this domain."""

    reason: ClassVar[str]


@dataclass(kw_only=True, eq=False)
class UnknownIntegration(Rejection):
    """The registry declares no integration of this key, whatever was set in earlier times [I-17]."""

    reason: ClassVar[str] = "UNKNOWN_INTEGRATION"
    key: str

    def __str__(self) -> str:
        return f"no integration is declared under the key {self.key!r}"


@dataclass(kw_only=True, eq=False)
class NotAdministrator(Rejection):
    """Only an administrator of the workspace may switch [I-06]."""

    reason: ClassVar[str] = "FORBIDDEN"

    def __str__(self) -> str:
        return "only an administrator may switch an integration"


@dataclass(kw_only=True, eq=False)
class VersionConflict(Rejection):
    """The switch was changed since the revision that this change is based on."""

    reason: ClassVar[str] = "VERSION_CONFLICT"
    id: str
    """The key of the integration."""
    base: int
    head: int

    def __str__(self) -> str:
        return f"{self.id} is at revision {self.head}, not at {self.base}; read it again"


@dataclass(kw_only=True, eq=False)
class SlowConsumer(Rejection):
    """A watch that had caught up fell too far behind; it can resume from its last cursor [SB-08]."""

    reason: ClassVar[str] = "SLOW_CONSUMER"
    waiting: int
    """Changes that the reader had not taken yet."""

    def __str__(self) -> str:
        return f"{self.waiting} changes were waiting for this reader; resume from the last cursor"
