"""What is wrong with a trace: spans that hang in the air, roots that are none, calls that go the wrong way [TR-03]."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from suite.tracing.spans import Span, Traces

METHOD: Final = re.compile(r"(?:lattice\.)?(?P<area>\w+)(?:\.evaluation)?\.v[12]\.\w+/\w+")
"""A method of ours, or of `flagd.evaluation`, which integrations answers beside its own."""

OUTSIDE: Final = "outside"
"""Whoever calls Lattice: the tests."""

EDGES: Final = {
    (OUTSIDE, "integrations"),
    (OUTSIDE, "files"),
    (OUTSIDE, "agent"),
    (OUTSIDE, "flagd"),
    ("agent", "files"),
    ("agent", "agent"),  # a replica asks the one that executes a run
    ("files", "integrations"),
    ("files", "app"),
}
"""Who may call whom; nothing calls upward [29]."""

ROOTS: Final = {"turn": "agent", "ingest": "agent", "types.register": "agent", "app.start": "files"}
"""What begins a trace beside a call from outside, and whose it is."""

OF_THE_LIBRARY: Final = {"commit": "agent"}
"""What begins a trace beside those where a program uses artifactr itself, as tests do, and no service."""

LINKING: Final = {"turn", "ingest"}
"""The spans that may name others which led to them."""


def faults_of(traces: Traces, trace_id: str) -> Iterator[str]:
    """What is wrong with a trace, in words; nothing where it is one connected tree with declared edges and links."""
    spans = traces.of(trace_id)
    roots = [it for it in spans.values() if it.parent_id is None]
    if len(roots) > 1:
        yield f"trace {trace_id} has {len(roots)} roots: {', '.join(sorted(it.name for it in roots))}"
    for span in spans.values():
        if span.parent_id is not None and span.parent_id not in spans:
            yield f"the parent of {_told(span)} is not in its trace"
            continue
        if span.parent_id is None:
            yield from _faults_of_root(span)
        yield from _faults_of_links(traces, span)
        yield from _faults_of_edge(spans, span)


def _faults_of_root(span: Span) -> Iterator[str]:
    of_a_service = span.service.startswith("lattice-")
    from_outside = METHOD.fullmatch(span.name) and (span.kind == "SERVER" or not of_a_service)
    by_the_library = span.name in OF_THE_LIBRARY and not of_a_service
    if not from_outside and not by_the_library and span.name not in ROOTS:
        yield f"{_told(span)} begins a trace, which nothing but {', '.join(ROOTS)} and calls from outside do"


def _faults_of_links(traces: Traces, span: Span) -> Iterator[str]:
    if span.links and span.name not in LINKING:
        yield f"{_told(span)} has links, which none but {', '.join(LINKING)} have"
    for link in span.links:
        if link.span_id not in traces.of(link.trace_id):
            yield f"{_told(span)} is linked to a span that nobody knows"


def _faults_of_edge(spans: Mapping[str, Span], span: Span) -> Iterator[str]:
    method = METHOD.fullmatch(span.name)
    if span.kind != "SERVER" or method is None:
        return
    caller = OUTSIDE if span.parent_id is None else _owner(spans, spans[span.parent_id])
    if (caller, method["area"]) not in EDGES:
        yield f"{caller} calls {span.name}, which it may not"


def _owner(spans: Mapping[str, Span], span: Span | None) -> str:
    """Whose span it is: that of the call that is answered above it, or of the root."""
    while span is not None:
        method = METHOD.fullmatch(span.name)
        if span.kind == "SERVER" and method is not None:
            return method["area"]
        if span.parent_id is None:
            return (ROOTS | OF_THE_LIBRARY).get(span.name, OUTSIDE)
        span = spans.get(span.parent_id)
    return OUTSIDE


def _told(span: Span) -> str:
    return f"{span.kind} {span.name} of {span.service} in trace {span.trace_id}"
