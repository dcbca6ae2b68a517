"""The containers of a deployment in one form, be they of manifests or of Compose, and the images that they run."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

import yaml
from deploy.rendering import ROOT, Manifest, named, overlay, pods

IMAGES: Final = ("integrations", "files", "agent", "wordcraft")
COMPOSE: Final = ROOT / "deploy/compose/compose.yaml"
UNKNOWN: Final = "postgresql+aiopg://role:password@postgres/database"
"""Stands for what a secret or the cluster says; good for every variable that has such a source."""

_REFERENCE: Final = re.compile(r"\$\((\w+)\)")


@dataclass(frozen=True, kw_only=True)
class Image:
    """What a Containerfile says."""

    distribution: str
    user: int
    entrypoint: Sequence[str]
    command: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Container:
    """A container of one of our images."""

    deployment: str
    """The overlay, or `compose`."""
    where: str
    image: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    """With what secrets say as UNKNOWN, and config maps read."""
    secrets: frozenset[tuple[str, str]]
    """What it takes from secrets: their names and keys."""
    mounts: Mapping[str, str]
    """Folders and files that are laid in, and what is there: a secret, or a volume."""
    written: Mapping[str, Any]
    """The container as it is written."""
    pod: Mapping[str, Any]
    """The pod that it is in, as it is written; empty in Compose."""

    @property
    def serves(self) -> bool:
        """Whether it is a service."""
        return list(self.arguments) == ["serve"]

    @property
    def program(self) -> Sequence[str]:
        """What is run."""
        return (*image(self.image).entrypoint, *self.arguments)


@cache
def image(name: str) -> Image:
    """One of our images."""
    text = (ROOT / f"deploy/images/{name}.Containerfile").read_text()

    def said(instruction: str) -> list[str]:
        found = re.search(rf"^{instruction} (\[.*\])$", text, re.MULTILINE)
        words: list[str] = [] if found is None else json.loads(found[1])
        return words

    return Image(
        distribution=said("RUN")[-1],
        user=int(re.findall(r"^USER (\d+):\d+$", text, re.MULTILINE)[-1]),
        entrypoint=said("ENTRYPOINT"),
        command=said("CMD"),
    )


def image_of(reference: str) -> str | None:
    """Which of our images a container names; None for others'."""
    name = re.sub(r"[:@][^/]*$", "", reference).rpartition("/")[2].removeprefix("lattice-")
    return name if name in IMAGES else None


def of_overlay(name: str) -> Iterator[Container]:
    """Each container of ours in an overlay."""
    manifests = overlay(name)
    for where, pod in pods(manifests):
        volumes = {it["name"]: it for it in pod["volumes"]}
        for it in pod["containers"]:
            ours = image_of(it["image"])
            if ours is not None:
                told = {each["name"]: _value(each, manifests) for each in it.get("env", ())}
                yield Container(
                    deployment=name,
                    where=f"{where}/{it['name']}",
                    image=ours,
                    arguments=it.get("args", image(ours).command),
                    environment={key: _REFERENCE.sub(partial(_known, told), value) for key, value in told.items()},
                    secrets=frozenset(_secrets(it)),
                    mounts={each["mountPath"]: _source(volumes[each["name"]]) for each in it["volumeMounts"]},
                    written=it,
                    pod=pod,
                )


def of_compose() -> Iterator[Container]:
    """Each container of ours in the Compose file."""
    for name, it in yaml.safe_load(COMPOSE.read_text())["services"].items():
        ours = image_of(it["image"])
        if ours is not None:
            yield Container(
                deployment="compose",
                where=name,
                image=ours,
                arguments=it.get("command", image(ours).command),
                environment={key: str(value) for key, value in it.get("environment", {}).items()},
                secrets=frozenset(),
                mounts={_laid_in(mount): mount for mount in it.get("volumes", ())}
                | dict.fromkeys(it["tmpfs"], "tmpfs"),
                written=it,
                pod={},
            )


def _known(told: Mapping[str, str], found: re.Match[str]) -> str:
    return told[found[1]]


def _laid_in(mount: str) -> str:
    return mount.replace("${TRIAL:?}", "TRIAL").split(":")[1]


def _value(variable: Mapping[str, Any], manifests: Sequence[Manifest]) -> str:
    if "value" in variable:
        return str(variable["value"])
    source = variable["valueFrom"]
    if "configMapKeyRef" in source:
        reference = source["configMapKeyRef"]
        told: str = named(manifests, "ConfigMap", reference["name"])["data"][reference["key"]]
        return told
    return UNKNOWN if "secretKeyRef" in source else "metadata"


def _secrets(container: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for variable in container.get("env", ()):
        if reference := variable.get("valueFrom", {}).get("secretKeyRef"):
            yield reference["name"], reference["key"]


def _source(volume: Mapping[str, Any]) -> str:
    return f"secret {volume['secret']['secretName']}" if "secret" in volume else str(volume["name"])
