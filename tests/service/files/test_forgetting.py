"""The service forgets old requests by itself."""

import pytest
from lattice_files.main import running
from service.files.conftest import MakeSettings


async def test_a_server_forgets_old_requests_or_says_that_it_does_not(
    make_settings: MakeSettings, caplog: pytest.LogCaptureFixture
) -> None:
    """ID-03: with the follower role, which is not given here."""
    async with running(make_settings()):
        assert "remembered for ever" in caplog.text
