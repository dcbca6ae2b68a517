"""Every pod is one that the pod security standard "restricted" lets in, and asks for nothing that it does not need."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

import pytest
from deploy.rendering import COMPONENTS, OVERLAYS, base_with, overlay, pods

VOLUMES: Final = {
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "persistentVolumeClaim",
    "projected",
    "secret",
}
PODS: Final = [pytest.param(pod, id=f"{name}/{where}") for name in OVERLAYS for where, pod in pods(overlay(name))]


HARMLESS: Final = {
    *("allowPrivilegeEscalation", "capabilities", "readOnlyRootFilesystem"),
    *("runAsNonRoot", "runAsUser", "runAsGroup", "seccompProfile"),
}


def objections(pod: Mapping[str, Any]) -> Iterator[str]:
    """What the standard, as Kubernetes 1.37 states it, has against a pod; and what we have besides."""
    yield from (it for it in ("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace") if pod.get(it))
    if pod.get("securityContext", {}).keys() & {"sysctls", "seLinuxOptions", "appArmorProfile", "windowsOptions"}:
        yield "options of the host"
    if pod.get("automountServiceAccountToken") is not False:
        yield "a token of a service account"
    for volume in pod.get("volumes", ()):
        if not (volume.keys() - {"name"}) <= VOLUMES or "sizeLimit" not in volume.get("emptyDir", {"sizeLimit": None}):
            yield f"volume {volume['name']}"
    for it in (*pod["containers"], *pod.get("initContainers", ())):
        yield from (f"{it['name']}: {what}" for what in objections_to(it, pod.get("securityContext", {})))


def objections_to(container: Mapping[str, Any], of_pod: Mapping[str, Any]) -> Iterator[str]:
    """The same of one container."""
    own = container.get("securityContext", {})
    both = {**of_pod, **own}
    wanted = {
        "privilege escalation": own.get("allowPrivilegeEscalation") is False,
        "capabilities": own.get("capabilities") == {"drop": ["ALL"]},
        "root": both.get("runAsNonRoot") is True and both.get("runAsUser", 0) != 0,
        "seccomp": both.get("seccompProfile") == {"type": "RuntimeDefault"},
        "a root file system that can be written": own.get("readOnlyRootFilesystem") is True,
        "more than is known to be harmless": own.keys() <= HARMLESS,
        "ports of the host": not any("hostPort" in port for port in container.get("ports", ())),
        "requests": {"cpu", "memory"} <= container["resources"]["requests"].keys(),
        "limits": "memory" in container["resources"]["limits"],
    }
    return (what for what, holds in wanted.items() if not holds)


@pytest.mark.parametrize("pod", PODS)
def test_every_pod_is_restricted(pod: Mapping[str, Any]) -> None:
    """SE-07."""
    assert list(objections(pod)) == []


def test_the_namespace_of_an_overlay_lets_no_other_pod_in() -> None:
    for name in OVERLAYS:
        (namespace,) = (it for it in overlay(name) if it["kind"] == "Namespace")
        assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
        assert {it["metadata"].get("namespace") for it in overlay(name) if it["kind"] != "Namespace"} == {
            namespace["metadata"]["name"]
        }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (("containers", 0, "securityContext", "allowPrivilegeEscalation"), True),
        (("containers", 0, "securityContext", "capabilities"), {"drop": ["ALL"], "add": ["SYS_ADMIN"]}),
        (("containers", 0, "securityContext", "readOnlyRootFilesystem"), False),
        (("containers", 0, "securityContext", "privileged"), True),
        (("securityContext", "runAsNonRoot"), False),
        (("securityContext", "runAsUser"), 0),
        (("securityContext", "seccompProfile"), {"type": "Unconfined"}),
        (("hostNetwork",), True),
        (("volumes", 0), {"name": "tmp", "hostPath": {"path": "/"}}),
        (("volumes", 0), {"name": "tmp", "emptyDir": {}}),
    ],
)
def test_a_pod_that_asks_for_more_is_noticed(field: tuple[str | int, ...], value: object) -> None:
    _, found = next(pods(overlay("production")))
    pod: Any = deepcopy(dict(found))
    at = pod
    for step in field[:-1]:
        at = at[step]
    at[field[-1]] = value
    assert list(objections(pod))


def test_no_secret_stands_in_a_manifest(tmp_path_factory: pytest.TempPathFactory) -> None:
    """SE-01: by reference only."""
    everything = [overlay(name) for name in OVERLAYS]
    everything.append(base_with(COMPONENTS, tmp_path_factory.mktemp("all")))
    for manifests in everything:
        assert [it["metadata"]["name"] for it in manifests if it["kind"] == "Secret"] == []
        for _, pod in pods(manifests):
            for container in pod["containers"]:
                for it in container.get("env", ()):
                    if it["name"].endswith(("_PASSWORD", "_URL", "_KEY", "_KEY_ID")) and "value" in it:
                        assert it["name"] == "LATTICE_FILES_BLOBS_URL" or it["value"].startswith("/etc/lattice/"), it


def test_calls_go_one_way() -> None:
    """What may be reached from where: agent files, files integrations, agent's pods each other, and no other peer."""
    for name in OVERLAYS:
        policies = [it for it in overlay(name) if it["kind"] == "NetworkPolicy"]
        denied = [it for it in policies if it["spec"]["podSelector"] == {} and "egress" not in it["spec"]]
        assert [it["spec"]["policyTypes"] for it in denied] == [["Ingress", "Egress"]]
        assert not any("ingress" in it["spec"] for it in denied)
        assert all(rule.get("from") for it in policies for rule in it["spec"].get("ingress", ())), "from anywhere"
        assert (
            edges(policies, "ingress")
            == edges(policies, "egress")
            == {
                ("files", "integrations"),
                ("agent", "files"),
                ("agent", "agent"),
            }
        )


OUTSIDE: Final = {
    "names": {("UDP", 53), ("TCP", 53)},
    "to-database": {("TCP", 5432)},
    "to-https": {("TCP", 443)},
    "to-collector": {("TCP", 4317)},
}
"""What pods reach besides each other, by policy: what has no name within the cluster is told by its ports."""


def test_nothing_else_is_reached() -> None:
    """A rule without peers lets its ports through to everywhere, and one without ports everything."""
    for name in OVERLAYS:
        for it in (it for it in overlay(name) if it["kind"] == "NetworkPolicy"):
            for rule in it["spec"].get("egress", ()):
                ports = {(port["protocol"], port["port"]) for port in rule["ports"]}
                if it["metadata"]["name"] in OUTSIDE:
                    assert ports == OUTSIDE[it["metadata"]["name"]]
                else:
                    assert rule.get("to"), it["metadata"]["name"]
                    assert ports == {("TCP", "grpc")}, it["metadata"]["name"]


def edges(policies: list[Mapping[str, Any]], way: str) -> set[tuple[str, str]]:
    """Caller and called, as the policies of one way let them."""
    found = set()
    for it in policies:
        own = it["spec"]["podSelector"].get("matchLabels", {}).get("lattice/service")
        for rule in it["spec"].get(way, ()):
            for peer in rule.get("from" if way == "ingress" else "to", ()):
                other = peer.get("podSelector", {}).get("matchLabels", {}).get("lattice/service")
                if own is not None and other is not None:
                    found.add((other, own) if way == "ingress" else (own, other))
    return found
