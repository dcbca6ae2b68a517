"""What the commands of operators leave on record."""

import logging
import os

import pytest
from lattice_chassis.keeping import tell_reconciled, tell_unfinished
from lattice_chassis.postgres.erasure import Extent

NOBODY = 4_242_424


@pytest.fixture(autouse=True)
def _audited(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "lattice.audit")


def test_an_operator_without_a_name_is_told_by_number(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """ER-03: in a container programs run as a user whom nobody has named."""
    monkeypatch.setattr(os, "getuid", lambda: NOBODY)
    assert tell_reconciled("files", workspaces=3) == 0
    assert f"operator:{NOBODY}" in caplog.text
    assert capsys.readouterr().out == '{"service": "files", "workspaces": 3}\n'


def test_an_erasure_that_did_not_end_is_on_record_as_failed(caplog: pytest.LogCaptureFixture) -> None:
    """ER-03: or it could not be told from one that was killed half way."""
    with pytest.raises(SystemExit, match="writers remain"):
        tell_unfinished("files", Extent(tenant="acme", workspace="main"), "writers remain")
    assert "outcome 'failed'" in caplog.text
    assert "tenants/acme/workspaces/main" in caplog.text
