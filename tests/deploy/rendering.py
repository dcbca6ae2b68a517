"""The manifests as kustomize renders them: each overlay, and the base with each choice of components."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).parents[2]
KUBERNETES: Final = ROOT / "deploy/kubernetes"
KUSTOMIZE: Final = ROOT / ".build/bin/kustomize"
OVERLAYS: Final = tuple(sorted(it.parent.name for it in KUBERNETES.glob("overlays/*/kustomization.yaml")))
COMPONENTS: Final = tuple(sorted(it.parent.name for it in KUBERNETES.glob("components/*/kustomization.yaml")))
CHOICES: Final = tuple(chain.from_iterable(combinations(COMPONENTS, n) for n in range(len(COMPONENTS) + 1)))

Manifest = Mapping[str, Any]


@cache
def overlay(name: str) -> Sequence[Manifest]:
    """The objects of an overlay."""
    return _rendered(KUBERNETES / "overlays" / name)


def base_with(components: Sequence[str], folder: Path) -> Sequence[Manifest]:
    """The objects of the base with some components; `folder` is empty and for this alone."""
    near = os.path.relpath(KUBERNETES.resolve(), folder.resolve())  # kustomize takes no absolute path
    own = {"resources": [f"{near}/base"], "components": [f"{near}/components/{it}" for it in components]}
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(own))
    return _rendered(folder)


def _rendered(folder: Path) -> Sequence[Manifest]:
    done = subprocess.run([KUSTOMIZE, "build", folder], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return tuple(yaml.load_all(done.stdout, yaml.CSafeLoader))


def pods(manifests: Sequence[Manifest]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The pods that workloads make, by kind and name of the workload."""
    for it in manifests:
        if "template" in it.get("spec", {}):
            yield f"{it['kind']}/{it['metadata']['name']}", it["spec"]["template"]["spec"]


def named(manifests: Sequence[Manifest], kind: str, name: str) -> Manifest:
    """One object; a name that kustomize made from its content has that name without its hash."""
    (found,) = (
        it
        for it in manifests
        if it["kind"] == kind and (it["metadata"]["name"] == name or it["metadata"]["name"].startswith(f"{name}-"))
    )
    return found
