"""The spans and measurements of the session, wherever the services run: in processes of their own, or in the tests'."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from lattice_chassis.telemetry import line_of
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from suite.tracing.spans import Line, Span, Traces
from suite.tracing.table import row_of


class Collected(SpanExporter):
    """Reads what is new in the trace files of the suite's processes, and hears of what ends in this one."""

    def __init__(self) -> None:
        self.traces = Traces()
        self.measurements = InMemoryMetricReader()
        """What the services measured that run in this process."""
        self.emitted: dict[str, set[str]] = {}
        """The attributes of what was read, by the title of the row in the table."""
        self.listening = False
        """Whether what ends in this process is of a test of the suite, and not of another one."""
        self._lines: list[Line] = []
        self._files: dict[Path, int] = {}
        self._shared: set[Path] = set()

    def add_file(self, path: Path, *, shared: bool = False) -> None:
        """Read a trace file, too, once it is there; of a shared one what is written while this listens."""
        self._files.setdefault(path, 0)
        if shared:
            self._shared.add(path)

    def listen(self) -> None:
        """Begin to listen: what others wrote to shared files meanwhile is none of the suite's."""
        self.listening = True
        for path in self._shared:
            self._files[path] = path.stat().st_size if path.exists() else 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Take the spans of this process."""
        if self.listening:
            self._lines.extend(json.loads(json.dumps(line_of(it))) for it in spans)
        return SpanExportResult.SUCCESS

    def read(self) -> list[Span]:
        """The spans that ended since it was asked last; all are in `traces` from then on."""
        new = [Span.of(line) for line in self._new_lines()]
        self.traces.add(new)
        for span in new:
            row = row_of(span)
            if row is not None:
                self.emitted.setdefault(row.title, set()).update(span.attributes)
        return new

    def _new_lines(self) -> Iterator[Line]:
        lines, self._lines = self._lines, []
        yield from lines
        for path, reached in self._files.items():
            if not path.exists():
                continue
            with path.open("rb") as file:
                file.seek(reached)
                whole = file.read().rpartition(b"\n")[0]
            self._files[path] = reached + len(whole) + bool(whole)
            yield from map(json.loads, whole.splitlines())


def collecting() -> Collected:
    """What collects the spans and the measurements of this process from now on."""
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider()
        trace.set_tracer_provider(provider)
    collected = Collected()
    provider.add_span_processor(SimpleSpanProcessor(collected))
    metrics.set_meter_provider(MeterProvider([collected.measurements]))
    return collected
