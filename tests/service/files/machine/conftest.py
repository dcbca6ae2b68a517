"""The stage of explorations."""

from collections.abc import AsyncIterator

import pytest
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from service.files.conftest import MakeSettings
from service.files.machine.stage import Stage, open_stage


@pytest.fixture(scope="module")
async def stage(
    make_settings: MakeSettings, files_urls: DatabaseUrls, integrations: BoundServer
) -> AsyncIterator[Stage]:
    """A server of files beside the integrations service."""
    async with open_stage(make_settings, files_urls, integrations.address) as opened:
        yield opened
