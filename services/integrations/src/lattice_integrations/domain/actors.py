"""Who asks: a participant with the roles of a verified identity, never of a request [AC-03, SE-01]."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

ADMINISTRATOR: Final = "administrator"
"""The role that may switch integrations [I-06]."""


class ActorKind(StrEnum):
    """The kinds of participants; the values are what the store keeps."""

    USER = "user"
    AGENT = "agent"
    EXTERNAL_AGENT = "external_agent"
    SYSTEM = "system"


@dataclass(frozen=True, kw_only=True)
class Actor:
    """Somebody to whom a change is attributed [AC-01]."""

    kind: ActorKind
    id: str
    """The participant key: two actors with the same one are the same participant [AC-02]."""
    name: str = ""
    """The display name as it was given; empty where none was."""
    run_id: str = ""
    """The run that an agent acts in; empty outside one and for everybody else."""


@dataclass(frozen=True, kw_only=True)
class Caller:
    """An actor with what it may do, and the trace that its call belongs to."""

    actor: Actor
    roles: frozenset[str]
    traceparent: str = ""
    """The W3C traceparent of the call; empty when it is not traced."""

    @property
    def is_administrator(self) -> bool:
        """Whether the caller may switch integrations."""
        return ADMINISTRATOR in self.roles
