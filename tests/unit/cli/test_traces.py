"""Trees of spans, and how they are drawn in the terminal."""

import json
from collections.abc import Mapping, Sequence
from io import StringIO

from lattice_cli.trace_tree import draw
from lattice_cli.traces import Span, SpanLink, Trace, span_of
from lattice_cli.waterfall.rows import chart_of
from opentelemetry.proto.trace.v1 import trace_pb2
from rich.console import Console

TRACE = "1" * 32


def span(
    span_id: str,
    parent_id: str | None = None,
    name: str = "run",
    start: int = 0,
    links: Sequence[SpanLink] = (),
    kind: str = "INTERNAL",
    **attributes: str,
) -> Span:
    """A span of a millisecond; with a reason it was refused."""
    return Span(
        trace_id=TRACE,
        span_id=span_id,
        parent_id=parent_id,
        name=name,
        kind=kind,
        service="lattice-files",
        start=start,
        end=start + 1_000_000,
        attributes=told(attributes),
        failed="reason" in attributes,
        links=links,
    )


def told(attributes: Mapping[str, str]) -> dict[str, str]:
    return {f"lattice.{name}": value for name, value in attributes.items()}


def drawn(*spans: Span) -> str:
    written = StringIO()
    draw(Console(width=120, file=written), [Trace.of(TRACE, spans)])
    return written.getvalue()


def test_children_stand_below_their_parent_in_the_order_in_which_they_began() -> None:
    trace = Trace.of(TRACE, [span("c", "a", "commit", 30), span("b", "a", "lease", 20), span("a", None, "run", 10)])
    assert [it.name for it in trace.walk()] == ["run", "lease", "commit"]
    assert (trace.start, trace.end) == (10, 1_000_030)


def test_a_span_whose_parent_was_not_kept_is_a_root() -> None:
    assert [root.span.name for root in Trace.of(TRACE, [span("b", "gone", "edit", 20)]).roots] == ["edit"]


def test_a_span_of_a_kind_that_is_not_known_is_told_all_the_same() -> None:
    """A later OpenTelemetry may have one."""
    sent = trace_pb2.Span(trace_id=b"1" * 16, span_id=b"2" * 8, name="run")
    sent.MergeFromString(b"\x30\x63")  # the kind, 99
    assert span_of(sent, "somebody").kind == "UNSPECIFIED"


def test_a_span_that_was_sent_twice_is_one() -> None:
    trace = Trace.of(TRACE, [span("a"), span("b", "a", "lease"), span("b", "a", "lease")])
    assert [it.name for it in trace.walk()] == ["run", "lease"]


def test_a_trace_of_any_depth_is_told_with_all_its_spans() -> None:
    """Whoever reaches the receiver may send what nothing of the suite would."""
    chain = [span(f"{n}", f"{n - 1}" if n else None, f"step {n}", n) for n in range(2_000)]
    trace = Trace.of(TRACE, reversed(chain))
    assert [it.name for it in trace.walk()] == [it.name for it in chain]
    assert drawn(*chain).count("step ") == len(chain)
    assert json.dumps(trace.as_json()).count("step ") == len(chain)
    assert [it.name for it in chart_of(trace).rows] == [it.name for it in chain]


def test_a_refusal_is_drawn_with_its_reason() -> None:
    assert "✗ files.Edit NOT_ENABLED" in drawn(span("a", None, "files.Edit", reason="NOT_ENABLED"))


def test_a_call_is_one_line_that_names_who_asked_and_who_answered() -> None:
    method = "lattice.files.v1.NativeFilesService/Edit"
    text = drawn(span("a", None, method, kind="CLIENT"), span("b", "a", method, kind="SERVER"))
    assert "files.Edit  lattice-files → lattice-files 1.0 ms" in text
    assert text.count("files.Edit") == 1


def test_a_trace_is_drawn_with_those_that_it_follows() -> None:
    """TR-03."""
    cause = SpanLink(trace_id="2" * 32, span_id="3" * 16)
    assert f"trace {TRACE}  follows {'2' * 32}" in drawn(span("a", links=[cause, cause]))


def test_names_are_drawn_word_for_word() -> None:
    assert "[/x] [bold]run[/bold]" in drawn(span("a", None, "[/x] [bold]run[/bold]"))


def test_a_name_tells_the_terminal_nothing() -> None:
    """Whoever reaches the receiver may name a span as they like."""
    assert "\x1b" not in drawn(span("a", None, "\x1b]0;owned\x07\x1b[2J", reason="\x1b[31m"))
    assert "\u202e" not in drawn(span("a", None, "\u202eevil"))
