"""Requests that do not fit their contract are refused with every fault, and no handler hears of them."""

from typing import TYPE_CHECKING

import grpc
import pytest
from lattice_chassis.interceptors.shape import prepare

if TYPE_CHECKING:
    from service.chassis.rpc.conftest import Compiled, Probe, Refused


WORKSPACE = "tenants/acme/workspaces/main"


def whole(pb: "Compiled") -> "Compiled":
    """A request with all that is required, and no more."""
    return pb.CheckRequest(
        name=WORKSPACE,
        number=1,
        counted=0,
        colour=pb.COLOUR_RED,
        content=b"x",
        part=pb.Part(id="a"),
        parts=[pb.Part(id="b")],
    )


async def faults(probe: "Probe", refused: "Refused", request: "Compiled") -> dict[str, str]:
    refusal = await refused(probe.stub.Check(request))
    assert refusal.reason == "VALIDATION_FAILED"
    (detail,) = refusal.details
    return {it.field: it.description for it in detail.field_violations}  # type: ignore[attr-defined]


async def test_a_request_with_all_that_is_required_passes(probe: "Probe") -> None:
    """A false flag and an explicit zero are values like any other."""
    await probe.stub.Check(whole(probe.pb))


async def test_every_missing_field_is_named_at_once(probe: "Probe", refused: "Refused") -> None:
    found = await faults(probe, refused, probe.pb.CheckRequest())
    assert set(found) == {"name", "number", "counted", "colour", "content", "part", "parts"}
    assert set(found.values()) == {"is required"}


@pytest.mark.parametrize("field", ["name", "number", "counted", "colour", "content", "part", "parts"])
async def test_each_required_field_counts_by_itself(probe: "Probe", refused: "Refused", field: str) -> None:
    request = whole(probe.pb)
    request.ClearField(field)
    assert await faults(probe, refused, request) == {field: "is required"}


async def test_messages_within_are_checked_by_their_path(probe: "Probe", refused: "Refused") -> None:
    pb, request = probe.pb, whole(probe.pb)
    request.part.ClearField("id")
    request.parts.add(inner=pb.Part())
    request.named["x"].SetInParent()
    assert set(await faults(probe, refused, request)) == {"part.id", "parts[1].id", "parts[1].inner.id", "named[x].id"}


async def test_no_text_holds_a_nul_wherever_it_is(probe: "Probe", refused: "Refused") -> None:
    """No database stores it, so it would fail late and as our fault."""
    request = whole(probe.pb)
    request.part.id = "a\0"
    request.note = "\0"
    fault = "holds a NUL character"
    assert await faults(probe, refused, request) == {"part.id": fault, "note": fault}


async def test_what_only_answers_carry_is_not_checked(probe: "Probe") -> None:
    request = whole(probe.pb)
    request.answered.SetInParent()
    await probe.stub.Check(request)


@pytest.mark.parametrize(
    "name", ["main", "tenants/acme", "tenants/acme/workspaces/main/artifacts/a", "tenants//workspaces/m"]
)
async def test_a_name_has_the_pattern_of_its_resource(probe: "Probe", refused: "Refused", name: str) -> None:
    request = whole(probe.pb)
    request.name = name
    request.others.extend([WORKSPACE, name])
    form = "is not of the form tenants/{tenant}/workspaces/{workspace}"
    assert await faults(probe, refused, request) == {"name": form, "others[1]": form}


@pytest.mark.parametrize("method", ["Collect", "Echo", "EchoByHand"])
async def test_each_message_of_a_stream_is_checked(probe: "Probe", refused: "Refused", method: str) -> None:
    requests = iter([probe.pb.AskRequest(act="one"), probe.pb.AskRequest()])
    answered = getattr(probe.stub, method)(requests)

    async def read_on() -> None:
        if method == "Collect":
            await answered
        else:
            assert [it.told async for it in answered] == ["one"]

    assert (await refused(read_on())).reason == "VALIDATION_FAILED"


def test_a_contract_that_refers_to_a_resource_nobody_defines_stops_the_start(probe: "Probe") -> None:
    lost, _ = grpc.protos_and_services("lost.proto")
    with pytest.raises(LookupError, match="lattice/Nowhere"):
        prepare(lost.DESCRIPTOR.services_by_name["LostService"])


async def test_a_text_or_list_that_is_too_long_is_named(probe: "Probe", refused: "Refused") -> None:
    """SE-06: with the limits that hold where a contract says nothing else."""
    pb, request = probe.pb, whole(probe.pb)
    request.note = "x" * 10_000
    request.others.extend([WORKSPACE] * 1_000)
    await probe.stub.Check(request)
    request.note += "x"
    request.others.append(WORKSPACE)
    request.parts.extend([pb.Part(id="b")] * 1_000)
    assert await faults(probe, refused, request) == {
        "note": "has more than 10000 characters",
        "others": "has more than 1000 items",
        "parts": "has more than 1000 items",
    }
