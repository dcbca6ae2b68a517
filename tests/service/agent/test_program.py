"""What `lattice-agent serve` serves: the default agent, or what its argument names."""

import sys
from types import ModuleType

import pytest
from artifactr import ArtifactWorkspace, Runner, Session
from lattice_agent.default_agent import default_runner
from lattice_agent.main import NoRunner, runner_maker
from lattice_agent.settings import AgentSettings
from pydantic import SecretStr
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel


def test_without_a_name_the_default_agent_is_served() -> None:
    """RN-23."""
    assert runner_maker(None) is default_runner


def test_a_runner_or_a_function_that_makes_one_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """RN-23, RN-24: an application serves its own agent."""
    agent = Agent(TestModel(), deps_type=Session[None], capabilities=[ArtifactWorkspace()])
    ours = Runner(agent, app=None)
    application = ModuleType("application")
    application.runner = ours  # type: ignore[attr-defined]
    application.make_runner = lambda _settings, _files: ours  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "application", application)
    settings = AgentSettings(database_url=SecretStr("postgresql+aiopg://nobody@/none"), files="127.0.0.1:1")
    for named in ("application:runner", "application:make_runner"):
        assert runner_maker(named)(settings, None) is ours  # type: ignore[arg-type]  # neither looks at the channel


@pytest.mark.parametrize("named", ["nowhere:runner", "pytest:nothing", "pytest:__version__", "", ":", "pytest"])
def test_what_is_no_runner_is_refused_by_name(named: str) -> None:
    """RN-23."""
    with pytest.raises(NoRunner) as refusal:
        runner_maker(named)
    assert named in str(refusal.value)


def test_the_model_is_named_for_all_of_lattice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default agent takes its model from LATTICE_MODEL; without it, it is a script."""
    monkeypatch.setenv("LATTICE_AGENT_DATABASE_URL", "postgresql+aiopg://nobody@/none")
    monkeypatch.setenv("LATTICE_AGENT_FILES", "127.0.0.1:1")
    monkeypatch.delenv("LATTICE_MODEL", raising=False)
    assert AgentSettings().model == ""  # type: ignore[call-arg]
    monkeypatch.setenv("LATTICE_MODEL", "anthropic:claude-sonnet-5-5")
    assert AgentSettings().model == "anthropic:claude-sonnet-5-5"  # type: ignore[call-arg]
