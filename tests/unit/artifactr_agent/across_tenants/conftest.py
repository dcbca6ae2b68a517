"""Looks across all tenants find whatever stands still anywhere: each test here has a database of its own."""

from collections.abc import AsyncIterator

import grpc
import pytest
from artifactr import Workspaces, open_workspaces
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate


@pytest.fixture
async def agent_urls(database_urls: DatabaseUrls) -> DatabaseUrls:
    await migrate(database_urls.owner, "artifactr.store.migrations")
    return database_urls


@pytest.fixture
async def workspaces(agent_urls: DatabaseUrls, files_channel: grpc.aio.Channel) -> AsyncIterator[Workspaces]:
    async with open_workspaces(agent_urls.service, files_channel) as opened:
        yield opened


@pytest.fixture
async def replica(agent_urls: DatabaseUrls, files_channel: grpc.aio.Channel) -> AsyncIterator[Workspaces]:
    """Another process of the service, which sees what lies in all tenants."""
    async with open_workspaces(agent_urls.service, files_channel, follower_url=agent_urls.follower) as opened:
        yield opened
