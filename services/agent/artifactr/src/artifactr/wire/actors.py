"""Actors of core and of the contracts."""

from typing import assert_never

from lattice.type.v1 import actor_pb2 as actor_pb

from artifactr.core.actors import Actor, AgentActor, ExternalAgentActor, SystemActor, UserActor


def to_proto(actor: Actor) -> actor_pb.Actor:
    """The actor as the contract has it."""
    match actor:
        case UserActor():
            return actor_pb.Actor(user=actor_pb.UserActor(id=actor.id, name=actor.name))
        case AgentActor():
            agent = actor_pb.AgentActor(thread_id=actor.thread_id, run_id=actor.run_id, name=actor.name)
            return actor_pb.Actor(agent=agent)
        case ExternalAgentActor():
            external = actor_pb.ExternalAgentActor(client_id=actor.client_id, name=actor.name)
            return actor_pb.Actor(external_agent=external)
        case SystemActor():
            return actor_pb.Actor(system=actor_pb.SystemActor(name=actor.name))
        case _:
            assert_never(actor)


def from_proto(actor: actor_pb.Actor) -> Actor:
    """The actor of core; ValueError for one without a kind that this version knows."""
    match actor.WhichOneof("kind"):
        case "user":
            return UserActor(id=actor.user.id, name=actor.user.name)
        case "agent":
            agent = actor.agent
            return AgentActor(thread_id=agent.thread_id, run_id=agent.run_id, name=agent.name or "assistant")
        case "external_agent":
            return ExternalAgentActor(client_id=actor.external_agent.client_id, name=actor.external_agent.name)
        case "system":
            return SystemActor(name=actor.system.name or "system")
        case None:
            raise ValueError("an actor has exactly one kind")
        case unreachable:
            assert_never(unreachable)
