"""Spans as the suite's processes tell of them, by their traces."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Line = Mapping[str, Any]
"""A span as `lattice_chassis.telemetry.TraceFile` writes it."""


@dataclass(frozen=True, kw_only=True)
class Link:
    """Another span that led to one."""

    trace_id: str
    span_id: str


@dataclass(frozen=True, kw_only=True)
class Span:
    """A span that ended."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    kind: str
    service: str
    attributes: Mapping[str, Any]
    links: Sequence[Link] = ()
    events: Sequence[Mapping[str, Any]] = ()

    @classmethod
    def of(cls, line: Line) -> "Span":
        """The span of a line."""
        return cls(
            trace_id=line["trace_id"],
            span_id=line["span_id"],
            parent_id=line["parent_id"],
            name=line["name"],
            kind=line["kind"],
            service=line["service"],
            attributes=line["attributes"],
            links=[Link(**it) for it in line["links"]],
            events=line["events"],
        )


class Traces:
    """All spans that are known of, by trace and id."""

    def __init__(self) -> None:
        self._spans: dict[str, dict[str, Span]] = defaultdict(dict)

    def add(self, spans: Iterable[Span]) -> None:
        """Learn of further spans."""
        for span in spans:
            self._spans[span.trace_id][span.span_id] = span

    def of(self, trace_id: str) -> Mapping[str, Span]:
        """The spans of a trace by their ids; none of one that nobody knows."""
        return self._spans.get(trace_id, {})
