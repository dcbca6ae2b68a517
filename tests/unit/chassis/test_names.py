"""Resource names, and the one place where their tenant is checked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice.type.v1.actor_pb2 import Actor, UserActor
from lattice_chassis.errors import Forbidden, ValidationFailed
from lattice_chassis.identity import Identity, acting_as
from lattice_chassis.names import (
    ArtifactName,
    ProposalName,
    RevisionName,
    RunName,
    ThreadName,
    WorkspaceName,
    workspace_of,
)

IDS = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=200)
ALICE = Identity(tenant="acme", actor=Actor(user=UserActor(id="alice")))


@given(tenant=IDS, workspace=IDS, artifact=IDS, revision=IDS)
def test_a_name_reads_back_as_it_was_written(tenant: str, workspace: str, artifact: str, revision: str) -> None:
    """VO-08: any non-empty id without a slash or a NUL is valid."""
    name = RevisionName(tenant, workspace, artifact, revision)
    assert RevisionName.parse(str(name)) == name


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (WorkspaceName, "tenants/acme/workspaces/main"),
        (ArtifactName, "tenants/acme/workspaces/main/artifacts/art_1"),
        (RevisionName, "tenants/acme/workspaces/main/artifacts/art_1/revisions/3"),
        (ProposalName, "tenants/acme/workspaces/main/proposals/prp_1"),
        (ThreadName, "tenants/acme/workspaces/main/threads/thr_1"),
        (RunName, "tenants/acme/workspaces/main/runs/run_1"),
    ],
)
def test_each_kind_reads_its_own_names_only(kind: type[WorkspaceName], name: str) -> None:
    assert str(kind.parse(name)) == name
    assert kind.parse(name).workspace_name == WorkspaceName("acme", "main")
    kinds: set[type[WorkspaceName]] = {WorkspaceName, ArtifactName, RevisionName, ProposalName, ThreadName, RunName}
    for other in kinds - {kind}:
        with pytest.raises(ValidationFailed):
            other.parse(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "tenants/acme",
        "tenants//workspaces/main",
        "tenants/acme/workspaces/",
        "tenants/acme/workspaces/main/",
        "/tenants/acme/workspaces/main",
        "Tenants/acme/workspaces/main",
        "tenants/acme/workspaces/" + "x" * 201,
    ],
)
def test_a_name_of_another_shape_is_refused(name: str) -> None:
    """VO-08: ids have 1 to 200 characters and no slash."""
    with pytest.raises(ValidationFailed):
        WorkspaceName.parse(name)


def test_the_name_of_anything_leads_to_its_workspace() -> None:
    with acting_as(ALICE):
        assert workspace_of("tenants/acme/workspaces/main/artifacts/art_1") == WorkspaceName("acme", "main")
        assert workspace_of("tenants/acme/workspaces/main") == WorkspaceName("acme", "main")


@pytest.mark.parametrize("name", ["tenants/other/workspaces/main", "tenants/other/workspaces/main/artifacts/art_1"])
def test_a_name_of_another_tenant_is_forbidden_whether_or_not_it_exists(name: str) -> None:
    """TN-01: a cross-tenant query cannot be expressed."""
    with acting_as(ALICE), pytest.raises(Forbidden):
        workspace_of(name)


def test_a_name_without_a_workspace_leads_nowhere() -> None:
    with acting_as(ALICE), pytest.raises(ValidationFailed):
        workspace_of("artifacts/art_1")
