"""What our calls carry, what they repeat, and what they refuse to do."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest
from lattice.type.v1.actor_pb2 import Actor, AgentActor
from lattice_chassis.errors import PeerUnavailable, RefusedByPeer, ShuttingDown, ValidationFailed, calling
from lattice_chassis.identity import Identity, acting_as, current_identity, forwarded_identity
from lattice_chassis.interceptors.deadlines import remaining_seconds
from lattice_chassis.server import BoundServer
from lattice_chassis.telemetry import current_traceparent, span
from lattice_chassis.transactions import transaction_open
from opentelemetry.trace import SpanKind

if TYPE_CHECKING:
    from service.chassis.rpc.conftest import Begun, Context, Eventually, Probe, ProbeFactory, Refused, Spans


KINDS = ["Ask", "Tell", "Collect", "Echo", "EchoByHand"]


def begin(probe: "Probe", kind: str, act: str) -> "Begun":
    """Begin a call of any kind with one act."""
    request = probe.pb.AskRequest(act=act)
    return getattr(probe.stub, kind)(request if kind in {"Ask", "Tell"} else iter([request]))


async def finish(call: "Begun", kind: str) -> list[str]:
    return [(await call).told] if kind in {"Ask", "Collect"} else [it.told async for it in call]


def failing(times: int, error: Exception) -> tuple[Callable[[object], Awaitable[str]], list[float]]:
    """An act that fails so many times and then succeeds, and when it was called."""
    called: list[float] = []

    async def act(_: object) -> str:
        called.append(time.monotonic())
        if len(called) <= times:
            raise error
        return "done"

    return act, called


@pytest.mark.parametrize("kind", KINDS)
async def test_a_call_and_its_handler_are_spans_of_one_trace(probe: "Probe", spans: "Spans", kind: str) -> None:
    """Our caller's span, the client's, the server's, and what the handler does below it."""

    async def work(_: object) -> str:
        with span("work"):
            return current_traceparent() or ""

    probe.acts["work"] = work
    with span("caller"):
        await finish(begin(probe, kind, "work"), kind)
    caller, below = await spans.named("caller", SpanKind.INTERNAL), await spans.named("work", SpanKind.INTERNAL)
    client, server = await spans.named(f"/{kind}", SpanKind.CLIENT), await spans.named(f"/{kind}", SpanKind.SERVER)
    assert [it.parent_id for it in (client, server, below)] == [it.span_id for it in (caller, client, server)]
    assert client.attributes == {
        "rpc.system.name": "grpc",
        "rpc.method": f"lattice.probe.v1.ProbeService/{kind}",
        "rpc.response.status_code": "OK",
        "server.address": probe.bound.address,
    }


async def test_a_clients_span_names_the_reason_and_ends_with_its_call(
    probe: "Probe", refused: "Refused", spans: "Spans"
) -> None:
    act, _ = failing(1, PeerUnavailable(peer="elsewhere"))
    probe.acts["fail"] = act
    await refused(probe.ask("fail"))
    after = time.time_ns()
    client = await spans.named("/Ask", SpanKind.CLIENT)
    assert client.attributes["lattice.reason"] == "PEER_UNAVAILABLE"
    assert client.failed
    assert client.end_time <= after


@pytest.mark.parametrize("kind", KINDS)
async def test_cancelling_a_task_cancels_the_call_and_ends_its_span(probe: "Probe", spans: "Spans", kind: str) -> None:
    reached, cancelled = asyncio.Event(), asyncio.Event()

    async def hang(_: object) -> str:
        reached.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        raise AssertionError

    probe.acts["hang"] = hang
    async with asyncio.timeout(30):
        task = asyncio.create_task(finish(begin(probe, kind, "hang"), kind))
        await reached.wait()
        task.cancel()
        await cancelled.wait()
    client = await spans.named(f"/{kind}", SpanKind.CLIENT)
    assert client.attributes["rpc.response.status_code"] == "CANCELLED"


