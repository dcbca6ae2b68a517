"""Who acts: the participant that a change, a lease or a proposal is attributed to.

Actors are compared by participant key, `kind:id`, never field by field: all runs of one thread's agent
are one participant, and a changed display name changes nothing [AC-02].
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lattice_files.domain.rejections import Forbidden


class ActorKind(StrEnum):
    """The kinds of participants."""

    USER = "user"
    AGENT = "agent"
    EXTERNAL_AGENT = "external_agent"
    SYSTEM = "system"


@dataclass(frozen=True, kw_only=True)
class Actor:
    """A verified participant; it comes from the call's identity, never from a request [AC-03]."""

    kind: ActorKind
    id: str
    """The id within its kind: a user's id, an agent's thread, a client id, a system's name."""
    name: str = ""
    """The display name as it was given; empty where none was."""
    run_id: str = ""
    """The run that an agent acts in; empty outside one and for everybody else."""

    @property
    def participant(self) -> str:
        """The participant key: the kind is part of it, for a client may have the id of a person [AC-02]."""
        return f"{self.kind.value}:{self.id}"

    @property
    def is_agent(self) -> bool:
        """Whether write policies bind it [AC-05]."""
        return self.kind in {ActorKind.AGENT, ActorKind.EXTERNAL_AGENT}

    @property
    def thread_id(self) -> str:
        """The thread that an agent belongs to; empty for everybody else."""
        return self.id if self.kind is ActorKind.AGENT else ""

    def same_participant(self, other: "Actor") -> bool:
        """Whether the two are one participant, in whichever runs and under whichever names [AC-02]."""
        return self.participant == other.participant


EDIT: Final = "edit"
REVIEW: Final = "review"
ADMINISTER: Final = "administer"
OPERATE: Final = "operate"
"""The permissions that rules ask for, as `lattice_chassis.authorization` has them."""


@dataclass(frozen=True, kw_only=True)
class Caller:
    """An actor with what it may do in the workspace of the call, as its verified identity says [SE-01]."""

    actor: Actor
    permissions: frozenset[str]


def authorize_write(caller: Caller) -> None:
    """Let those who may edit through; asked after the gate, in the seed's order [WP-03].

    Raises:
        Forbidden: the caller may not.
    """
    _require(caller, EDIT, "writing needs the role of an editor")


def authorize_review(caller: Caller) -> None:
    """Let those who may answer proposals through; asked after the gate.

    Raises:
        Forbidden: the caller may not.
    """
    _require(caller, REVIEW, "answering proposals needs the role of a reviewer or an editor")


def authorize_check_out(caller: Caller) -> None:
    """Let people check out who may edit; agents edit instead [AMB-12].

    Raises:
        Forbidden: the caller may not, or is no person.
    """
    authorize_write(caller)
    if caller.actor.kind is not ActorKind.USER:
        raise Forbidden(why="only people check files out; an agent edits them")


def authorize_administrator(caller: Caller) -> None:
    """Let administrators through [F-18].

    Raises:
        Forbidden: the caller is none.
    """
    _require(caller, ADMINISTER, "this needs the role of an administrator")


def authorize_operator(caller: Caller) -> None:
    """Let those through who may change what belongs to the deployment and not to a tenant.

    Raises:
        Forbidden: the caller may not.
    """
    _require(caller, OPERATE, "this needs the role of an operator of the deployment")


def _require(caller: Caller, permission: str, why: str) -> None:
    if permission not in caller.permissions:
        raise Forbidden(why=why)
