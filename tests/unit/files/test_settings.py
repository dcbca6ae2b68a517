"""What the service can be told."""

import os
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_files.domain.limits import Limits
from lattice_files.domain.policies import WritePolicy
from lattice_files.settings import AppSettings, FilesSettings
from pydantic import ValidationError

GIVEN = {"database_url": "postgresql+aiopg://files@db/files", "blobs_url": "/blobs"}


def test_the_figures_of_the_domain_are_the_defaults() -> None:
    """L-05, L-06."""
    settings = FilesSettings.model_validate(GIVEN)
    assert settings.limits() == Limits()
    assert [app.name for app in settings.apps] == ["wordcraft"]
    assert settings.integrations is None
    assert settings.spool == Path(tempfile.gettempdir()) / f"lattice-files-{os.geteuid()}"


def test_lengths_policies_and_apps_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """AT-06, N-40: each has its unit or its own words."""
    given = {
        "DATABASE_URL": GIVEN["database_url"],
        "BLOBS_URL": "/blobs",
        "CHECK_OUT": "10min",
        "WRITE_POLICIES": '{"native_docx": "propose"}',
        "APPS": '[{"name": "other", "command": ["python", "-m", "other"]}]',
    }
    for name, value in given.items():
        monkeypatch.setenv(f"LATTICE_FILES_{name}", value)
    settings = FilesSettings()  # type: ignore[call-arg]  # the environment has them
    assert settings.limits().check_out == timedelta(minutes=10)
    assert settings.write_policies == {"native_docx": WritePolicy.PROPOSE}
    assert [app.name for app in settings.apps] == ["other"]


def test_a_peer_without_an_address_is_refused_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """I-05, MP-35: a variable that a script left empty does not pass for a deployment in which every app is on."""
    monkeypatch.setenv("LATTICE_FILES_INTEGRATIONS", "")
    with pytest.raises(ValidationError, match="integrations"):
        FilesSettings.model_validate(GIVEN)


def test_a_bare_command_is_found_beside_this_python_before_the_path() -> None:
    """N-27: a service started by its full path finds the app of its own installation."""
    beside = Path(sys.executable)
    command = AppSettings(name="it", command=(beside.name, "-V")).program().command
    assert command == (str(beside.parent / beside.name), "-V")
    assert AppSettings(name="it", command=("no-such-program",)).program().command == ("no-such-program",)
