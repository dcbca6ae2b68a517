"""Who asks: a participant with the permissions of a verified identity, never of a request [AC-03, SE-01]."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

ADMINISTER: Final = "administer"
"""The permission to switch integrations, as `lattice_chassis.authorization` has it [I-06]."""


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
    """The id within its kind: a user's id, an agent's thread, a client id, a system's name."""
    name: str = ""
    """The display name as it was given; empty where none was."""
    run_id: str = ""
    """The run that an agent acts in; empty outside one and for everybody else."""

    @property
    def participant(self) -> str:
        """The participant key, `kind:id`: two actors with the same one are the same participant [AC-02]."""
        return f"{self.kind.value}:{self.id}"


@dataclass(frozen=True, kw_only=True)
class Caller:
    """An actor with what it may do, and the trace that its call belongs to."""

    actor: Actor
    permissions: frozenset[str]
    traceparent: str = ""
    """The W3C traceparent of the call; empty when it is not traced."""

    @property
    def is_administrator(self) -> bool:
        """Whether the caller may switch integrations."""
        return ADMINISTER in self.permissions
