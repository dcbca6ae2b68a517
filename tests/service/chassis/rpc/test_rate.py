"""How many calls of a tenant a server takes, seen from its callers' side of real connections."""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
from lattice.type.v1.actor_pb2 import Actor, AgentActor, ExternalAgentActor, SystemActor
from lattice_chassis.identity import Identity, development_metadata
from lattice_chassis.interceptors import rate as rate_limits
from lattice_chassis.interceptors.rate import Rate

if TYPE_CHECKING:
    from service.chassis.rpc.conftest import Probe, ProbeFactory, Refused

SLOW = Rate(per_second=0.001, burst=3)
"""Three calls, and no fourth as long as a test lasts."""


async def exhaust(probe: "Probe") -> None:
    for _ in range(SLOW.burst):
        await probe.ask("one")


def of_tenant(identity: Identity, tenant: str) -> tuple[tuple[str, str], ...]:
    return development_metadata(replace(identity, tenant=tenant))


async def test_calls_beyond_the_burst_are_refused_and_told_when_to_come_again(
    probing: "ProbeFactory", refused: "Refused"
) -> None:
    """SE-06, RJ-03: RATE_LIMITED with RetryInfo, before the handler begins."""
    begun = 0

    async def count(_: object) -> str:
        nonlocal begun
        begun += 1
        return ""

    async with probing(rate=SLOW) as probe:
        probe.acts["one"] = count
        await exhaust(probe)
        refusal = await refused(probe.ask("one"))
    assert (refusal.reason, refusal.status) == ("RATE_LIMITED", grpc.StatusCode.RESOURCE_EXHAUSTED)
    (detail,) = refusal.details
    assert isinstance(detail, RetryInfo)
    assert 900 < detail.retry_delay.ToTimedelta().total_seconds() <= 1000
    assert begun == SLOW.burst


async def test_a_caller_who_waits_as_long_as_it_is_told_is_let_through(
    probing: "ProbeFactory", refused: "Refused"
) -> None:
    """SE-06."""
    async with probing(rate=Rate(per_second=5, burst=1)) as probe:
        await probe.ask("one")
        refusal = await refused(probe.ask("one"))
        (detail,) = refusal.details
        assert isinstance(detail, RetryInfo)
        await asyncio.sleep(detail.retry_delay.ToTimedelta().total_seconds())
        await probe.ask("one")


async def test_a_flood_of_one_tenant_neither_refuses_nor_holds_up_another(
    probing: "ProbeFactory", refused: "Refused", alice: Identity
) -> None:
    """SE-06, TN-01: two hundred refused calls under way at once, and every call of the neighbour is answered."""
    async with probing(rate=SLOW) as probe:
        await exhaust(probe)
        flood = [asyncio.ensure_future(refused(probe.ask("flood"))) for _ in range(200)]
        for _ in range(SLOW.burst):
            assert await probe.ask("two", metadata=of_tenant(alice, "other"), timeout=5) == "two"
        assert {it.reason for it in await asyncio.gather(*flood)} == {"RATE_LIMITED"}


@pytest.mark.parametrize("kind", ["Tell", "Collect", "EchoByHand", "WatchProbe"])
async def test_a_stream_counts_as_one_call(probing: "ProbeFactory", refused: "Refused", kind: str) -> None:
    """SE-06: its messages are bounded by what the method itself allows."""

    async def open_stream(probe: "Probe") -> None:
        request = probe.pb.AskRequest(act="one")
        match kind:
            case "Collect":
                await probe.stub.Collect(iter([request] * 10))
            case "EchoByHand":
                assert len([it async for it in probe.stub.EchoByHand(iter([request] * 10))]) == 10
            case "Tell":
                request = probe.pb.AskRequest(act="one two three four five")
                assert len([it async for it in probe.stub.Tell(request)]) == 5
            case _:
                watch = probe.stub.WatchProbe(request)
                await watch.read()
                watch.cancel()

    async def read_all(probe: "Probe") -> None:
        async for _ in probe.stub.Tell(probe.pb.AskRequest(act="one")):
            pass

    async with probing(rate=SLOW) as probe:
        for _ in range(SLOW.burst):
            await open_stream(probe)
        assert (await refused(read_all(probe))).reason == "RATE_LIMITED"


@pytest.mark.parametrize(
    "actor",
    [Actor(agent=AgentActor(thread_id="thr_1", run_id="run_1")), Actor(system=SystemActor(name="files"))],
    ids=["agent", "service"],
)
async def test_agents_and_services_are_not_held_up_by_what_people_of_their_tenant_used(
    probing: "ProbeFactory", alice: Identity, actor: Actor
) -> None:
    """SE-06: a run, or a write that waits for its switch, is not broken off in its middle."""
    async with probing(rate=SLOW) as probe:
        await exhaust(probe)
        for _ in range(2 * SLOW.burst):
            await probe.ask("one", metadata=development_metadata(replace(alice, actor=actor)))


async def test_an_agent_from_outside_counts_like_a_person(
    probing: "ProbeFactory", refused: "Refused", alice: Identity
) -> None:
    """SE-06."""
    client = replace(alice, actor=Actor(external_agent=ExternalAgentActor(client_id="robot")))
    async with probing(rate=SLOW) as probe:
        await exhaust(probe)
        refusal = await refused(probe.ask("one", metadata=development_metadata(client)))
    assert refusal.reason == "RATE_LIMITED"


async def test_health_is_answered_whatever_was_used(probing: "ProbeFactory") -> None:
    """SE-06: a probe has no tenant."""
    async with probing(rate=SLOW) as probe, grpc.aio.insecure_channel(probe.bound.address) as stranger:
        await exhaust(probe)
        health: Any = health_pb2_grpc.HealthStub(stranger)
        for _ in range(2 * SLOW.burst):
            answer = await health.Check(health_pb2.HealthCheckRequest())
            assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_a_call_without_an_identity_uses_up_nothing(
    probing: "ProbeFactory", refused: "Refused", alice: Identity
) -> None:
    """SE-01, SE-06: a stranger cannot use up the rate of a tenant by its name."""
    nobody = [("lattice-tenant", alice.tenant), ("lattice-actor", "{}")]
    async with probing(rate=SLOW) as probe:
        for _ in range(2 * SLOW.burst):
            assert (await refused(probe.ask("one", metadata=nobody))).reason == "UNAUTHENTICATED"
        await exhaust(probe)


async def test_a_refused_call_is_not_sent_again_by_the_channel(probing: "ProbeFactory", refused: "Refused") -> None:
    """RJ-03, SE-06: what is retried by itself is UNAVAILABLE alone; a repeat would take two seconds here."""
    async with probing(rate=Rate(per_second=2, burst=1)) as probe:
        await probe.ask("one")
        assert (await refused(probe.ask("one"))).reason == "RATE_LIMITED"


async def test_the_tenants_that_are_remembered_are_bounded(
    probing: "ProbeFactory", refused: "Refused", alice: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SE-06: the one that called the longest ago is forgotten, and the others are not."""
    monkeypatch.setattr(rate_limits, "MAX_TENANTS", 2)
    once = Rate(per_second=0.001, burst=1)
    async with probing(rate=once) as probe:
        for tenant in ("first", "second", "third"):
            await probe.ask("one", metadata=of_tenant(alice, tenant))
        assert (await refused(probe.ask("one", metadata=of_tenant(alice, "third")))).reason == "RATE_LIMITED"
        assert (await refused(probe.ask("one", metadata=of_tenant(alice, "second")))).reason == "RATE_LIMITED"
        await probe.ask("one", metadata=of_tenant(alice, "first"))
