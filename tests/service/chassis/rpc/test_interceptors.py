"""What stands around every handler, seen from the caller's side of a real connection."""

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from lattice_chassis.errors import STATUS_OF_REASON
from lattice_chassis.identity import Identity, current_identity
from lattice_chassis.interceptors.chain import Interceptor
from opentelemetry.trace import SpanKind

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

if TYPE_CHECKING:
    from service.chassis.rpc.conftest import Probe, ProbeFactory, Refused, Spans


KINDS = ["Ask", "Tell", "Collect", "Echo", "EchoByHand"]


@dataclass(kw_only=True, eq=False)
class Rejected(Exception):
    reason: str
    entity: str


def rejection(reason: str) -> Exception:
    registered: type[Rejected] = type("Rejection", (Rejected,), {"reason": reason})
    return registered(reason=reason, entity="artifact")


async def call(probe: "Probe", kind: str, acts: Iterable[str]) -> list[str]:
    """What a method of any kind tells to some acts."""
    requests = [probe.pb.AskRequest(act=act) for act in acts]
    match kind:
        case "Ask":
            return [(await probe.stub.Ask(it)).told for it in requests]
        case "Tell":
            return [it.told async for it in probe.stub.Tell(probe.pb.AskRequest(act=" ".join(acts)))]
        case "Collect":
            return str((await probe.stub.Collect(iter(requests))).told).split()
        case _:
            return [it.told async for it in getattr(probe.stub, kind)(iter(requests))]


@pytest.mark.parametrize("kind", KINDS)
async def test_every_kind_of_call_and_both_styles_of_handler_are_served(probe: "Probe", kind: str) -> None:
    assert await call(probe, kind, ["one", "two", "three"]) == ["one", "two", "three"]


