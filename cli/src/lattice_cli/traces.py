"""Spans as OpenTelemetry tells of them, and the trees that they make."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from opentelemetry.proto.common.v1 import common_pb2
from opentelemetry.proto.resource.v1 import resource_pb2
from opentelemetry.proto.trace.v1 import trace_pb2

DEEPEST: Final = 32
"""How many levels a tree has at the most, whatever was sent: as many as a terminal has room for."""

_UNNAMED: Final = "a service without a name"


@dataclass(frozen=True, kw_only=True)
class SpanLink:
    """A span that led to another without being its parent."""

    trace_id: str
    span_id: str


@dataclass(frozen=True, kw_only=True)
class Span:
    """One ended span."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    kind: str
    service: str
    start: int
    """Nanoseconds since 1970."""
    end: int
    """Nanoseconds since 1970."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    failed: bool = False
    links: Sequence[SpanLink] = ()

    @property
    def milliseconds(self) -> float:
        """How long it took; 0 where the clock went back meanwhile."""
        return max(self.end - self.start, 0) / 1e6

    @property
    def reason(self) -> str | None:
        """Why it was refused, or the class of the error that ended it; None where nothing did."""
        found = self.attributes.get("lattice.reason") or (self.attributes.get("error.type") if self.failed else None)
        return None if found is None else str(found)


@dataclass(frozen=True, kw_only=True)
class Node:
    """A span with those below it, in the order in which they began."""

    span: Span
    children: Sequence["Node"]

    def walk(self) -> Iterator[Span]:
        """The span and all below, parents first."""
        yield self.span
        for child in self.children:
            yield from child.walk()

    def as_json(self) -> dict[str, Any]:
        """The tree for programs: name, service, milliseconds, failed, reason, linked traces, children."""
        return {
            "name": self.span.name,
            "service": self.span.service,
            "ms": round(self.span.milliseconds, 2),
            "failed": self.span.failed,
            "reason": self.span.reason,
            "links": [link.trace_id for link in self.span.links],
            "children": [child.as_json() for child in self.children],
        }


@dataclass(frozen=True, kw_only=True)
class Trace:
    """One trace, as far as its spans are here."""

    trace_id: str
    roots: Sequence[Node]
    """A span whose parent is not here, since its process was not asked or still runs, is a root."""

    @classmethod
    def of(cls, trace_id: str, spans: Iterable[Span]) -> "Trace":
        """The trace of this id among the spans."""
        return cls(trace_id=trace_id, roots=tree_of(spans, trace_id))

    def walk(self) -> Iterator[Span]:
        """All its spans, parents first."""
        for root in self.roots:
            yield from root.walk()

    @cached_property
    def start(self) -> int:
        """When its first span began, in nanoseconds since 1970; 0 without spans."""
        return min((span.start for span in self.walk()), default=0)

    @cached_property
    def end(self) -> int:
        """When its last span ended, in nanoseconds since 1970; 0 without spans."""
        return max((span.end for span in self.walk()), default=0)

    @property
    def follows(self) -> Sequence[str]:
        """The ids of the traces that its spans link to, each once."""
        linked = (link.trace_id for span in self.walk() for link in span.links)
        return [it for it in dict.fromkeys(linked) if it != self.trace_id]

    def as_json(self) -> dict[str, Any]:
        """The trace for programs."""
        return {"trace_id": self.trace_id, "roots": [root.as_json() for root in self.roots]}


def tree_of(spans: Iterable[Span], trace_id: str) -> list[Node]:
    """The roots of a trace. A span whose parent is not here, since its process was not asked, is a root.

    A span that was sent twice, as exporters do that had no answer, is one. What lies deeper than DEEPEST levels stands
    beside its parent.
    """
    ours = {span.span_id: span for span in spans if span.trace_id == trace_id}
    below: dict[str | None, list[Span]] = defaultdict(list)
    for span in sorted(ours.values(), key=lambda span: span.start, reverse=True):
        below[span.parent_id if span.parent_id in ours else None].append(span)
    roots: list[Node] = []
    waiting = [(span, roots, 1) for span in below[None]]
    while waiting:
        span, siblings, level = waiting.pop()
        children: list[Node] = []
        siblings.append(Node(span=span, children=children))
        into = children if level < DEEPEST else siblings
        waiting.extend((child, into, min(level + 1, DEEPEST)) for child in below[span.span_id])
    return roots


def service_of(resource: resource_pb2.Resource) -> str:
    """The name of the service that a resource stands for."""
    named = (str(value_of(it.value)) for it in resource.attributes if it.key == "service.name")
    return next(named, _UNNAMED)


def span_of(told: trace_pb2.Span, service: str) -> Span:
    """A span of a service as OTLP tells of it."""
    return Span(
        trace_id=told.trace_id.hex(),
        span_id=told.span_id.hex(),
        parent_id=told.parent_span_id.hex() or None,
        name=told.name,
        kind=_kind(told.kind),
        service=service,
        start=told.start_time_unix_nano,
        end=told.end_time_unix_nano,
        attributes={it.key: value_of(it.value) for it in told.attributes},
        failed=told.status.code == trace_pb2.Status.STATUS_CODE_ERROR,
        links=[SpanLink(trace_id=it.trace_id.hex(), span_id=it.span_id.hex()) for it in told.links],
    )


def _kind(kind: int) -> str:
    kinds = trace_pb2.Span.SpanKind
    return kinds.Name(kind).removeprefix("SPAN_KIND_") if kind in kinds.values() else "UNSPECIFIED"  # type: ignore[arg-type]


def value_of(value: common_pb2.AnyValue) -> Any:  # noqa: ANN401 - whatever an attribute may be
    """The value of an attribute as Python knows it; None where there is none."""
    match value.WhichOneof("value"):
        case None:
            return None
        case "array_value":
            return [value_of(it) for it in value.array_value.values]
        case "kvlist_value":
            return {it.key: value_of(it.value) for it in value.kvlist_value.values}
        case kind:
            return getattr(value, kind)
