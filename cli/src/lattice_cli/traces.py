"""Spans as `lattice up` keeps them, and the tree of one trace.

The suite's processes append their spans to one file of JSON lines. A run's trace is found by the run's
id on one of its spans; the tree is by parent, in the order in which spans began.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

_METHOD: Final = re.compile(r"lattice\.(?P<area>\w+)\.v1\.\w+/(?P<method>\w+)")
_WIDEST_LINE: Final = 160


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

    @property
    def milliseconds(self) -> float:
        """How long it took."""
        return (self.end - self.start) / 1e6


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
        """The tree for programs: name, service, milliseconds, failed, children."""
        return {
            "name": self.span.name,
            "service": self.span.service,
            "ms": round(self.span.milliseconds, 2),
            "failed": self.span.failed,
            "children": [child.as_json() for child in self.children],
        }


def read_spans(path: Path) -> list[Span]:
    """All spans of a trace file; a line that is none, as one cut short by a killed process, is passed over."""
    return [span for line in path.read_text(errors="replace").splitlines() if (span := _parsed(line)) is not None]


def trace_of_run(spans: Iterable[Span], run_id: str) -> str | None:
    """The id of the trace in which a run last worked; None where no span names it."""
    found = [span for span in spans if span.attributes.get("lattice.run_id") == run_id]
    return max(found, key=lambda span: span.start).trace_id if found else None


def tree_of(spans: Iterable[Span], trace_id: str) -> list[Node]:
    """The roots of a trace. A span whose parent is not here, since its process was not asked, is a root."""
    ours = sorted((span for span in spans if span.trace_id == trace_id), key=lambda span: span.start)
    known = {span.span_id for span in ours}
    below: dict[str | None, list[Span]] = defaultdict(list)
    for span in ours:
        below[span.parent_id if span.parent_id in known else None].append(span)

    def node(span: Span) -> Node:
        return Node(span=span, children=[node(child) for child in below[span.span_id]])

    return [node(root) for root in below[None]]


def draw(console: Console, roots: Sequence[Node]) -> None:
    """Print the tree; a line that the terminal is too narrow for goes on below rather than being cut."""
    tree = Tree(Text(f"trace {roots[0].span.trace_id}" if roots else "no spans"))
    for root in roots:
        _grow(tree, root)
    console.print(tree, width=max(console.width, _WIDEST_LINE), crop=False)


def _grow(tree: Tree, node: Node) -> None:
    """A call is one line: what its caller and its server spent lies in one another."""
    span, children = node.span, node.children
    where = span.service
    if span.kind == "CLIENT" and len(children) == 1 and children[0].span.name == span.name:
        where = f"{where} → {children[0].span.service}"
        children = children[0].children
    mark = ("✗ ", "red") if span.failed else ""
    reason = span.attributes.get("lattice.reason")
    told = (f" {reason}", "red") if reason else ""
    spent = (f"  {where} {span.milliseconds:.1f} ms", "dim")
    branch = tree.add(Text.assemble(mark, _short(span.name), told, spent))
    for child in children:
        _grow(branch, child)


def _short(name: str) -> str:
    """A method as people say it: `files.Edit` for `lattice.files.v1.NativeFilesService/Edit`."""
    match = _METHOD.fullmatch(name)
    return f"{match['area']}.{match['method']}" if match else name


def _parsed(line: str) -> Span | None:
    try:
        raw = json.loads(line)
        return Span(
            trace_id=raw["trace_id"],
            span_id=raw["span_id"],
            parent_id=raw["parent_id"],
            name=raw["name"],
            kind=raw["kind"],
            service=raw["service"],
            start=raw["start_unix_nano"],
            end=raw["end_unix_nano"],
            attributes=raw["attributes"],
            failed=raw["status"] == "ERROR",
        )
    except (ValueError, TypeError, KeyError):
        return None
