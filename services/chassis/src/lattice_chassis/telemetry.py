"""Traces and logs: configured by the environment alone, ids and counts and reasons, never content [TR-03].

Spans leave by OTLP where an OTEL_EXPORTER_OTLP_* endpoint is set, and as lines of JSON into the file
that LATTICE_TRACE_FILE names; several processes may share that file. Lines of log carry the ids of trace and span.
What is measured is `lattice_chassis.metrics`'s; docs/telemetry.md has the tables.
"""

import json
import logging
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.semconv.attributes.error_attributes import ERROR_TYPE
from opentelemetry.trace import Link, NonRecordingSpan, Span, SpanContext, Status, StatusCode, TraceFlags, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import AttributeValue

from lattice_chassis import metrics
from lattice_chassis.errors import is_refusal

TRACE_FILE_VARIABLE: Final = "LATTICE_TRACE_FILE"
"""The environment variable that names the file for spans as lines of JSON."""

PROPAGATOR: Final = TraceContextTextMapPropagator()
"""How traces travel: by W3C trace context alone. Baggage does not: it is whatever a client likes, at every hop."""

_INVALID_SPAN: Final = trace.INVALID_SPAN.get_span_context()
_UNTRACED: Final = NonRecordingSpan(SpanContext(1, 1, is_remote=False, trace_flags=TraceFlags(TraceFlags.DEFAULT)))


def configure(service_name: str) -> None:
    """Set up traces and metrics of this process, once, before anything asks for a tracer's spans.

    Spans get ids and travel even where nothing exports them, so that errors and logs can name a trace.
    """
    resource = Resource.create({SERVICE_NAME: service_name})
    metrics.configure(resource)
    provider = TracerProvider(resource=resource)
    if metrics.exported("TRACES"):
        # Imported where it is used: it is a third of what a program without a collector would load.
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter  # noqa: PLC0415

        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace_file = os.environ.get(TRACE_FILE_VARIABLE)
    if trace_file:
        # Not batched: what a killed process did is what one wants to see.
        provider.add_span_processor(SimpleSpanProcessor(TraceFile(Path(trace_file))))
    trace.set_tracer_provider(provider)


@cache  # to be asked for costs as much as a span that nobody samples
def tracer() -> Tracer:
    """The tracer for spans of our own."""
    return trace.get_tracer("lattice")


