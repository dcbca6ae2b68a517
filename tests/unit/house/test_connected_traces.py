"""What every test of the suite is checked by can fail: a trace that is broken in each way is found so [TR-03]."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from suite.tracing.connection import faults_of
from suite.tracing.spans import Link, Span, Traces

EDIT = "lattice.files.v1.NativeFilesService/Edit"
CHECK = "lattice.integrations.v1.IntegrationsService/CheckEnabled"


def span(span_id: str, parent_id: str | None, name: str, kind: str = "INTERNAL", *links: Link) -> Span:
    return Span(
        trace_id="t1",
        span_id=span_id,
        parent_id=parent_id,
        name=name,
        kind=kind,
        service="lattice-agent",
        attributes={},
        links=links,
    )


TURN = [
    span("1", None, "turn"),
    span("2", "1", "run"),
    span("3", "2", EDIT, "CLIENT"),
    span("4", "3", EDIT, "SERVER"),
    span("5", "4", CHECK, "CLIENT"),
    span("6", "5", CHECK, "SERVER"),
    span("7", "4", "commit"),
]


def told(spans: Sequence[Span]) -> list[str]:
    """The faults of the trace, with the spans of another one known."""
    traces = Traces()
    traces.add([*spans, replace(TURN[0], trace_id="t0", span_id="cause")])
    return list(faults_of(traces, "t1"))


def test_a_whole_trace_has_no_fault() -> None:
    """TR-03: with a link to what caused it, too."""
    linked = replace(TURN[0], links=[Link(trace_id="t0", span_id="cause")])
    assert told(TURN) == told([linked, *TURN[1:]]) == []


@pytest.mark.parametrize("missing", range(5))
def test_a_span_whose_parent_is_missing_is_found(missing: int) -> None:
    """TR-03: wherever the trace breaks."""
    parent = TURN[missing].span_id
    below = [it.name for it in TURN if it.parent_id == parent]
    faults = told([it for it in TURN if it.span_id != parent])
    assert [it for it in faults if "parent" in it and "not in its trace" in it]
    assert len(faults) >= len(below)


def test_a_second_root_is_found() -> None:
    """TR-03."""
    assert any("2 roots: ingest, turn" in it for it in told([*TURN, span("8", None, "ingest")]))


def test_a_root_that_none_may_be_is_found() -> None:
    """TR-03: such as the call of a task that forgot its trace."""
    assert told([span("1", None, "commit")])
    assert told([span("1", None, EDIT, "CLIENT")])
    assert told([span("1", None, EDIT, "SERVER")]) == []


def test_a_call_that_goes_upward_or_past_a_service_is_found() -> None:
    """MP-01: agent asks files alone, and files asks nobody above it."""
    past = [*TURN[:2], span("3", "2", CHECK, "CLIENT"), span("4", "3", CHECK, "SERVER")]
    assert told(past) == [f"agent calls {CHECK}, which it may not"]
    upward = "lattice.agent.v1.LogService/ReadLog"
    called = [*TURN[:4], span("8", "4", upward, "CLIENT"), span("9", "8", upward, "SERVER")]
    assert told(called) == [f"files calls {upward}, which it may not"]


def test_a_link_of_another_span_or_to_nowhere_is_found() -> None:
    """TR-03."""
    to_cause, to_nowhere = Link(trace_id="t0", span_id="cause"), Link(trace_id="t0", span_id="gone")
    assert any("has links" in it for it in told([*TURN, span("8", "1", "commit", "INTERNAL", to_cause)]))
    assert any("nobody knows" in it for it in told([span("1", None, "turn", "INTERNAL", to_nowhere)]))
