"""The tables of docs/telemetry.md, and what looks for words in spans, can both find fault."""

from typing import Any

import pytest
from suite.tracing.content import words_in
from suite.tracing.spans import Span
from suite.tracing.table import faults_in, missing, rows, unlisted


def span(name: str, **attributes: Any) -> Span:  # noqa: ANN401 - as the SDK has it
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    return Span(
        trace_id="t", span_id="s", parent_id=None, name=name, kind="INTERNAL", service="lattice-agent", attributes=named
    )


def test_a_span_and_an_attribute_that_the_table_lacks_are_found() -> None:
    """TR-03."""
    assert list(faults_in(span("run", lattice__run_id="run_1", lattice__reason="FORBIDDEN"))) == []
    assert list(faults_in(span("run", lattice__title="x"))) == [
        "docs/telemetry.md has no attribute lattice.title of run"
    ]
    assert list(faults_in(span("nap"))) == ["docs/telemetry.md has no INTERNAL span nap"]


@pytest.mark.parametrize("section", ["Spans", "Metrics"])
def test_what_nothing_emits_and_what_the_table_lacks_is_found(section: str) -> None:
    """TR-03."""
    whole = {row.title: set(row.attributes) for row in rows(section)}
    assert whole
    assert [*missing(section, whole), *unlisted(section, whole)] == []
    title, attributes = next((title, found) for title, found in whole.items() if found)
    assert list(missing(section, {it: found for it, found in whole.items() if it != title}))
    assert list(missing(section, {**whole, title: set()})) != []
    assert list(unlisted(section, {**whole, title: attributes | {"more"}})) == [
        f"docs/telemetry.md has no attribute more of {title}"
    ]
    assert list(unlisted(section, {**whole, "nap": set()})) == ["docs/telemetry.md has no nap"]


@pytest.mark.parametrize(
    "told",
    [
        {"lattice__title": "Move the launch"},
        {"error__type": "ValueError: art_1 is secret"},
        {"lattice__token": "eyJhbGciOiJFUzI1NiJ9.e30.x"},
        {"rpc__method": "x" * 201},
        {"gen_ai__input__messages": '[{"role": "user", "parts": [{"type": "text", "content": "Move"}]}]'},
        {"logfire__msg": "running tool: edit with 3 March"},
    ],
    ids=lambda it: next(iter(it)),
)
def test_words_and_credentials_in_a_span_are_found(told: dict[str, str]) -> None:
    """TR-03, SE-05."""
    assert list(words_in(span("run", **told)))


def test_ids_counts_and_reasons_are_no_words() -> None:
    """TR-03."""
    messages = '[{"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "read"}]}]'
    told = {"lattice__run_id": "run_1", "lattice__blobs": 3, "lattice__reason": "NOT_FOUND"}
    assert list(words_in(span("run", **told, gen_ai__input__messages=messages))) == []