@contextmanager
def span(
    name: str, /, *, parent: str | None = None, links: Sequence[str] = (), **attributes: AttributeValue | None
) -> Iterator[Span]:
    """Run the block in a span; an exception marks it as failed, with its reason or class but not its text.

    Args:
        name: what is done, such as `lease.acquire`.
        parent: the traceparent to continue; unless given, the current span is the parent.
        links: traceparents of spans that led here without being parents.
        attributes: ids, counts and reasons; each is named with `lattice.` in front, None is left out.
    """
    with tracer().start_as_current_span(
        name,
        context=None if parent is None else context_of(parent),
        links=[Link(context) for traceparent in links if (context := _span_context(traceparent)).is_valid],
        attributes={f"lattice.{key}": value for key, value in attributes.items() if value is not None},
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield current
        except Exception as error:
            current.set_attribute(ERROR_TYPE, type(error).__qualname__)
            if is_refusal(error):
                current.set_attribute("lattice.reason", error.reason)
            current.set_status(Status(StatusCode.ERROR))
            raise


@contextmanager
def untraced() -> Iterator[None]:
    """Leave no spans of the block, nor of what peers do for it: for what polls, follows or renews [TR-03]."""
    token = contexts.attach(trace.set_span_in_context(_UNTRACED))
    try:
        yield
    finally:
        contexts.detach(token)


def link_to(traceparents: Iterable[str]) -> None:
    """Link the current span to those that led to it without being its parents, each once.

    What is empty or malformed is passed over.
    """
    current = trace.get_current_span()
    for traceparent in dict.fromkeys(traceparents):
        if (context := _span_context(traceparent)).is_valid:
            current.add_link(context)


def current_traceparent() -> str | None:
    """The W3C traceparent of the current span, to keep with a row and continue later; None where nothing is traced."""
    carrier: dict[str, str] = {}
    if trace.get_current_span().get_span_context().trace_flags.sampled:
        PROPAGATOR.inject(carrier)
    return carrier.get("traceparent")


def current_trace_id() -> str | None:
    """The id of the current trace in 32 hex digits; None where nothing is traced [TR-01]."""
    context = trace.get_current_span().get_span_context()
    return trace.format_trace_id(context.trace_id) if context.trace_flags.sampled else None


def context_of(traceparent: str) -> Context:
    """The context that a kept traceparent stands for; an empty one where it is malformed."""
    return PROPAGATOR.extract({"traceparent": traceparent}, Context())


class TraceFile(SpanExporter):
    """Spans as lines of JSON, appended to a file.

    A line has `trace_id`, `span_id`, `parent_id` (null at a root), `name`, `kind`, `service`,
    `start_unix_nano`, `end_unix_nano`, `attributes`, `status` (UNSET, OK or ERROR), `events` (each with
    `name` and `attributes`) and `links` (each with `trace_id` and `span_id`). Lines of several processes
    do not mix: each is one write to a file opened for appending.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Append the spans that ended."""
        for ended in spans:
            os.write(self._file, (json.dumps(line_of(ended), separators=(",", ":")) + "\n").encode())
        return SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        """Close the file; nothing is exported after it."""
        os.close(self._file)


def logging_setup(style: Literal["human", "json"] = "human", level: str = "INFO") -> None:
    """Write this process's log to standard error, for people or as a JSON object a line; for main programs."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else HumanLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.getLogger("lattice.audit").setLevel(logging.INFO)  # on record whatever else is worth a line
    logging.getLogger("grpc._cython.cygrpc").addFilter(_without_metadata)


def _without_metadata(record: logging.LogRecord) -> bool:
    """Keep back what gRPC says of metadata that are no text: it quotes them, and one may be a credential."""
    return "Invalid encoding" not in record.getMessage()


_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def _on_one_line(text: str) -> str:
    """The text with what would end its line or steer a terminal spelt out: a stranger names methods as it likes."""
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


class HumanLines(logging.Formatter):
    """Time, level, message, and the ids of trace and span; a message is one line."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and the traceback below where there is one."""
        trace_id, span_id = _current_ids()
        line = f"{_time_of(record):%H:%M:%S.%f} {record.levelname:<7} {_on_one_line(record.getMessage())}"
        line += f" [{trace_id} {span_id}]" if trace_id else ""
        return line if record.exc_info is None else f"{line}\n{self.formatException(record.exc_info)}"


class JsonLines(logging.Formatter):
    """A JSON object a line: time, level, logger, message, ids of trace and span, and the record's extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The object; fields that are None are left out."""
        trace_id, span_id = _current_ids()
        fields: dict[str, Any] = {
            "time": _time_of(record).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "trace_id": trace_id,
            "span_id": span_id,
            **{key: value for key, value in vars(record).items() if key not in _STANDARD_FIELDS},
        }
        if record.exc_info is not None:
            fields["exception"] = self.formatException(record.exc_info)
        return json.dumps({key: value for key, value in fields.items() if value is not None}, default=str)


_STANDARD_FIELDS: Final = frozenset({*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"})


def _current_ids() -> tuple[str, str] | tuple[None, None]:
    """The ids of trace and span, sampled or not: lines that belong together are found by them all the same."""
    context = trace.get_current_span().get_span_context()
    if not context.is_valid or context == _UNTRACED.get_span_context():
        return None, None
    return trace.format_trace_id(context.trace_id), trace.format_span_id(context.span_id)


def _time_of(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


def _span_context(traceparent: str) -> SpanContext:
    return trace.get_current_span(context_of(traceparent)).get_span_context()


def line_of(ended: ReadableSpan) -> Mapping[str, Any]:
    """What `TraceFile` tells of a span."""
    context = ended.get_span_context() or _INVALID_SPAN
    return {
        "trace_id": trace.format_trace_id(context.trace_id),
        "span_id": trace.format_span_id(context.span_id),
        "parent_id": None if ended.parent is None else trace.format_span_id(ended.parent.span_id),
        "name": ended.name,
        "kind": ended.kind.name,
        "service": ended.resource.attributes.get(SERVICE_NAME),
        "start_unix_nano": ended.start_time,
        "end_unix_nano": ended.end_time,
        "attributes": dict(ended.attributes or {}),
        "status": ended.status.status_code.name,
        "events": [{"name": it.name, "attributes": dict(it.attributes or {})} for it in ended.events],
        "links": [
            {
                "trace_id": trace.format_trace_id(link.context.trace_id),
                "span_id": trace.format_span_id(link.context.span_id),
            }
            for link in ended.links
        ],
    }