async def test_the_interceptors_run_in_their_documented_order(probing: "ProbeFactory") -> None:
    """The order is read off the stack of a live call, outermost first."""
    seen: list[str] = []

    async def look(_: object) -> str:
        frame = inspect.currentframe()
        while frame is not None:
            link = frame.f_locals.get("self")
            if isinstance(link, Interceptor) and frame.f_code.co_name == "around":
                seen.insert(0, type(link).__name__)
            frame = frame.f_back
        return ""

    class Extra(Interceptor):
        async def around(self, call: object, proceed: Callable[[], Awaitable[object]]) -> object:
            return await proceed()

    async with probing(interceptors=[Extra()]) as probe:
        probe.acts["look"] = look
        await probe.ask("look")
    assert seen == [
        "TraceCalls",
        "LogRequests",
        "MapErrors",
        "Audit",
        "TraceRefused",
        "AdmitUntilClosed",
        "BoundDeadline",
        "Authenticate",
        "LimitStreams",
        "Authorize",
        "CheckShape",
        "Extra",
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reason", sorted(STATUS_OF_REASON))
async def test_every_reason_reaches_the_caller_from_every_kind_of_call(
    probe: "Probe", refused: "Refused", kind: str, reason: str
) -> None:
    """RJ-03: reason, status and metadata, whatever the call."""

    async def refuse(_: object) -> str:
        raise rejection(reason)

    probe.acts["refuse"] = refuse
    refusal = await refused(call(probe, kind, ["refuse"]))
    assert (refusal.reason, refusal.status) == (reason, STATUS_OF_REASON[reason])
    assert refusal.metadata["entity"] == "artifact"


@pytest.mark.parametrize("kind", KINDS)
async def test_an_exception_leaks_nothing_but_a_trace_id(
    probe: "Probe", refused: "Refused", spans: "Spans", caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    """RJ-03: the text stays in our log, where the trace id finds it."""

    async def fail(_: object) -> str:
        raise ValueError("secret")

    probe.acts["fail"] = fail
    with caplog.at_level(logging.ERROR, "lattice.rpc"):
        refusal = await refused(call(probe, kind, ["fail"]))
    served = await spans.named(f"/{kind}", SpanKind.SERVER)
    assert (refusal.reason, refusal.message, refusal.details) == ("INTERNAL", "internal error", [])
    assert refusal.metadata == {"trace_id": f"{served.trace_id:032x}"}
    assert "secret" in caplog.text
    assert (served.failed, served.attributes["lattice.reason"]) == (True, "INTERNAL")
    assert not served.events


async def test_words_before_a_failure_in_a_stream_still_arrive(probe: "Probe", refused: "Refused") -> None:
    async def fail(_: object) -> str:
        raise rejection("CURSOR_RESET")

    probe.acts["fail"] = fail
    heard: list[str] = []

    async def listen() -> None:
        async for response in probe.stub.Tell(probe.pb.AskRequest(act="one two fail never")):
            heard.append(response.told)  # noqa: PERF401 - what arrived counts even when the stream then fails

    assert (await refused(listen())).reason == "CURSOR_RESET"
    assert heard == ["one", "two"]


@pytest.mark.parametrize("method", ["Collect", "Echo", "EchoByHand"])
async def test_a_client_that_still_sends_hears_why_it_is_refused(
    probe: "Probe", refused: "Refused", method: str
) -> None:
    """AMB-04: cut off while it writes, its library would report the broken write as INTERNAL."""

    async def refuse(_: object) -> str:
        raise rejection("CURSOR_RESET")

    async def upload() -> AsyncIterator[object]:
        yield probe.pb.AskRequest(act="refuse")
        for _ in range(20):
            yield probe.pb.AskRequest(act="x" * 1_000_000)

    probe.acts["refuse"] = refuse
    sending = getattr(probe.stub, method)(upload())
    assert (await refused(sending if method == "Collect" else sending.read())).reason == "CURSOR_RESET"


async def test_a_handler_that_answers_nonsense_fails_as_internal(probe: "Probe", refused: "Refused") -> None:
    async def nonsense(_: object) -> str:
        return 3  # type: ignore[return-value]  # on purpose

    probe.acts["nonsense"] = nonsense
    for kind in KINDS:
        assert (await refused(call(probe, kind, ["nonsense"]))).reason == "INTERNAL"


async def test_a_method_of_the_contract_that_nobody_serves_says_so(probe: "Probe", refused: "Refused") -> None:
    refusal = await refused(probe.stub.Unserved(probe.pb.AskRequest(act="now")))
    assert (refusal.reason, refusal.status) == ("NOT_IMPLEMENTED", grpc.StatusCode.UNIMPLEMENTED)
    assert refusal.metadata == {"method": "lattice.probe.v1.ProbeService/Unserved"}


async def test_a_method_of_no_contract_is_answered_the_same_way_unary_or_streaming(
    probe: "Probe", refused: "Refused"
) -> None:
    assert (await refused(probe.channel.unary_unary("/no.Such/Method")(b""))).reason == "NOT_IMPLEMENTED"
    stream = probe.channel.stream_stream("/no.Such/Method")()  # it never sends and never ends
    assert (await refused(stream.read())).reason == "NOT_IMPLEMENTED"


async def test_a_method_of_no_contract_is_logged_and_told_as_far_as_a_name_may_go(
    probe: "Probe", refused: "Refused", caplog: pytest.LogCaptureFixture
) -> None:
    """SE-06: headers may have kilobytes, and a stranger sends them as it likes."""
    caplog.set_level(logging.INFO)
    refusal = await refused(probe.channel.unary_unary("/no.Such/" + "x" * 20_000)(b""))
    assert len(refusal.metadata["method"]) == 200
    assert all(len(line.getMessage()) < 500 for line in caplog.records)


@pytest.mark.parametrize("method", ["Ask", "Collect", "Echo", "EchoByHand"])
async def test_bytes_that_are_no_message_are_refused_and_not_a_failure(
    probe: "Probe", refused: "Refused", method: str
) -> None:
    path = f"/lattice.probe.v1.ProbeService/{method}"
    match method:
        case "Ask":
            garbled: Awaitable[object] = probe.channel.unary_unary(path)(b"\xff\xff")
        case "Collect":
            garbled = probe.channel.stream_unary(path)(iter([b"\xff\xff"]))
        case _:
            garbled = probe.channel.stream_stream(path)(iter([b"\xff\xff"])).read()
    assert (await refused(garbled)).reason == "VALIDATION_FAILED"


async def test_a_caller_without_an_identity_is_refused_before_the_shape_is_checked(
    probe: "Probe", refused: "Refused"
) -> None:
    """SE-01: a stranger learns no rule of ours."""
    async with grpc.aio.insecure_channel(probe.bound.address) as strangers:
        ask: Any = strangers.unary_unary("/lattice.probe.v1.ProbeService/Ask")
        assert (await refused(ask(probe.pb.AskRequest().SerializeToString()))).reason == "UNAUTHENTICATED"


async def test_the_caller_is_known_while_its_call_is_served_and_in_each_part_of_a_stream(
    probe: "Probe", alice: Identity
) -> None:
    """AC-03: fixed by the call's credentials."""

    async def whoami(_: object) -> str:
        return current_identity().participant

    probe.acts["whoami"] = whoami
    for kind in KINDS:
        assert await call(probe, kind, ["whoami", "whoami"]) == ["user:alice", "user:alice"]


async def test_many_callers_at_once_never_see_each_other(probe: "Probe") -> None:
    """TN-01: fifty tenants, fifty streams, one server."""

    async def whose(_: object) -> str:
        await asyncio.sleep(0)  # let the others in
        return current_identity().tenant

    probe.acts["whose"] = whose

    async def tenant(number: int) -> set[str]:
        metadata = (("lattice-tenant", f"t{number}"), ("lattice-actor", '{"user":{"id":"u"}}'))
        words = probe.pb.AskRequest(act="whose whose whose")
        return {it.told async for it in probe.stub.Tell(words, metadata=metadata)}

    assert await asyncio.gather(*map(tenant, range(50))) == [{f"t{number}"} for number in range(50)]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_cancelled_call_cancels_its_handler(probe: "Probe", spans: "Spans", kind: str) -> None:
    reached, cancelled = asyncio.Event(), asyncio.Event()

    async def hang(_: object) -> str:
        reached.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        raise AssertionError

    probe.acts["hang"] = hang
    calling = asyncio.create_task(call(probe, kind, ["hang"]))
    async with asyncio.timeout(30):
        await reached.wait()
        calling.cancel()
        await cancelled.wait()
    with pytest.raises(asyncio.CancelledError):
        await calling
    served = await spans.named(f"/{kind}", SpanKind.SERVER)
    assert served.attributes["rpc.response.status_code"] == "CANCELLED"


async def test_a_generator_that_waits_for_a_slow_reader_is_closed_within_its_call(probe: "Probe") -> None:
    """A watch that is broken off gives back its subscription, as the caller whose it was."""
    closed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    flooding = asyncio.Event()

    async def flood(_: object) -> str:
        flooding.set()
        return "x" * 1_000_000  # nobody reads it, so the handler soon waits to write

    async def closing(_: object) -> str:
        closed.set_result(current_identity().participant)
        return ""

    probe.acts.update(flood=flood, closing=closing)
    watch = probe.stub.WatchProbe(probe.pb.AskRequest(act="flood"))
    assert (await watch.read()).told == "snapshot"
    async with asyncio.timeout(30):
        await flooding.wait()
        watch.cancel()
        assert await closed == "user:alice"


async def test_a_generator_whose_caller_left_is_closed_at_once(probe: "Probe") -> None:
    """A watch that is broken off must not keep its subscription."""
    closed = asyncio.Event()

    async def endless(_: object) -> str:
        try:
            await asyncio.Event().wait()
        finally:
            closed.set()
        raise AssertionError

    probe.acts["endless"] = endless
    watch = probe.stub.WatchProbe(probe.pb.AskRequest(act="endless"))
    assert (await watch.read()).told == "snapshot"
    watch.cancel()
    async with asyncio.timeout(30):
        await closed.wait()


async def test_a_call_that_outlives_its_deadline_is_ended_and_told_apart_from_a_cancel(
    probe: "Probe", spans: "Spans"
) -> None:
    async def hang(_: object) -> str:
        await asyncio.Event().wait()
        raise AssertionError

    probe.acts["hang"] = hang
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await probe.ask("hang", timeout=1)
    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    served = await spans.named("/Ask", SpanKind.SERVER)
    assert served.attributes["rpc.response.status_code"] == "DEADLINE_EXCEEDED"
    assert served.failed


async def test_a_span_has_the_current_names_and_a_refusal_is_no_error_of_the_server(
    probe: "Probe", refused: "Refused", spans: "Spans"
) -> None:
    async def refuse(_: object) -> str:
        raise rejection("NOT_FOUND")

    probe.acts["refuse"] = refuse
    await refused(probe.ask("refuse"))
    served = await spans.named("/Ask", SpanKind.SERVER)
    assert served.name == "lattice.probe.v1.ProbeService/Ask"
    assert served.attributes == {
        "rpc.system.name": "grpc",
        "rpc.method": "lattice.probe.v1.ProbeService/Ask",
        "rpc.response.status_code": "NOT_FOUND",
        "lattice.reason": "NOT_FOUND",
        "lattice.tenant": "acme",
    }
    assert not served.failed


async def test_each_call_leaves_one_line_of_log_without_content(
    probe: "Probe", refused: "Refused", eventually: Eventually, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(_: object) -> str:
        raise rejection("NOT_FOUND")

    async def is_told() -> bool:
        return bool(caplog.records)

    probe.acts["secret"] = refuse
    with caplog.at_level(logging.INFO, "lattice.rpc"):
        await refused(probe.ask("secret"))
        await eventually(is_told)  # when all is done, which the client does not wait for
    (line,) = caplog.records
    fields = vars(line)
    assert (fields["rpc_method"], fields["rpc_code"], fields["reason"], fields["tenant"]) == (
        "lattice.probe.v1.ProbeService/Ask",
        "NOT_FOUND",
        "NOT_FOUND",
        "acme",
    )
    assert fields["duration_ms"] >= 0
    assert "secret" not in str(fields)
