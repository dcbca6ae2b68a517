"""Who the tokens are about; the issuers come from the fakes."""

import pytest
from fakes.issuers import agents, authenticator, clock, people, people_file
from lattice.type.v1.actor_pb2 import Actor, AgentActor, UserActor
from lattice_chassis.identity import Identity

__all__ = ["agents", "authenticator", "clock", "people", "people_file"]


@pytest.fixture(scope="session")
def alice() -> Identity:
    """A person."""
    return Identity(tenant="acme", actor=Actor(user=UserActor(id="alice", name="Alice")), roles=frozenset({"editor"}))


@pytest.fixture(scope="session")
def scribe(alice: Identity) -> Identity:
    """The agent of a thread, in a run for alice."""
    actor = Actor(agent=AgentActor(thread_id="thr_1", run_id="run_1", name="Scribe"))
    return Identity(tenant="acme", actor=actor, roles=frozenset({"launch/editor"}), on_behalf_of=alice)
