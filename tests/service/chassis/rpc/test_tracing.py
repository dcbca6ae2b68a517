"""Whose trace a call joins, and that its duration is measured."""

from typing import TYPE_CHECKING

import pytest
from lattice.type.v1.actor_pb2 import Actor, AgentActor, ExternalAgentActor, SystemActor, UserActor
from lattice_chassis.identity import Identity, development_metadata
from lattice_chassis.telemetry import untraced
from opentelemetry.trace import SpanKind

if TYPE_CHECKING:
    from service.chassis.rpc.conftest import ProbeFactory, Refused, Spans

TRACE_ID, SPAN_ID = "4bf92f3577b34da6a3ce929d0e0e4736", "b7ad6b7169203331"

STRANGERS = [Actor(user=UserActor(id="alice")), Actor(external_agent=ExternalAgentActor(client_id="bot"))]
PEERS = [Actor(agent=AgentActor(thread_id="thr_1", run_id="run_1")), Actor(system=SystemActor(name="files"))]


def kind_of(actor: Actor) -> str:
    return str(actor.WhichOneof("kind"))


def named(actor: Actor, flags: str = "01") -> list[tuple[str, str]]:
    """The metadata of a call by an actor that names a trace of its own."""
    identity = Identity(tenant="acme", actor=actor)
    return [*development_metadata(identity), ("traceparent", f"00-{TRACE_ID}-{SPAN_ID}-{flags}")]


@pytest.mark.parametrize("actor", [*STRANGERS, *PEERS], ids=kind_of)
async def test_the_trace_that_a_verified_caller_names_goes_on_here(
    probing: "ProbeFactory", spans: "Spans", actor: Actor
) -> None:
    """TR-04: unless strangers are to be linked."""
    async with probing() as probe:
        await probe.ask("one", metadata=named(actor))
    served = await spans.named("/Ask", SpanKind.SERVER)
    assert (f"{served.trace_id:032x}", served.parent_id, served.links) == (TRACE_ID, int(SPAN_ID, 16), [])


@pytest.mark.parametrize("flags", ["00", "01"])
@pytest.mark.parametrize("actor", STRANGERS, ids=kind_of)
async def test_a_stranger_is_linked_where_that_is_configured_and_decides_nothing(
    probing: "ProbeFactory", spans: "Spans", actor: Actor, flags: str
) -> None:
    """TR-04: it neither chooses the id of a trace of ours, nor whether there is one."""
    async with probing(trace_callers="link") as probe:
        await probe.ask("one", metadata=named(actor, flags))
    served = await spans.named("/Ask", SpanKind.SERVER)
    assert served.parent_id is None
    assert f"{served.trace_id:032x}" != TRACE_ID
    assert served.links == [(int(TRACE_ID, 16), int(SPAN_ID, 16))]


@pytest.mark.parametrize("actor", PEERS, ids=kind_of)
async def test_a_service_is_joined_where_strangers_are_linked(
    probing: "ProbeFactory", spans: "Spans", actor: Actor
) -> None:
    """TR-04: what agent asks of files is part of the run's trace, wherever people may call too."""
    async with probing(trace_callers="link") as probe:
        await probe.ask("one", metadata=named(actor))
    served = await spans.named("/Ask", SpanKind.SERVER)
    assert (f"{served.trace_id:032x}", served.parent_id) == (TRACE_ID, int(SPAN_ID, 16))


async def test_who_is_not_verified_joins_no_trace(probing: "ProbeFactory", spans: "Spans", refused: "Refused") -> None:
    """TR-04, SE-01: its refusal has one of its own."""
    sent = [("lattice-tenant", ""), ("lattice-actor", "{}"), ("traceparent", f"00-{TRACE_ID}-{SPAN_ID}-01")]
    async with probing() as probe:
        refusal = await refused(probe.ask("one", metadata=sent))
    assert refusal.reason == "UNAUTHENTICATED"
    served = await spans.named("/Ask", SpanKind.SERVER)
    assert served.parent_id is None
    assert f"{served.trace_id:032x}" != TRACE_ID
    assert "lattice.tenant" not in served.attributes


async def test_what_is_untraced_leaves_no_spans_here_nor_at_the_peer(probing: "ProbeFactory", spans: "Spans") -> None:
    """TR-03: polling is not traced."""
    async with probing() as probe:
        with untraced():
            await probe.ask("one")
        await probe.ask("one")
    assert (await spans.named("/Ask", SpanKind.SERVER)).parent_id == (
        await spans.named("/Ask", SpanKind.CLIENT)
    ).span_id
