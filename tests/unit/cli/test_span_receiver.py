"""Spans sent by OTLP are kept, bounded, and answered by trace as Jaeger would."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from lattice_cli.processes import ServiceFailedError, free_address
from lattice_cli.span_receiver import KeptSpans, SpanReceiver, receiving
from lattice_cli.trace_backend import BackendFailed, TraceBackend
from lattice_cli.traces import Span
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.common.v1 import common_pb2
from opentelemetry.proto.resource.v1 import resource_pb2
from opentelemetry.proto.trace.v1 import trace_pb2
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.trace import Link, SpanKind, StatusCode, format_span_id, format_trace_id


@pytest.fixture
async def receiver() -> AsyncIterator[SpanReceiver]:
    async with receiving(free_address()) as running:
        yield running


def send(endpoint: str) -> tuple[str, str]:
    """Do two things, one of which follows the other, as a program does that exports there; the ids of both traces."""
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: "probe"}))
    provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(endpoint, insecure=True)))
    tracer = provider.get_tracer("probe")
    with tracer.start_as_current_span("cause", kind=SpanKind.CLIENT) as cause:
        pass
    links = [Link(cause.get_span_context())]
    with (
        tracer.start_as_current_span("outer", links=links, attributes={"words": ["a", "b"], "count": 2}) as outer,
        tracer.start_as_current_span("inner") as inner,
    ):
        inner.set_status(StatusCode.ERROR)
        inner.set_attribute("error.type", "ValueError")
    provider.shutdown()
    first, second = (it.get_span_context().trace_id for it in (cause, outer))
    return format_trace_id(first), format_trace_id(second)


@pytest.mark.parametrize("way", ["address", "socket"])
async def test_what_a_program_exports_is_kept_and_answered_by_trace(receiver: SpanReceiver, way: str) -> None:
    endpoint = receiver.address if way == "address" else f"unix:{receiver.socket}"
    cause, effect = await asyncio.to_thread(send, endpoint)
    inner, outer = await asyncio.to_thread(TraceBackend(url=receiver.url).spans_of, effect)
    assert (outer.name, outer.service, outer.kind, outer.parent_id) == ("outer", "probe", "INTERNAL", None)
    assert outer.attributes == {"words": ["a", "b"], "count": 2}
    assert [link.trace_id for link in outer.links] == [cause]
    assert (inner.parent_id, inner.failed, inner.reason) == (outer.span_id, True, "ValueError")
    assert outer.start <= inner.start <= inner.end <= outer.end
    assert receiver.spans.of(effect) == [inner, outer]


async def test_a_trace_is_told_with_what_led_to_it(receiver: SpanReceiver) -> None:
    """TR-03."""
    cause, effect = await asyncio.to_thread(send, receiver.address)
    found = await asyncio.to_thread(TraceBackend(url=f"{receiver.url}/").with_linked, [effect])
    assert [it.trace_id for it in found] == [cause, effect]
    assert await asyncio.to_thread(TraceBackend(url=receiver.url).with_linked, ["0" * 32]) == []


def sent(trace: int, size: int) -> trace_pb2.ResourceSpans:
    """A span of about so many bytes."""
    span = trace_pb2.Span(trace_id=trace.to_bytes(16), span_id=bytes(8), name="x" * size)
    name = common_pb2.KeyValue(key="service.name", value=common_pb2.AnyValue(string_value="probe"))
    resource = resource_pb2.Resource(attributes=[name])
    return trace_pb2.ResourceSpans(resource=resource, scope_spans=[trace_pb2.ScopeSpans(spans=[span])])


def traces_of(spans: Iterator[Span]) -> list[int]:
    return [int(it.trace_id, 16) for it in spans]


def test_the_traces_that_were_quiet_for_the_longest_time_are_dropped() -> None:
    kept = KeptSpans(most_bytes=4_600)
    for trace in (1, 2, 3):
        kept.add([sent(trace, 1_000)])
    kept.add([sent(1, 100)])
    kept.add([sent(4, 1_000)])
    assert traces_of(kept.all()) == [4, 1, 1, 3]
    assert kept.of(format_trace_id(2)) == []


def test_what_is_kept_beside_the_bytes_of_spans_counts_too() -> None:
    """The name of a service may be as long as a message, and there may be many spans of next to nothing."""
    kept = KeptSpans(most_bytes=10_000)
    for trace in range(1, 10):
        one = sent(trace, 1)
        one.resource.attributes[0].value.string_value = "x" * 4_000
        kept.add([one])
    assert traces_of(kept.all()) == [9, 8]
    for trace in range(10, 1_000):
        kept.add([sent(trace, 0)])
    assert len(traces_of(kept.all())) < 10_000 / 256


def test_no_trace_is_larger_than_what_is_kept() -> None:
    kept = KeptSpans(most_bytes=3_500)
    kept.add([sent(1, 10_000)])
    assert traces_of(kept.all()) == []
    kept.add([sent(2, 1_000)])
    assert traces_of(kept.all()) == [2]


async def test_an_address_that_is_taken_is_told(receiver: SpanReceiver) -> None:
    with pytest.raises(ServiceFailedError, match=receiver.address):
        async with receiving(receiver.address):
            pytest.fail("it listens")


@contextmanager
def answering(status: int, content: bytes) -> Iterator[str]:
    """Something else that answers over HTTP."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "content"),
    [(500, b""), (200, b"<html>"), (200, b"{}"), (200, b'{"result": {"resourceSpans": 5}}'), (200, b"[]")],
)
def test_what_is_no_tracing_backend_is_told_apart_from_an_unknown_trace(status: int, content: bytes) -> None:
    with answering(status, content) as url, pytest.raises(BackendFailed, match="answers"):
        TraceBackend(url=url).spans_of("1" * 32)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "file:///etc/passwd", "jaeger"])
def test_a_backend_that_is_not_there_is_told(url: str) -> None:
    with pytest.raises(BackendFailed, match=url):
        TraceBackend(url=url).spans_of("1" * 32)


def test_span_ids_are_told_in_hexadecimal_digits() -> None:
    kept = KeptSpans()
    kept.add([sent(7, 1)])
    assert [it.span_id for it in kept.all()] == [format_span_id(0)]


async def test_what_speaks_no_http_is_no_tracing_backend() -> None:
    async def close(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail\r\n")
        writer.close()

    async with await asyncio.start_server(close, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(BackendFailed):
            await asyncio.to_thread(TraceBackend(url=f"http://127.0.0.1:{port}").spans_of, "1" * 32)
