"""Reading spans back and drawing them."""

import json
from pathlib import Path

from lattice_cli import traces
from rich.console import Console


def line(span_id: str, parent_id: str | None, name: str, start: int, **attributes: str) -> str:
    span: dict[str, object] = {
        "trace_id": "t1",
        "span_id": span_id,
        "parent_id": parent_id,
        "name": name,
        "kind": "INTERNAL",
        "service": "lattice-files",
        "start_unix_nano": start,
        "end_unix_nano": start + 1_000_000,
        "attributes": attributes,
        "status": "ERROR" if "lattice.reason" in attributes else "UNSET",
        "links": [],
    }
    return json.dumps(span)


def test_children_stand_below_their_parent_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_text("\n".join([line("c", "a", "commit", 30), line("b", "a", "lease", 20), line("a", None, "run", 10)]))
    [root] = traces.tree_of(traces.read_spans(path), "t1")
    assert [span.name for span in root.walk()] == ["run", "lease", "commit"]


def test_a_span_whose_parent_was_not_kept_is_a_root(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_text(line("b", "gone", "edit", 20))
    assert [root.span.name for root in traces.tree_of(traces.read_spans(path), "t1")] == ["edit"]


def test_a_line_cut_short_by_a_killed_process_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_text(line("a", None, "run", 10) + "\n" + line("b", "a", "edit", 20)[:40] + "\n5\n{}")
    assert [span.name for span in traces.read_spans(path)] == ["run"]


def test_the_trace_of_a_run_is_the_one_in_which_it_last_worked() -> None:
    spans = [
        traces.Span(
            trace_id=trace, span_id=trace, parent_id=None, name="run", kind="INTERNAL", service="lattice-agent",
            start=start, end=start + 1, attributes={"lattice.run_id": "run_1"},
        )
        for trace, start in (("first", 1), ("resumed", 2))
    ]  # fmt: skip
    assert traces.trace_of_run(spans, "run_1") == "resumed"
    assert traces.trace_of_run(spans, "run_2") is None


def test_a_refusal_is_drawn_with_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_text(line("a", None, "files.Edit", 10, **{"lattice.reason": "NOT_ENABLED"}))
    console = Console(width=120, record=True)
    traces.draw(console, traces.tree_of(traces.read_spans(path), "t1"))
    assert "NOT_ENABLED" in console.export_text()


def test_names_are_drawn_word_for_word(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_text(line("a", None, "[/x] [bold]run[/bold]", 10))
    console = Console(width=120, record=True)
    traces.draw(console, traces.tree_of(traces.read_spans(path), "t1"))
    assert "[/x] [bold]run[/bold]" in console.export_text()
