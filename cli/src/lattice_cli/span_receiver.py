"""What keeps the spans of a suite in development: an OTLP receiver that forgets the oldest, and answers by trace.

It answers `GET /api/v3/traces/ID` as Jaeger's query API does, so that whoever asks it can ask a real backend as well.
"""

import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import Any, Final

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as otlp_pb
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as otlp_grpc
from opentelemetry.proto.trace.v1 import trace_pb2

from lattice_cli.processes import ServiceFailedError
from lattice_cli.trace_json import as_json
from lattice_cli.traces import Span, service_of, span_of

MOST_BYTES: Final = 32 * 2**20
"""The most bytes that spans are kept in: those of some ten thousand edits."""

_EACH_BYTES: Final = 256
"""What keeping one costs beside what was sent of it."""

TRACES_PATH: Final = "/api/v3/traces/"

_EXPORT_EVERY: Final = "100"
"""Milliseconds; the exporter's own five seconds would make a person wait, and a killed process forget a lot."""

_Kept = tuple[str, bytes]
"""The service, and the span as it was sent: a message that was parsed would hold all that came with it."""


class KeptSpans:
    """The spans of the traces that were written to last."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._traces: OrderedDict[str, list[_Kept]] = OrderedDict()
        self._lock = Lock()  # the loop adds, and a thread answers

    def add(self, sent: Iterable[trace_pb2.ResourceSpans]) -> None:
        """Keep what a process sent; where that is too much, the traces go that were quiet for the longest time."""
        with self._lock:
            for resource in sent:
                service = service_of(resource.resource)
                for scope in resource.scope_spans:
                    for span in scope.spans:
                        self._keep(span.trace_id.hex(), (service, span.SerializeToString()))
            while self._bytes > self._most_bytes:
                _, dropped = self._traces.popitem(last=False)
                self._bytes -= sum(map(_size, dropped))

    def of(self, trace_id: str) -> list[Span]:
        """The spans of a trace; none where it is not known, or no more."""
        return [span_of(span, service) for service, span in self.sent(trace_id)]

    def all(self) -> Iterator[Span]:
        """The spans of all traces; those of the trace that was written to last come first."""
        with self._lock:
            traces = list(reversed(self._traces))
        for trace_id in traces:
            yield from self.of(trace_id)

    def sent(self, trace_id: str) -> list[tuple[str, trace_pb2.Span]]:
        """The spans of a trace as they were sent, each with its service."""
        with self._lock:
            kept = list(self._traces.get(trace_id, ()))
        return [(service, trace_pb2.Span.FromString(span)) for service, span in kept]

    def _keep(self, trace_id: str, kept: _Kept) -> None:
        self._traces.setdefault(trace_id, []).append(kept)
        self._traces.move_to_end(trace_id)
        self._bytes += _size(kept)


@dataclass(frozen=True, kw_only=True)
class SpanReceiver:
    """A receiver that runs."""

    spans: KeptSpans
    address: str
    """Where it takes spans by OTLP over gRPC: the `host:port` for whoever else has some."""
    socket: Path
    """The same as a unix socket, for the suite's own: a worker that has confined itself reaches no other."""
    url: str
    """Where it answers."""

    @property
    def environment(self) -> dict[str, str]:
        """What makes a program of the suite send its spans here, whatever its surroundings say."""
        return {
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"unix:{self.socket}",
            "OTEL_EXPORTER_OTLP_TRACES_INSECURE": "true",
            "OTEL_BSP_SCHEDULE_DELAY": _EXPORT_EVERY,
        }


@asynccontextmanager
async def receiving(address: str) -> AsyncIterator[SpanReceiver]:
    """Take spans at `address`, a `host:port` of the loopback, and answer on a free port.

    Raises:
        ServiceFailedError: it cannot listen there.
    """
    spans = KeptSpans()
    with TemporaryDirectory(prefix="lattice-spans-") as folder, _answering(spans) as url:  # a short path: it is bound
        socket = Path(folder) / "otlp.sock"
        server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        otlp_grpc.add_TraceServiceServicer_to_server(_Otlp(spans), server)  # type: ignore[no-untyped-call]
        try:
            for where in (address, f"unix:{socket}"):
                server.add_insecure_port(where)
        except RuntimeError as error:
            raise ServiceFailedError(f"cannot take spans at {address}: {error}") from error
        await server.start()
        try:
            yield SpanReceiver(spans=spans, address=address, socket=socket, url=url)
        finally:
            await server.stop(None)


class _Otlp(otlp_grpc.TraceServiceServicer):
    def __init__(self, spans: KeptSpans) -> None:
        self._spans = spans

    async def Export(  # noqa: N802 - the contract's name
        self,
        request: otlp_pb.ExportTraceServiceRequest,
        context: grpc.aio.ServicerContext[Any, Any],
    ) -> otlp_pb.ExportTraceServiceResponse:
        del context
        self._spans.add(request.resource_spans)
        return otlp_pb.ExportTraceServiceResponse()


@contextmanager
def _answering(spans: KeptSpans) -> Iterator[str]:
    """Answer by trace on a free port of the loopback, at the address that this yields."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = spans.sent(self.path.removeprefix(TRACES_PATH)) if self.path.startswith(TRACES_PATH) else []
            content = json.dumps({"result": as_json(found)} if found else {"error": {"message": "no such trace"}})
            self.send_response(HTTPStatus.OK if found else HTTPStatus.NOT_FOUND)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content.encode())))
            self.end_headers()
            self.wfile.write(content.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            """Say nothing: who reads a trace is no news."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = Thread(target=server.serve_forever, name="spans", daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def _size(kept: _Kept) -> int:
    service, span = kept
    return len(service) + len(span) + _EACH_BYTES
