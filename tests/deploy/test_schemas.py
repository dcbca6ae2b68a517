"""Every manifest is one that Kubernetes takes, in every version that is served."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Any, Final

import kubernetes_validate
import pytest
from deploy.rendering import CHOICES, OVERLAYS, Manifest, base_with, overlay

VERSIONS: Final = tuple(f"1.{minor}" for minor in range(28, 38))


def refused(manifest: Manifest, version: str) -> str | None:
    """Why a version of Kubernetes does not take an object, unknown fields included."""
    try:
        kubernetes_validate.validate(manifest, version, strict=True)
    except kubernetes_validate.ValidationError as error:
        return f"{manifest['kind']}/{manifest['metadata']['name']}: {error.message}"
    return None


@pytest.fixture(scope="module")
def all_manifests(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Manifest]:
    """What differs, of all overlays and all choices of components."""
    folders = [tmp_path_factory.mktemp("choice") for _ in CHOICES]
    with ThreadPoolExecutor(2) as programs:
        renderings = [*programs.map(overlay, OVERLAYS), *programs.map(base_with, CHOICES, folders)]
    assert len(renderings) == len(OVERLAYS) + len(CHOICES) > 2
    different = {json.dumps(it, sort_keys=True): it for rendering in renderings for it in rendering}
    return tuple(different.values())


@pytest.mark.parametrize("version", VERSIONS)
def test_kubernetes_takes_every_manifest_of_every_overlay_and_choice_of_components(
    version: str, all_manifests: Sequence[Manifest]
) -> None:
    assert [reason for it in all_manifests if (reason := refused(it, version))] == []


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:  # noqa: ANN401 - YAML
    """Where a manifest has an object of the schema, in which a field can be misspelt."""
    if isinstance(value, dict):
        yield path
        for name, below in value.items():
            if name not in FREE:
                yield from places(below, (*path, name))
    if isinstance(value, list):
        for number, below in enumerate(value):
            yield from places(below, (*path, number))


FREE: Final = {
    "labels",
    "annotations",
    "matchLabels",
    "nodeSelector",
    "requests",
    "limits",
    "data",
    "stringData",
    "selector",
}
"""Whose names are free."""


def test_a_misspelt_field_is_refused_wherever_it_stands() -> None:
    tried = set()
    for manifest in overlay("production"):
        for path in places(manifest):
            kind_of_place = (manifest["kind"], *("*" if isinstance(step, int) else step for step in path))
            if kind_of_place in tried:
                continue
            tried.add(kind_of_place)
            wrong = deepcopy(dict(manifest))
            at: Any = wrong
            for step in path:
                at = at[step]
            at["misspelt"] = "x"
            assert refused(wrong, VERSIONS[-1]) is not None, kind_of_place
    assert len(tried) > 100


def test_a_value_that_is_none_is_refused() -> None:
    (job,) = (it for it in overlay("trial") if it["kind"] == "Job" and it["metadata"]["name"] == "files-migration")
    wrong = deepcopy(dict(job))
    wrong["spec"]["template"]["spec"]["restartPolicy"] = ["OnFailure"]
    assert refused(wrong, VERSIONS[-1]) is not None