async def test_a_deadline_travels_through_a_service_to_its_peers(probe: "Probe") -> None:
    """MP-33: what a caller has left is all that calls on its behalf may take."""
    left: list[float | None] = []

    async def below(context: "Context") -> str:
        left.append(context.time_remaining())
        return ""

    async def relay(_: object) -> str:
        await probe.ask("below", timeout=60)
        return ""

    probe.acts.update(below=below, relay=relay)
    await probe.ask("relay", timeout=30)
    (remaining,) = left
    assert remaining is not None
    assert remaining <= 30


async def test_a_call_without_streams_always_has_a_deadline_and_a_stream_only_its_callers(
    probing: "ProbeFactory", connecting: "ProbeFactory"
) -> None:
    async def ask_left(context: "Context") -> str:
        return str(context.time_remaining())

    async with probing() as served, connecting(served.bound, default_timeout=timedelta(seconds=7)) as probe:
        probe.acts["left"] = ask_left
        assert 0 < float(await probe.ask("left")) <= 7
        assert await finish(begin(probe, "Tell", "left"), "Tell") == ["None"]


async def test_outside_an_rpc_no_deadline_is_inherited() -> None:
    assert remaining_seconds() is None


async def test_a_channel_calls_for_whoever_calls_us(probing: "ProbeFactory", connecting: "ProbeFactory") -> None:
    """AC-04: and an identity that the call itself names comes first."""
    agent = Identity(tenant="acme", actor=Actor(agent=AgentActor(thread_id="thr_1")))

    async def whoami(_: object) -> str:
        return current_identity().participant

    async with probing() as served, connecting(served.bound, identity=forwarded_identity) as probe:
        probe.acts["whoami"] = whoami
        with acting_as(agent):
            assert await probe.ask("whoami") == "agent:thr_1"
            named = (("lattice-tenant", "acme"), ("lattice-actor", '{"user":{"id":"bob"}}'))
            assert await probe.ask("whoami", metadata=named) == "user:bob"


@pytest.mark.parametrize("kind", KINDS)
async def test_no_call_begins_while_a_transaction_is_open(probe: "Probe", kind: str) -> None:
    """A slow peer would hold the workspace's lock."""
    token = transaction_open.set(True)
    try:
        with pytest.raises(RuntimeError, match="transaction"):
            await finish(begin(probe, kind, "never"), kind)
    finally:
        transaction_open.reset(token)


@pytest.mark.parametrize("method", ["Ask", "Record"])
async def test_what_can_be_repeated_is_tried_again_while_the_peer_is_unavailable(probe: "Probe", method: str) -> None:
    """ID-03: reads, and writes with a request id."""
    act, called = failing(2, ShuttingDown())
    probe.acts["flaky"] = act
    request = (
        probe.pb.AskRequest(act="flaky") if method == "Ask" else probe.pb.RecordRequest(act="flaky", request_id="r1")
    )
    assert (await getattr(probe.stub, method)(request)).told == "done"
    assert len(called) == 3


async def test_after_three_attempts_the_reason_is_told(probe: "Probe", refused: "Refused") -> None:
    act, called = failing(9, ShuttingDown())
    probe.acts["down"] = act
    assert (await refused(probe.ask("down"))).reason == "SHUTTING_DOWN"
    assert len(called) == 3


async def test_what_a_repeat_could_do_twice_is_never_tried_again(probe: "Probe", refused: "Refused") -> None:
    act, called = failing(1, ShuttingDown())
    probe.acts["once"] = act
    assert (await refused(probe.stub.Act(probe.pb.AskRequest(act="once")))).reason == "SHUTTING_DOWN"
    assert len(called) == 1


async def test_an_absent_peer_further_down_stops_the_retries_at_once(probe: "Probe", refused: "Refused") -> None:
    """AMB-04: three attempts at each link would be nine at two links."""
    act, called = failing(1, PeerUnavailable(peer="integrations"))
    probe.acts["down"] = act
    refusal = await refused(probe.ask("down"))
    assert (refusal.reason, refusal.metadata["peer"]) == ("PEER_UNAVAILABLE", "integrations")
    assert len(called) == 1


