"""The tables of docs/telemetry.md against what is emitted: `python -m suite.tracing.table FOLDER`.

The folder has what each session of the suite emitted. It fails on a span, an attribute or a metric that the tables
lack, and on one of theirs that nothing emitted; run it after the whole suite.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from suite.tracing.spans import Span

DOCUMENT: Final = Path(__file__).resolve().parents[3] / "docs" / "telemetry.md"

ON_ANY_SPAN: Final = frozenset({"error.type", "lattice.reason"})

_NAME: Final = re.compile(r"`([^`]+)`")
_CODE: Final = re.compile(r"`([\w.]+\.[\w.]+|agent_name|model_name)`")
_KINDS: Final = {"(server)": "SERVER", "(client)": "CLIENT"}

Emitted = Mapping[str, Iterable[str]]
"""Attributes by the title of the row in the table."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of one of the tables."""

    title: str
    name: re.Pattern[str]
    kind: str | None
    """The kind of span that alone is meant."""
    attributes: frozenset[str]

    def has(self, span: Span) -> bool:
        """Whether the span is one of these."""
        return self.name.fullmatch(span.name) is not None and self.kind in {None, span.kind}


@cache
def rows(section: str) -> tuple[Row, ...]:
    """The rows of the table in a section, `Spans` or `Metrics`."""
    text = DOCUMENT.read_text("utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    found = [line for line in text.splitlines() if line.startswith("| `")]
    return tuple(map(_row, found))


def row_of(span: Span) -> Row | None:
    """The row of the table that a span is of."""
    return next((row for row in rows("Spans") if row.has(span)), None)


def faults_in(span: Span) -> Iterator[str]:
    """What of a span the table lacks."""
    row = row_of(span)
    if row is None:
        yield f"docs/telemetry.md has no {span.kind} span {span.name}"
        return
    for name in sorted(span.attributes.keys() - row.attributes - ON_ANY_SPAN):
        yield f"docs/telemetry.md has no attribute {name} of {row.title}"


def measured(reader: InMemoryMetricReader) -> dict[str, set[str]]:
    """The metrics that were recorded, with their attributes."""
    found: dict[str, set[str]] = {}
    data = reader.get_metrics_data()
    for resource in () if data is None else data.resource_metrics:
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                for point in metric.data.data_points:
                    found.setdefault(metric.name, set()).update(map(str, point.attributes or {}))
    return found


def missing(section: str, emitted: Emitted) -> Iterator[str]:
    """What the table has and nothing emitted."""
    for row in rows(section):
        if row.title not in emitted:
            yield f"nothing emits {row.title}, which docs/telemetry.md has"
            continue
        for name in sorted(row.attributes - set(emitted[row.title])):
            yield f"nothing emits the attribute {name} of {row.title}, which docs/telemetry.md has"


def unlisted(section: str, emitted: Emitted) -> Iterator[str]:
    """What was emitted and the table lacks."""
    known = {row.title: row.attributes for row in rows(section)}
    for title, attributes in emitted.items():
        if title not in known:
            yield f"docs/telemetry.md has no {title}"
            continue
        for name in sorted(set(attributes) - known[title] - ON_ANY_SPAN):
            yield f"docs/telemetry.md has no attribute {name} of {title}"


def _row(line: str) -> Row:
    cells = [it.strip() for it in line.strip("|").split("|")]
    name = _NAME.findall(cells[0])[0]
    kind = next((value for key, value in _KINDS.items() if key in cells[0]), None)
    pattern = re.sub(r"\\{\w+\\}", ".+", re.escape(name))
    title = name if kind is None else f"{name} {kind}"
    return Row(title=title, name=re.compile(pattern), kind=kind, attributes=frozenset(_CODE.findall(cells[-1])))


def main(folder: Path) -> int:
    """Compare, and print what is wrong."""
    faults: list[str] = []
    sessions = [json.loads(it.read_text()) for it in folder.glob("*.json")]
    for section in ("Spans", "Metrics"):
        emitted: dict[str, set[str]] = {}
        for session in sessions:
            for title, attributes in session[section].items():
                emitted.setdefault(title, set()).update(attributes)
        faults += [*missing(section, emitted), *unlisted(section, emitted)]
    print("\n".join(faults) or f"{sum(len(rows(it)) for it in ('Spans', 'Metrics'))} rows of docs/telemetry.md hold")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
