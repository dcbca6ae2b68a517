"""Settings: the environment, then the service's section of the file, then the defaults."""

from datetime import timedelta
from pathlib import Path

import pytest
from lattice_chassis.settings import Duration, ServiceSettings
from pydantic import BaseModel, ValidationError


class Entry(BaseModel):
    key: str
    on: bool = True


class ProbeSettings(ServiceSettings, section="probe"):
    lease: Duration = timedelta(seconds=45)
    registry: tuple[Entry, ...] = ()


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "lattice.toml"
    monkeypatch.setenv("LATTICE_CONFIG", str(file))
    monkeypatch.setenv("LATTICE_PROBE_DATABASE_URL", "postgresql+aiopg://probe:secret@localhost/probe")
    return file


def test_the_environment_comes_before_the_file_and_the_file_before_the_default(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text('[probe]\nlisten = "127.0.0.1:7001"\nlease = "30s"\n[other]\nlisten = "127.0.0.1:9"\n')
    monkeypatch.setenv("LATTICE_PROBE_LISTEN", "127.0.0.1:7002")
    settings = ProbeSettings.read()
    assert (settings.listen, settings.lease, settings.grace) == (
        "127.0.0.1:7002",
        timedelta(seconds=30),
        timedelta(seconds=10),
    )


def test_tables_within_the_section_become_objects(config: Path) -> None:
    config.write_text('[[probe.registry]]\nkey = "files:wordcraft"\non = false\n')
    assert ProbeSettings.read().registry == (Entry(key="files:wordcraft", on=False),)


def test_a_misspelt_setting_in_the_file_is_refused(config: Path) -> None:
    config.write_text('[probe]\nlesae = "30s"\n')
    with pytest.raises(ValidationError, match="lesae"):
        ProbeSettings.read()


def test_a_secret_does_not_show_when_settings_are_printed(config: Path) -> None:
    config.write_text("")
    assert "secret" not in repr(ProbeSettings.read())


def test_without_a_file_the_environment_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LATTICE_CONFIG", raising=False)
    monkeypatch.setenv("LATTICE_PROBE_DATABASE_URL", "postgresql+aiopg://localhost/probe")
    assert ProbeSettings.read().lease == timedelta(seconds=45)


@pytest.mark.parametrize(
    ("written", "length"),
    [
        ("250ms", timedelta(milliseconds=250)),
        ("1.5s", timedelta(seconds=1.5)),
        ("30min", timedelta(minutes=30)),
        ("8h", timedelta(hours=8)),
        ("7d", timedelta(days=7)),
        ("PT20S", timedelta(seconds=20)),
    ],
)
def test_a_length_of_time_is_written_with_its_unit(config: Path, written: str, length: timedelta) -> None:
    config.write_text(f'[probe]\nlease = "{written}"\n')
    assert ProbeSettings.read().lease == length


@pytest.mark.parametrize("written", ['"soon"', '"30 parsecs"', '"30"', "30"])
def test_a_length_of_time_without_a_unit_is_refused(config: Path, written: str) -> None:
    config.write_text(f"[probe]\nlease = {written}\n")
    with pytest.raises(ValidationError):
        ProbeSettings.read()
