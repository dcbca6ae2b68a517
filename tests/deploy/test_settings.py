"""What manifests and Compose tell the programs is what the programs' settings know, and all that they want."""

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path, PurePosixPath
from typing import Final, get_args

import obstore
import pytest
from deploy.containers import IMAGES, UNKNOWN, Container, image, of_compose, of_overlay
from deploy.rendering import OVERLAYS, ROOT, named, overlay
from lattice_agent.settings import AgentSettings
from lattice_chassis.readiness import READY
from lattice_chassis.settings import ServerSettings, ServiceSettings
from lattice_chassis.telemetry import TRACE_FILE_VARIABLE
from lattice_files.settings import FilesSettings
from lattice_integrations.settings import IntegrationsSettings
from lattice_wordcraft.settings import WordCraftSettings
from opentelemetry.sdk import environment_variables as otel
from pydantic import BaseModel
from pydantic_ai.providers import anthropic, openai

SETTINGS: Final[Mapping[str, type[ServerSettings]]] = {
    "integrations": IntegrationsSettings,
    "files": FilesSettings,
    "agent": AgentSettings,
    "wordcraft": WordCraftSettings,
}
OF_S3: Final = Path(obstore.__file__).with_name("_store").joinpath("_aws.pyi").read_text()
WORKER_BYTES: Final = 200 * 2**20
"""What a worker takes by itself with its caches, as measured."""
SERVICES: Final = ("integrations", "files", "agent")
PEERS: Final = {"files": "integrations", "agent": "files"}
"""Whom each service calls."""

ALL: Final = (*(it for name in OVERLAYS for it in of_overlay(name)), *of_compose())
DEPLOYMENTS: Final = (*OVERLAYS, "compose")


def each(containers: Iterable[Container]) -> pytest.MarkDecorator:
    """Claims something of each of some containers."""
    return pytest.mark.parametrize(
        "container", [pytest.param(it, id=f"{it.deployment}/{it.where}") for it in containers]
    )


def test_every_image_is_deployed_and_looked_at() -> None:
    for deployment in DEPLOYMENTS:
        assert {it.image for it in ALL if it.deployment == deployment} == set(IMAGES)


def names_of(model: type[BaseModel], prefix: str) -> Iterator[str]:
    """The variables that a settings class reads."""
    for name, field in model.model_fields.items():
        alias = field.validation_alias
        variable = alias if isinstance(alias, str) else f"{prefix}{name}".upper()
        yield variable
        for nested in (field.annotation, *get_args(field.annotation)):
            if inspect.isclass(nested) and issubclass(nested, BaseModel):
                yield from names_of(nested, f"{variable}__")
            elif hasattr(nested, "__dataclass_fields__"):
                yield from (f"{variable}__{it}".upper() for it in nested.__dataclass_fields__)


def known_to(container: Container) -> set[str]:
    """The variables that the program of a container, or a library in it, reads."""
    settings = SETTINGS[container.image]
    ours = set(names_of(settings, settings.model_config["env_prefix"])) | {TRACE_FILE_VARIABLE}
    telemetry = {name for name in vars(otel) if name.startswith("OTEL_")}
    libraries: dict[str, set[str]] = {
        "files": {
            f"AWS_{name.removeprefix('aws_')}".upper() for name in re.findall(r"^    (\w+): ", OF_S3, re.MULTILINE)
        },
        "agent": set(re.findall(r"[A-Z]+_API_KEY", inspect.getsource(anthropic) + inspect.getsource(openai))),
    }
    return ours | telemetry | libraries.get(container.image, set())


@each(ALL)
def test_every_variable_is_one_that_the_program_reads(container: Container) -> None:
    named_by_others = set(re.findall(r"\$\((\w+)\)", json.dumps(container.written)))
    assert set(container.environment) - known_to(container) - named_by_others == set()


def test_a_misspelt_variable_is_noticed() -> None:
    container = next(it for it in ALL if it.image == "files")
    assert "LATTICE_FILES_CREDENTIAL__KEY" in known_to(container)
    assert not {"LATTICE_FILES_CREDENTIAL_KEY", "LATTICE_FILE_LISTEN", "LATTICE_AGENT_LISTEN", "AWS_KEY"} & known_to(
        container
    )


