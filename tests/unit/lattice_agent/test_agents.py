"""Which runners one replica can serve side by side."""

from typing import Any

import pytest
from artifactr import Artifact, ArtifactWorkspace, Runner, Session, TextArtifact
from lattice_agent.agents import Agents, AgentsRefused
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel


class Brief(TextArtifact):
    """What a launch is about."""


class Plan(Artifact):
    """What is to be done."""

    title: str


def runner_of(agent_name: str, *types: type[Artifact]) -> Runner[None, str]:
    agent = Agent(TestModel(), deps_type=Session[None], capabilities=[ArtifactWorkspace(types=types)])
    return Runner(agent, app=None, agent_name=agent_name)


def another(kind: str, base: type[Artifact], **fields: Any) -> type[Artifact]:  # noqa: ANN401 - of the class
    """A type of an agent that was written by somebody else."""
    made = type("Another", (base,), {"__module__": __name__, "__doc__": base.__doc__, "kind": kind, **fields})
    assert issubclass(made, Artifact)
    return made


def test_the_types_of_all_agents_are_registered_each_kind_once() -> None:
    """TH-13, AT-01."""
    agents = Agents([runner_of("planner", Plan, Brief), runner_of("writer", Brief)])
    assert [it.kind for it in agents.types] == ["plan", "brief"]
    assert [it.agent_name for it in agents.runners] == ["planner", "writer"]


def test_two_agents_of_one_name_are_refused() -> None:
    """TH-13: nobody could tell whose a thread is."""
    with pytest.raises(AgentsRefused, match="assistant, writer, assistant"):
        Agents([runner_of("assistant"), runner_of("writer"), runner_of("assistant")])


@pytest.mark.parametrize(
    "other",
    [
        another("brief", TextArtifact, write_policy="propose"),
        another("brief", TextArtifact, __annotations__={"author": str}, author=""),
    ],
    ids=["another policy", "another schema"],
)
def test_two_agents_that_declare_one_kind_differently_are_refused(other: type[Artifact]) -> None:
    """TH-13: files would be told two things about it, and what holds would depend on who was last."""
    with pytest.raises(AgentsRefused, match="writer declares the kind brief"):
        Agents([runner_of("planner", Plan, Brief), runner_of("writer", other)])


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\0b"])
def test_an_agent_has_a_name_that_a_thread_can_hold(name: str) -> None:
    """TH-13: the empty one stands for the default."""
    with pytest.raises(ValueError, match="no agent can be named"):
        runner_of(name)
