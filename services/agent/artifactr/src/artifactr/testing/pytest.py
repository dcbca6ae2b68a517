"""The kit as fixtures: `pytest_plugins = ["artifactr.testing.pytest"]` in an application's top conftest.py.

The processes start with the first test that needs them and stay for the session; each test has a workspace of its own
in them. Each worker of pytest-xdist has a suite of its own.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from lattice_cli.suite import Suite
from pydantic_ai import models

from artifactr.testing.lattice import Administrator, Lattice, joined, running_services
from artifactr.testing.log import Log
from artifactr.testing.script import Script
from artifactr.workspace import Workspace


@pytest.fixture(scope="session", autouse=True)
def no_model_requests() -> Iterator[None]:
    """No test asks a real model; an application that wants to overrides this fixture."""
    with models.override_allow_model_requests(allow_model_requests=False):
        yield


@pytest.fixture(scope="session")
def lattice_suite() -> Iterator[Suite]:
    """The processes of Lattice, once a session."""
    # In an event loop of its own, so that it does not matter in which loops the tests run.
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as loop:
        running = AsyncExitStack()
        yield loop.run(running.enter_async_context(running_services()))
        loop.run(running.aclose())


@pytest_asyncio.fixture
async def lattice(lattice_suite: Suite) -> AsyncIterator[Lattice]:
    """A workspace of this test alone, and all that is in it."""
    async with joined(lattice_suite) as lattice:
        yield lattice


@pytest.fixture
def user(lattice: Lattice) -> Workspace:
    """Alice, who works with the agent; `lattice.user` makes more people."""
    return lattice.user()


@pytest.fixture
def administrator(lattice: Lattice) -> Administrator:
    """Adam, who switches apps."""
    return lattice.administrator


@pytest.fixture
def log(lattice: Lattice) -> Log:
    """The log of the workspace."""
    return lattice.log


@pytest.fixture
def script() -> Script:
    """A model's script, still empty."""
    return Script()
