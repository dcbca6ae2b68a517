"""Settings: the environment, then the service's section of the file, then the defaults."""

from datetime import timedelta
from pathlib import Path

import pytest
from lattice_chassis.interceptors.rate import Rate
from lattice_chassis.settings import AuthSettings, CredentialSettings, Duration, Issuer, ServiceSettings
from lattice_chassis.transport import ServerTls
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


def test_the_rate_of_tenants_is_named_part_by_part(monkeypatch: pytest.MonkeyPatch, config: Path) -> None:
    """SE-06."""
    config.write_text("")
    assert ProbeSettings.read().rate is None
    monkeypatch.setenv("LATTICE_PROBE_RATE__PER_SECOND", "50")
    monkeypatch.setenv("LATTICE_PROBE_RATE__BURST", "200")
    assert ProbeSettings.read().rate == Rate(per_second=50, burst=200)


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


def test_what_is_told_of_a_wrong_setting_quotes_no_secret(config: Path) -> None:
    """The whole of what was given stands beside what is missing, and a program prints it as it fails to start."""

    class Needy(ProbeSettings, section="probe"):
        files: str

    config.write_text('[probe]\nlease = "soon"\n')
    with pytest.raises(ValidationError, match="files") as refused:
        Needy.read()
    assert "secret" not in str(refused.value)


class CalledSettings(ServiceSettings, section="probe"):
    auth: AuthSettings = AuthSettings()
    credential: CredentialSettings | None = None


def test_issuers_and_the_own_credential_come_from_the_environment(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SE-01: issuers as a JSON list, the key as a file."""
    config.touch()
    assert CalledSettings.read().auth.issuers == ()
    assert CalledSettings.read().credential is None
    issuers = (
        '[{"issuer": "https://idp.test", "audience": "lattice", "jwks": "https://idp.test/keys", "kinds": ["user"]},'
        ' {"issuer": "agent", "audience": "files", "jwks": "/etc/lattice/agent.json", "kinds": ["agent", "service"]}]'
    )
    monkeypatch.setenv("LATTICE_PROBE_AUTH__ISSUERS", issuers)
    monkeypatch.setenv("LATTICE_PROBE_AUTH__CLOCK_SKEW", "10s")
    monkeypatch.setenv("LATTICE_PROBE_CREDENTIAL__KEY", "/etc/lattice/key.pem")
    monkeypatch.setenv("LATTICE_PROBE_CREDENTIAL__ISSUER", "files")
    monkeypatch.setenv("LATTICE_PROBE_CREDENTIAL__AUDIENCE", "integrations")
    settings = CalledSettings.read()
    assert [sorted(it.kinds) for it in settings.auth.issuers] == [["user"], ["agent", "service"]]
    assert settings.auth.clock_skew == timedelta(seconds=10)
    assert settings.credential == CredentialSettings(
        key=Path("/etc/lattice/key.pem"), issuer="files", audience="integrations"
    )


@pytest.mark.parametrize(
    "change",
    [
        {"jwks": "file:///etc/passwd"},
        {"jwks": "ftp://idp.test/keys"},
        {"jwks": "https://"},
        {"jwks": "https://user:password@idp.test/keys"},
        {"jwks": "https://idp.test:99999/keys"},
        {"jwks": ""},
        {"issuer": ""},
        {"audience": ""},
        {"kinds": []},
        {"kinds": ["root"]},
        {"algorithms": ["none"]},
        {"algorithms": ["HS256"]},
        {"algorithms": []},
        {"secret": "x"},
    ],
)
def test_an_issuer_that_could_not_be_believed_is_refused_at_the_start(change: dict[str, object]) -> None:
    """SE-01: keys by https, http or a file alone, and no algorithm with a shared secret."""
    issuer = {"issuer": "i", "audience": "a", "jwks": "keys.json", "kinds": ["user"]}
    Issuer.model_validate(issuer)
    with pytest.raises(ValidationError):
        Issuer.model_validate({**issuer, **change})


def test_tls_is_named_file_by_file(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """TL-01: in the environment, in the file, or in both."""
    config.write_text('[probe.tls]\ncertificate = "/tls/tls.crt"\nkey = "/tls/tls.key"\n')
    monkeypatch.setenv("LATTICE_PROBE_TLS__CLIENT_CA", "/tls/ca.crt")
    assert ProbeSettings.read().tls == ServerTls(
        certificate=Path("/tls/tls.crt"), key=Path("/tls/tls.key"), client_ca=Path("/tls/ca.crt")
    )


def test_tls_without_a_certificate_is_refused(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """TL-04: a server of which only the clients' CA is named does not start without encryption."""
    config.write_text("")
    monkeypatch.setenv("LATTICE_PROBE_TLS__CLIENT_CA", "/tls/ca.crt")
    with pytest.raises(ValidationError, match=r"tls\.certificate"):
        ProbeSettings.read()