async def test_a_peer_that_nobody_runs_is_typed_by_the_adapter_and_by_the_service(
    probe: "Probe", refused: "Refused", connecting: "ProbeFactory", tmp_path: Path
) -> None:
    """AMB-04: an error of a peer never surfaces as UNKNOWN."""
    nowhere = type(probe.bound)(address=f"unix:{tmp_path}/nobody", port=0, admin_address=None)
    async with connecting(nowhere) as absent:
        with pytest.raises(PeerUnavailable) as caught, calling("files"):
            await absent.ask("hello")
        assert caught.value.peer == "files"

        async def relay(_: object) -> str:
            return str((await absent.stub.Ask(absent.pb.AskRequest(act="hello"))).told)

        probe.acts["relay"] = relay
        assert (await refused(probe.ask("relay"))).reason == "PEER_UNAVAILABLE"


async def test_a_peer_that_was_away_is_found_again_once_it_is_back(
    probing: "ProbeFactory", connecting: "ProbeFactory", eventually: "Eventually"
) -> None:
    """AMB-04: what was refused while it was down works again without anyone's help."""
    async with probing() as first:
        bound = first.bound
    async with connecting(bound) as probe:
        with pytest.raises(PeerUnavailable), calling("probe"):
            await probe.ask("hello")

        async def answers() -> bool:
            try:
                return await probe.ask("hello") == "hello"
            except grpc.aio.AioRpcError:
                return False

        async with probing(bound.address):
            await eventually(answers)


async def test_a_new_channel_does_not_wait_out_the_pause_of_an_older_one(
    probing: "ProbeFactory", connecting: "ProbeFactory"
) -> None:
    """AMB-04: who connects once the peer is back reaches it, whatever others met while it was down."""
    hung_up_on: asyncio.Queue[None] = asyncio.Queue()

    def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()
        hung_up_on.put_nowait(None)

    down = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    address = "{}:{}".format(*down.sockets[0].getsockname())
    async with connecting(BoundServer(address=address, port=0, admin_address=None)) as older:
        older.channel.get_state(try_to_connect=True)
        async with asyncio.timeout(60):
            for _ in range(5):  # the pause doubles up to a second
                await hung_up_on.get()
        down.close()
        await down.wait_closed()
        async with probing(address) as newer:
            assert (await newer.stub.Act(newer.pb.AskRequest(act="hello"))).told == "hello"


async def test_a_peer_slower_than_the_calls_deadline_counts_as_absent(probe: "Probe") -> None:
    """MP-33: a short deadline of our own, and the gate is closed."""

    async def hang(_: object) -> str:
        await asyncio.Event().wait()
        raise AssertionError

    probe.acts["hang"] = hang
    with pytest.raises(PeerUnavailable), calling("integrations"):
        await probe.ask("hang", timeout=0.1)


async def test_a_refusal_of_a_peer_is_typed_for_the_adapter_and_internal_for_our_caller(
    probe: "Probe", refused: "Refused"
) -> None:
    """RJ-03: statuses of others are not passed through."""

    async def relay(_: object) -> str:
        with calling("itself"):
            await probe.stub.Unserved(probe.pb.AskRequest(act="x"))
        raise AssertionError

    with pytest.raises(RefusedByPeer) as caught, calling("probe"):
        await probe.stub.Unserved(probe.pb.AskRequest(act="x"))
    assert (caught.value.reason, caught.value.status) == ("NOT_IMPLEMENTED", grpc.StatusCode.UNIMPLEMENTED)
    probe.acts["relay"] = relay
    assert (await refused(probe.ask("relay"))).reason == "INTERNAL"


async def test_an_error_with_more_faults_than_trailers_hold_still_arrives_typed(
    probe: "Probe", refused: "Refused"
) -> None:
    act, _ = failing(1, ValidationFailed(errors=[(f"parts[{it}]", "ä" * 1_000) for it in range(1_000)]))
    probe.acts["wrong"] = act
    assert (await refused(probe.ask("wrong"))).reason == "VALIDATION_FAILED"
