"""A service whose contract is not ours: access is decided by what its own function says that a call is about."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from lattice_chassis.authorization import current_permissions
from lattice_chassis.identity import Identity, development_metadata
from lattice_chassis.interceptors.foreign import ForeignContract
from lattice_chassis.server import Service
from service.chassis.rpc.conftest import rpc

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from lattice_chassis.interceptors.foreign import Metadata
    from service.chassis.rpc.conftest import Handlers, Probe, Refused


def _names(_caller: Identity, metadata: "Metadata", _message: "Message") -> Sequence[str]:
    return [str(value) for key, value in metadata if key == "about"]


@pytest.fixture
def service(handlers: "Handlers") -> Service[Any]:
    """This test's service, whose calls say by their metadata what they are about."""
    return Service(rpc.add_ProbeServiceServicer_to_server, handlers, ForeignContract(names=_names))


async def allowed(probe: "Probe", identity: Identity, *names: str) -> str:
    """The permissions of a caller whom the service answers."""

    async def told(_context: object) -> str:
        return " ".join(sorted(current_permissions()))

    probe.acts["may"] = told
    metadata = [*development_metadata(identity), *(("about", it) for it in names)]
    answer: Any = await probe.stub.Ask(probe.pb.AskRequest(act="may"), metadata=metadata)
    return str(answer.told)


HERE, THERE = "tenants/acme/workspaces/launch", "tenants/acme/workspaces/press"


async def test_access_is_decided_by_the_names_that_its_function_finds(
    probe: "Probe", refused: "Refused", alice: Identity
) -> None:
    """SE-02, TN-01, AMB-01: in all of them, and in none of another tenant."""
    editor = replace(alice, roles=frozenset({"launch/editor"}))
    assert await allowed(probe, editor, HERE) == "edit read review"
    closed: Mapping[str, Sequence[str]] = {
        "another workspace": [THERE],
        "one of two": [HERE, THERE],
        "another tenant": [HERE.replace("acme", "rival")],
    }
    for what, names in closed.items():
        assert (what, (await refused(allowed(probe, editor, *names))).reason) == (what, "FORBIDDEN")


@pytest.mark.parametrize("names", [[], ["launch"], ["tenants/acme"]], ids=str)
async def test_a_call_that_names_no_workspace_has_no_permission_at_all(
    probe: "Probe", alice: Identity, names: Sequence[str]
) -> None:
    """SE-02: not even what its caller may do in the whole tenant."""
    administrator = replace(alice, roles=frozenset({"administrator", "operator"}))
    assert await allowed(probe, administrator, *names) == ""
