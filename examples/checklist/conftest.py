"""The test kit of Lattice, and the application's runner within it."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from artifactr import Runner
from artifactr.testing import Lattice, Script
from checklist import Announcements, agent
from pydantic_ai import DeferredToolRequests

pytest_plugins = ["artifactr.testing.pytest"]


@pytest.fixture
def announcements() -> Announcements:
    """Announcements that nobody hears."""
    return Announcements()


@pytest_asyncio.fixture
async def runner(
    lattice: Lattice, script: Script, announcements: Announcements
) -> AsyncIterator[Runner[Announcements, str | DeferredToolRequests]]:
    """The application's agent, with the test's script for its model."""
    with script.plays(agent):
        async with lattice.running(Runner(agent, app=announcements, agent_name="checklist keeper")) as running:
            yield running
