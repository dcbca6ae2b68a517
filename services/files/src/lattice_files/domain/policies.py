"""Write policies: whether a write applies or becomes a proposal."""

from enum import StrEnum

from lattice_files.domain.actors import Actor
from lattice_files.domain.rejections import Forbidden


class WritePolicy(StrEnum):
    """Whether an agent's write applies or becomes a proposal; nobody else's asks it [AT-06, AC-05]."""

    DIRECT = "direct"
    PROPOSE = "propose"


def must_propose(actor: Actor, policy: WritePolicy, *, asked: bool) -> bool:
    """Whether a write becomes a proposal: by policy for agents, and for whoever asks for it [CM-06, MP-32]."""
    return asked or (actor.is_agent and policy is WritePolicy.PROPOSE)


def authorize_acceptance(actor: Actor, policy: WritePolicy, *, asked: bool, agents_may: bool) -> None:
    """Keep from accepting who would have to propose the change instead [AMB-27].

    `agents_may` is the deployment's leave for agents to accept what policy makes them propose.

    Raises:
        Forbidden: the actor is such a one.
    """
    if must_propose(actor, WritePolicy.DIRECT if agents_may else policy, asked=asked):
        raise Forbidden(why="whoever has to propose such a change does not accept it either")
