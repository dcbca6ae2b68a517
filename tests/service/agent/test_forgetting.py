"""The service forgets old requests by itself."""

from datetime import timedelta

import pytest
from lattice_agent.main import running
from lattice_agent.settings import AgentSettings
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from pydantic import SecretStr


async def test_a_server_forgets_old_requests_or_says_that_it_does_not(
    agent_urls: DatabaseUrls, files_server: BoundServer, caplog: pytest.LogCaptureFixture
) -> None:
    """ID-03: with the follower role, which is not given here."""
    settings = AgentSettings(
        database_url=SecretStr(agent_urls.service), files=files_server.address, notice=timedelta(0)
    )
    async with running(settings):
        assert "remembered for ever" in caplog.text
