"""What a server puts on record of its calls."""

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from lattice.type.v1.actor_pb2 import Actor, AgentActor
from lattice_chassis.errors import Forbidden
from lattice_chassis.identity import Identity
from lattice_chassis.interceptors import refusals
from lattice_chassis.interceptors.chain import ServerCall
from lattice_chassis.server import Service, serving
from opentelemetry.trace import SpanKind

if TYPE_CHECKING:
    from service.chassis.rpc.conftest import Probe, ProbeFactory, Refused, Spans
    from service.conftest import AuditRecord


async def forbid(_: object) -> str:
    raise Forbidden(why="the editor of a secret document may not")


async def test_a_refusal_by_permission_is_on_record(
    probe: "Probe", refused: "Refused", audit: "AuditRecord", spans: "Spans"
) -> None:
    """SE-01, SE-02: who, of which tenant, what, how it ended and in which trace."""
    probe.acts["secret words"] = forbid
    await refused(probe.ask("secret words"))
    served = await spans.named("/Ask", SpanKind.SERVER)
    (line,) = audit.lines
    assert {key: line[key] for key in line if key not in {"time", "message", "peer"}} == {
        "level": "INFO",
        "logger": "lattice.audit",
        "trace_id": f"{served.trace_id:032x}",
        "span_id": f"{served.span_id:016x}",
        "tenant": "acme",
        "participant": "user:alice",
        "rpc_method": "lattice.probe.v1.ProbeService/Ask",
        "outcome": "refused",
        "reason": "FORBIDDEN",
    }


async def test_a_refusal_is_on_record_before_its_caller_hears_of_it(
    probe: "Probe", refused: "Refused", audit: "AuditRecord", monkeypatch: pytest.MonkeyPatch
) -> None:
    """SE-02: or a server that is killed between the two would have refused without a trace."""
    on_record: list[int] = []
    refuse = refusals._refuse

    async def noticed(call: ServerCall, error: Exception) -> None:
        on_record.append(len(audit.lines))
        await refuse(call, error)

    monkeypatch.setattr(refusals, "_refuse", noticed)
    probe.acts["secret words"] = forbid
    await refused(probe.ask("secret words"))
    assert on_record == [1]


async def test_a_call_of_a_stranger_is_on_record(probe: "Probe", refused: "Refused", audit: "AuditRecord") -> None:
    """SE-01: nothing that it says of itself is."""
    sent = [("lattice-tenant", "acme"), ("lattice-actor", '{"nobody": "mallory"}'), ("authorization", "Bearer t0ken")]
    await refused(probe.ask("one", metadata=sent))
    (line,) = audit.lines
    assert (line["outcome"], line["reason"]) == ("refused", "UNAUTHENTICATED")
    assert {"tenant", "participant", "resource"}.isdisjoint(line)
    assert line["peer"].startswith("ipv4:127.0.0.1:")
    assert not any(it in json.dumps(line) + audit.texts[0] for it in ("acme", "mallory", "t0ken"))


async def test_no_argument_and_no_text_of_a_refusal_is_on_record(
    probe: "Probe", refused: "Refused", audit: "AuditRecord"
) -> None:
    """SE-05."""
    probe.acts["secret words"] = forbid
    await refused(probe.ask("secret words"))
    assert "secret" not in json.dumps(audit.lines) + audit.texts[0]


@pytest.mark.parametrize("reason", ["VALIDATION_FAILED", "NOT_IMPLEMENTED"])
async def test_what_is_let_through_or_refused_for_another_reason_is_no_matter_of_the_record(
    probe: "Probe", refused: "Refused", audit: "AuditRecord", reason: str
) -> None:
    """SE-02: the record of requests has it."""
    await probe.ask("one")
    asked = probe.ask("") if reason == "VALIDATION_FAILED" else probe.stub.Unserved(probe.pb.AskRequest(act="one"))
    assert (await refused(asked)).reason == reason
    assert audit.lines == []


@pytest.mark.parametrize("kind", ["Tell", "Collect", "Echo", "EchoByHand"])
async def test_streams_are_on_record_once(probe: "Probe", refused: "Refused", audit: "AuditRecord", kind: str) -> None:
    """SE-02."""
    probe.acts["no"] = forbid
    request = probe.pb.AskRequest(act="no")

    async def call() -> None:
        match kind:
            case "Tell":
                _ = [it async for it in probe.stub.Tell(request)]
            case "Collect":
                await probe.stub.Collect(iter([request, request]))
            case _:
                _ = [it async for it in getattr(probe.stub, kind)(iter([request, request]))]

    await refused(call())
    (line,) = audit.lines
    assert (line["rpc_method"].rpartition("/")[2], line["reason"]) == (kind, "FORBIDDEN")


class Delegated:
    """An authenticator for which everybody is the agent of one thread, working for alice."""

    loopback_only = True

    def __init__(self, alice: Identity) -> None:
        agent = Actor(agent=AgentActor(thread_id="thr_1", run_id="run_1"))
        self._agent = replace(alice, actor=agent, on_behalf_of=alice)

    async def authenticate(self, metadata: Iterable[tuple[str, str | bytes]], peer: str) -> Identity:
        return self._agent


async def test_the_person_for_whom_an_agent_works_is_on_record(
    service: Service[Any], connecting: "ProbeFactory", refused: "Refused", audit: "AuditRecord", alice: Identity
) -> None:
    """SE-08."""
    brief = timedelta(0)
    async with serving("127.0.0.1:0", [service], Delegated(alice), notice=brief) as bound, connecting(bound) as probe:
        probe.acts["no"] = forbid
        await refused(probe.ask("no"))
    (line,) = audit.lines
    assert line["participant"] == "agent:thr_1"
    assert line["on_behalf_of"] == "user:alice"


async def test_a_name_that_would_break_the_line_does_not(
    probe: "Probe", refused: "Refused", audit: "AuditRecord", alice: Identity
) -> None:
    """SE-02: nobody writes a line of the record by the id that they chose."""
    alias = replace(alice, tenant='acme", "outcome": "succeeded')
    probe.acts["no"] = forbid
    await refused(probe.ask("no", metadata=tuple(_metadata(alias))))
    (line,) = audit.lines
    assert (line["tenant"], line["outcome"]) == (alias.tenant, "refused")
    assert audit.texts[0].count("\n") == 0


async def test_a_name_that_is_no_name_is_on_record_as_far_as_a_name_may_go(
    probe: "Probe", refused: "Refused", audit: "AuditRecord"
) -> None:
    """SE-02, SE-06: access is refused before the shape is looked at, and a message may have megabytes."""
    name = "tenants/other/workspaces/main/" + "x" * 1_000_000
    assert (await refused(probe.stub.Check(probe.pb.CheckRequest(name=name)))).reason == "FORBIDDEN"
    (line,) = audit.lines
    assert line["resource"] == name[:1000]
    assert len(audit.texts[0]) < 2000


def _metadata(identity: Identity) -> list[tuple[str, str]]:
    actor = '{"user": {"id": "eve\\nINFO audit: all is well"}}'
    return [("lattice-tenant", identity.tenant), ("lattice-actor", actor)]


async def test_an_unknown_method_leaves_no_line(probe: "Probe", refused: "Refused", audit: "AuditRecord") -> None:
    """SE-02."""
    unknown = probe.channel.unary_unary("/lattice.probe.v1.ProbeService/NoSuch")
    assert (await refused(unknown(b""))).status is grpc.StatusCode.UNIMPLEMENTED
    assert audit.lines == []
