"""Traces and logs: configured by the environment alone, ids and counts and reasons, never content.

Spans leave by OTLP where an OTEL_EXPORTER_OTLP_* endpoint is set, and as lines of JSON into the file
that LATTICE_TRACE_FILE names; several processes may share that file. Logs carry the trace id.
"""

import json
import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from opentelemetry import propagate, trace
from opentelemetry.context import Context
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.semconv.attributes.error_attributes import ERROR_TYPE
from opentelemetry.trace import Link, Span, SpanContext, Status, StatusCode, Tracer
from opentelemetry.util.types import AttributeValue

from lattice_chassis.errors import is_refusal

TRACE_FILE_VARIABLE: Final = "LATTICE_TRACE_FILE"
"""The environment variable that names the file for spans as lines of JSON."""

_OTLP_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_INVALID_SPAN: Final = trace.INVALID_SPAN.get_span_context()


def configure(service_name: str) -> None:
    """Set up tracing for this process, once, before anything asks for a tracer's spans.

    Spans get ids and travel even where nothing exports them, so that errors and logs can name a trace.
    """
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: service_name}))
    if any(os.environ.get(name) for name in _OTLP_ENDPOINTS):
        # Imported where it is used: it is a third of what a program without a collector would load.
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter  # noqa: PLC0415

        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace_file = os.environ.get(TRACE_FILE_VARIABLE)
    if trace_file:
        # Not batched: what a killed process did is what one wants to see.
        provider.add_span_processor(SimpleSpanProcessor(TraceFile(Path(trace_file))))
    trace.set_tracer_provider(provider)


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


def current_traceparent() -> str | None:
    """The W3C traceparent of the current span, to keep with a row and continue later; None outside any."""
    carrier: dict[str, str] = {}
    propagate.inject(carrier)
    return carrier.get("traceparent")


def current_trace_id() -> str | None:
    """The id of the current trace in 32 hex digits; None outside any."""
    context = trace.get_current_span().get_span_context()
    return trace.format_trace_id(context.trace_id) if context.is_valid else None


def context_of(traceparent: str) -> Context:
    """The context that a kept traceparent stands for; an empty one where it is malformed."""
    return propagate.extract({"traceparent": traceparent})


class TraceFile(SpanExporter):
    """Spans as lines of JSON, appended to a file.

    A line has `trace_id`, `span_id`, `parent_id` (null at a root), `name`, `kind`, `service`,
    `start_unix_nano`, `end_unix_nano`, `attributes`, `status` (UNSET, OK or ERROR) and `links`
    (each with `trace_id` and `span_id`). Lines of several processes do not mix: each is one write
    to a file opened for appending.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Append the spans that ended."""
        for ended in spans:
            os.write(self._file, (json.dumps(_line_of(ended), separators=(",", ":")) + "\n").encode())
        return SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        """Close the file; nothing is exported after it."""
        os.close(self._file)


def logging_setup(style: Literal["human", "json"] = "human", level: str = "INFO") -> None:
    """Write this process's log to standard error, for people or as a JSON object a line; for main programs."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else HumanLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)


class HumanLines(logging.Formatter):
    """Time, level, message and the start of the trace id."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and the traceback below where there is one."""
        trace_id = current_trace_id()
        line = f"{_time_of(record):%H:%M:%S.%f} {record.levelname:<7} {record.getMessage()}"
        line += f" [{trace_id[:8]}]" if trace_id else ""
        return line if record.exc_info is None else f"{line}\n{self.formatException(record.exc_info)}"


class JsonLines(logging.Formatter):
    """A JSON object a line: time, level, logger, message, trace id, and the record's extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The object; fields that are None are left out."""
        fields: dict[str, Any] = {
            "time": _time_of(record).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "trace_id": current_trace_id(),
            **{key: value for key, value in vars(record).items() if key not in _STANDARD_FIELDS},
        }
        if record.exc_info is not None:
            fields["exception"] = self.formatException(record.exc_info)
        return json.dumps({key: value for key, value in fields.items() if value is not None}, default=str)


_STANDARD_FIELDS: Final = frozenset({*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"})


def _time_of(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


def _span_context(traceparent: str) -> SpanContext:
    return trace.get_current_span(context_of(traceparent)).get_span_context()


def _line_of(ended: ReadableSpan) -> Mapping[str, Any]:
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
        "links": [
            {
                "trace_id": trace.format_trace_id(link.context.trace_id),
                "span_id": trace.format_span_id(link.context.span_id),
            }
            for link in ended.links
        ],
    }