def read(container: Container, monkeypatch: pytest.MonkeyPatch) -> ServerSettings:
    """The settings that a container's program reads."""
    for name in [*os.environ]:
        if name.startswith("LATTICE_"):
            monkeypatch.delenv(name)
    settings = SETTINGS[container.image]
    environment = dict(container.environment)
    if container.deployment == "compose":  # tools/trial_secrets.py writes these into files of their own
        urls = {
            name for name in names_of(settings, settings.model_config["env_prefix"]) if name.endswith("DATABASE_URL")
        }
        environment |= dict.fromkeys(urls, UNKNOWN)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return settings.read()


@each(ALL)
def test_the_program_can_be_told_what_it_is_told_and_misses_nothing(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pydantic refuses values that are none, unknown names within a group, and a required one that is not there."""
    read(container, monkeypatch)


@each(ALL)
def test_the_program_and_its_arguments_exist(container: Container) -> None:
    assert not understood("lattice-sidecar", "server")
    scripts = {
        it.name for it in entry_points(group="console_scripts") if it.dist and it.dist.name.startswith("lattice")
    }
    program, *arguments = container.program
    assert program in scripts
    if "--" in arguments:
        at = arguments.index("--")
        assert arguments[at + 1] in scripts
        arguments = arguments[:at]
    assert understood(program, *arguments)


@cache
def understood(program: str, *arguments: str) -> bool:
    """Whether a program takes these arguments."""
    command = [str(Path(sys.executable).with_name(program)), *arguments, "--help"]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_a_migration_is_run_for_each_service_as_the_owner_of_its_database() -> None:
    for deployment in OVERLAYS:
        migrations = [it for it in ALL if it.deployment == deployment and it.arguments == ["migrate"]]
        assert {it.image: it.secrets for it in migrations} == {
            service: {(f"{service}-database", "owner-url")} for service in SERVICES
        }


@each(it for it in ALL if it.serves and it.pod)
def test_ports_and_probes_are_where_the_program_listens(container: Container, monkeypatch: pytest.MonkeyPatch) -> None:
    """TL-01: the kubelet's probes show no certificate. Liveness asks for the process, readiness for its database."""
    settings = read(container, monkeypatch)
    assert isinstance(settings, ServiceSettings)
    assert settings.health_port is not None
    ports = {it["name"]: it["containerPort"] for it in container.written["ports"]}
    assert ports == {"grpc": port_of(settings.listen), "health": port_of(settings.health_port)}
    for probe, asked in (("startupProbe", None), ("livenessProbe", None), ("readinessProbe", READY)):
        grpc = container.written[probe]["grpc"]
        assert (grpc["port"], grpc.get("service")) == (ports["health"], asked)
    service = named(overlay(container.deployment), "Service", container.image)["spec"]
    assert (service["clusterIP"], service["selector"]) == ("None", {"lattice/service": container.image})
    assert [(it["port"], it["targetPort"]) for it in service["ports"]] == [(ports["grpc"], "grpc")]


@each(it for it in ALL if it.serves and it.pod)
def test_clients_look_for_new_pods_and_a_pod_has_the_time_that_it_takes_to_end(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = read(container, monkeypatch)
    assert settings.max_connection_age is not None
    lengths = [settings.notice, settings.grace]
    if isinstance(settings, AgentSettings):
        lengths.append(settings.run_grace)
    drained = sum(it.total_seconds() for it in lengths)
    assert drained + 5 <= container.pod["terminationGracePeriodSeconds"] <= drained + 30


def port_of(address: str) -> int:
    """The port of an address."""
    return int(address.rpartition(":")[2])


@each(it for it in ALL if it.serves and it.image in PEERS)
def test_peers_are_dialled_by_the_name_and_port_where_they_are(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = PEERS[container.image]
    (peer,) = (it for it in ALL if it.serves and (it.deployment, it.image) == (container.deployment, name))
    address: str = getattr(read(container, monkeypatch), name)
    assert address.removeprefix("dns:///") == f"{name}:{port_of(read(peer, monkeypatch).listen)}"


@each(ALL)
def test_every_path_that_a_program_is_told_lies_where_something_is_laid_in(container: Container) -> None:
    told = "\n".join([*container.environment.values(), *container.program])
    for path in set(re.findall(r"(?<![\w:./-])(?:file://)?(/(?:etc|var|run|tmp)[\w./-]*)", told)):
        assert any(PurePosixPath(path).is_relative_to(mount) for mount in container.mounts), path
    assert "/tmp" in container.mounts  # noqa: S108 - a folder of the container


@pytest.mark.parametrize("deployment", DEPLOYMENTS)
def test_files_and_the_sidecar_meet_at_one_socket(deployment: str) -> None:
    """SE-07: and the sidecar has no secret."""
    containers = [it for it in ALL if it.deployment == deployment]
    (files,) = (it for it in containers if it.image == "files" and it.serves)
    (wordcraft,) = (it for it in containers if it.image == "wordcraft")
    (app,) = json.loads(files.environment["LATTICE_FILES_APPS"])
    verb, socket, *_ = wordcraft.program[1:]
    assert (verb, app["command"]) == ("serve", ["lattice-sidecar", "reach", socket])
    folder = str(PurePosixPath(socket).parent)
    assert files.mounts[folder] == wordcraft.mounts[folder]
    assert not wordcraft.secrets
    assert not [it for it in wordcraft.mounts.values() if it.startswith("secret") or "TRIAL" in it]


@pytest.mark.parametrize("deployment", OVERLAYS)
def test_the_sidecar_has_room_for_all_that_its_programs_may_take(
    deployment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SE-07: what a document makes too large is killed alone, before the container is with all that it does."""
    (files,) = (it for it in ALL if it.deployment == deployment and it.image == "files" and it.serves)
    (wordcraft,) = (it for it in ALL if it.deployment == deployment and it.image == "wordcraft")
    of_files, of_each = read(files, monkeypatch), read(wordcraft, monkeypatch)
    assert isinstance(of_files, FilesSettings)
    assert isinstance(of_each, WordCraftSettings)
    worker = (of_each.engine_hosts + of_each.drawing_programs) * of_each.program_memory + WORKER_BYTES
    limit = wordcraft.written["resources"]["limits"]["memory"]
    assert limit.endswith("Gi")
    assert of_files.app_slots * worker < int(limit.removesuffix("Gi")) * 2**30


@each(it for it in ALL if it.pod)
def test_containers_run_as_the_user_of_their_image(container: Container) -> None:
    context = {**container.pod["securityContext"], **container.written["securityContext"]}
    assert context["runAsUser"] == image(container.image).user
    assert len({image(name).user for name in IMAGES}) == len(IMAGES)


def test_every_secret_that_is_named_is_in_the_readme_with_its_keys() -> None:
    text = (ROOT / "deploy/README.md").read_text()
    rows = dict(re.findall(r"^\| `([\w<>-]+)` \| ([^|]+) \|", text, re.MULTILINE))
    for container in ALL:
        for secret, key in container.secrets:
            assert f"`{key}`" in rows[of_any(secret)], (secret, key)
        for mounted in container.mounts.values():
            if mounted.startswith("secret "):
                assert of_any(mounted.removeprefix("secret ")) in rows


def of_any(secret: str) -> str:
    """The name of a secret that each service has one of, as the README has it."""
    return re.sub("^(integrations|files|agent)-", "<service>-", secret)


@each(it for it in ALL if it.serves)
def test_issuers_are_believed_for_what_they_may_say_and_no_further(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SE-01, MP-32: people's issuer speaks for no agent, agent's own for no person."""
    issuers = read(container, monkeypatch).auth.issuers
    assert issuers
    for issuer in issuers:
        assert issuer.kinds <= {"user", "external_agent"} or issuer.kinds <= {"agent", "service"}


def test_who_signs_is_believed_where_it_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """MP-32."""
    for deployment in DEPLOYMENTS:
        services = {it.image: read(it, monkeypatch) for it in ALL if it.deployment == deployment and it.serves}
        for caller, called in PEERS.items():
            own = services[caller].credential
            assert own is not None
            believed = {(it.issuer, it.audience) for it in services[called].auth.issuers}
            assert (own.issuer, own.audience) in believed
