"""Spans in the JSON of OTLP, which Jaeger's query API speaks: protobuf's own, but with ids in hexadecimal digits."""

import base64
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from google.protobuf.json_format import MessageToDict, ParseDict
from opentelemetry.proto.trace.v1 import trace_pb2

from lattice_cli.traces import Span, service_of, span_of

_IDS: Final = ("traceId", "spanId", "parentSpanId")


def as_json(spans: Iterable[tuple[str, trace_pb2.Span]]) -> dict[str, Any]:
    """Spans, each with its service, as an OTLP object `TracesData`."""
    return {"resourceSpans": [_resource(service, span) for service, span in spans]}


def from_json(told: dict[str, Any]) -> Sequence[Span]:
    """The spans of an OTLP object `TracesData`.

    Raises:
        ValueError: it is none.
    """
    try:
        for span in (it for group in told["resourceSpans"] for scope in group["scopeSpans"] for it in scope["spans"]):
            _with_ids(span, lambda digits: base64.b64encode(bytes.fromhex(digits)).decode())
        data = ParseDict(told, trace_pb2.TracesData(), ignore_unknown_fields=True)
    except (KeyError, TypeError, ValueError, AttributeError) as error:  # protobuf's ParseError is a ValueError too
        raise ValueError("no spans in the JSON of OTLP") from error
    return [
        span_of(span, service_of(group.resource))
        for group in data.resource_spans
        for scope in group.scope_spans
        for span in scope.spans
    ]


def _resource(service: str, span: trace_pb2.Span) -> dict[str, Any]:
    told = MessageToDict(span)
    _with_ids(told, lambda encoded: base64.b64decode(encoded).hex())
    named = {"attributes": [{"key": "service.name", "value": {"stringValue": service}}]}
    return {"resource": named, "scopeSpans": [{"spans": [told]}]}


def _with_ids(span: dict[str, Any], written: Callable[[str], str]) -> None:
    for each in (span, *span.get("links", ())):
        for name in _IDS:
            if each.get(name):
                each[name] = written(each[name])
