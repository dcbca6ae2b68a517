"""A trace as the rows of a waterfall: where each bar begins, how long it is, and what is told of its span."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from lattice_cli.trace_tree import short
from lattice_cli.traces import Node, Span, Trace

MOST_OPEN: Final = 120
"""A trace of more spans begins with its deeper levels closed."""

_SECOND: Final = 1_000_000_000
_MINUTE: Final = 60 * _SECOND
_OPEN_LEVELS: Final = 3
_MOST_TICKS: Final = 5
_STEPS: Final = (1, 2, 5)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One span."""

    span: Span
    name: str
    level: int
    """From 1 on, as screen readers count."""
    position: int
    """Among its siblings, from 1 on."""
    siblings: int
    open: bool | None
    """Whether what lies below is shown; None where there is nothing."""
    hidden: bool
    offset: float
    """Where the bar begins, in percent of the trace's time."""
    width: float
    """How long the bar is, in the same percent."""
    spent: str
    told: Mapping[str, str]
    """What is shown when one asks for more."""


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A mark on the time axis."""

    offset: float
    label: str


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One trace."""

    trace_id: str
    began: str
    spent: str
    failures: int
    follows: Sequence[str]
    ticks: Sequence[Tick]
    rows: Sequence[Row]


def chart_of(trace: Trace) -> Chart:
    """The chart of a trace that has spans."""
    spans = list(trace.walk())
    return Chart(
        trace_id=trace.trace_id,
        began=f"{_time(trace.start):%Y-%m-%d %H:%M:%S} UTC",
        spent=duration(trace.end - trace.start),
        failures=sum(span.failed for span in spans),
        follows=trace.follows,
        ticks=_ticks(trace.end - trace.start),
        rows=list(_rows(trace, trace.roots, level=1, hidden=False, all_open=len(spans) <= MOST_OPEN)),
    )


def duration(nanoseconds: int) -> str:
    """A time as people say it, to three digits: `840 µs`, `12.3 ms`, `4.5 s`, `3 min 20 s`."""
    if nanoseconds >= 2 * _MINUTE:
        minutes, seconds = divmod(nanoseconds // _SECOND, 60)
        return f"{minutes} min {seconds} s"
    for size, unit in ((1_000, "µs"), (1_000_000, "ms")):
        if (value := float(f"{nanoseconds / size:.3g}")) < 1_000:
            return f"{value:g} {unit}"
    return f"{nanoseconds / _SECOND:.3g} s"


def _rows(trace: Trace, nodes: Sequence[Node], *, level: int, hidden: bool, all_open: bool) -> Iterator[Row]:
    for position, node in enumerate(nodes, start=1):
        # What failed is never behind a closed row.
        opened = all_open or level < _OPEN_LEVELS or any(it.failed for child in node.children for it in child.walk())
        yield Row(
            span=node.span,
            name=short(node.span.name),
            level=level,
            position=position,
            siblings=len(nodes),
            open=opened if node.children else None,
            hidden=hidden,
            offset=_percent(node.span.start - trace.start, trace),
            width=_percent(node.span.end - node.span.start, trace),
            spent=duration(node.span.end - node.span.start),
            told=_told(trace, node.span),
        )
        yield from _rows(trace, node.children, level=level + 1, hidden=hidden or not opened, all_open=all_open)


def _told(trace: Trace, span: Span) -> dict[str, str]:
    after = duration(span.start - trace.start)
    return {
        "span": span.name,
        "service": span.service,
        "kind": span.kind.lower(),
        "began": f"{_time(span.start):%H:%M:%S.%f}, {after} after the trace",
        "took": duration(span.end - span.start),
        "id": span.span_id,
        **{name: str(value) for name, value in sorted(span.attributes.items())},
    }


def _percent(nanoseconds: int, trace: Trace) -> float:
    """Clocks of several machines may disagree: what lies outside of the trace's time stands at its edge."""
    whole = trace.end - trace.start
    return round(min(max(100 * nanoseconds / whole, 0), 100), 3) if whole else 0.0


def _ticks(whole: int) -> list[Tick]:
    """A few round times, the first at 0."""
    if whole <= 0:
        return [Tick(offset=0, label="0")]
    step = next(it for power in range(20) for digit in _STEPS if whole / (it := digit * 10**power) < _MOST_TICKS)
    times = range(0, whole, step)
    return [Tick(offset=round(100 * it / whole, 3), label=duration(it) if it else "0") for it in times]


def _time(nanoseconds: int) -> datetime:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC)
