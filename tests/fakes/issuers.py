"""Fixtures: issuers with key sets in files, who believes them, and a clock that tests set; a conftest imports them."""

from pathlib import Path

import pytest
from fakes.identity_provider import Clock, IdentityProvider
from lattice_chassis.tokens import TokenAuthenticator


@pytest.fixture
def clock() -> Clock:
    """What time it is for all that a test makes."""
    return Clock(1_800_000_000.0)


@pytest.fixture
def people(clock: Clock) -> IdentityProvider:
    """The issuer that speaks for people and their programs."""
    return IdentityProvider("https://people.test", clock)


@pytest.fixture
def people_file(tmp_path: Path, people: IdentityProvider) -> Path:
    """Where its keys are, `1` at first."""
    path = tmp_path / "people.jwks"
    people.publish(path, "1")
    return path


@pytest.fixture
def agents(clock: Clock) -> IdentityProvider:
    """The agent service, which speaks for agents and for itself."""
    return IdentityProvider("agent", clock)


@pytest.fixture
def authenticator(
    people: IdentityProvider, people_file: Path, agents: IdentityProvider, tmp_path: Path, clock: Clock
) -> TokenAuthenticator:
    """Believes both issuers, each for its own."""
    agents_file = tmp_path / "agents.jwks"
    agents.publish(agents_file, "agent-1")
    issuers = [
        people.trusted(people_file, "user", "external_agent"),
        agents.trusted(agents_file, "agent", "service"),
    ]
    return TokenAuthenticator(issuers, now=clock, elapsed=clock)
