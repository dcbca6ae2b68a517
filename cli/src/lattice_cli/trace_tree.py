"""Traces as trees in the terminal."""

import re
from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.segment import Segments
from rich.text import Text
from rich.tree import Tree

from lattice_cli.plain import plain
from lattice_cli.traces import Node, Trace

_METHOD: Final = re.compile(r"lattice\.(?P<area>\w+)\.v1\.\w+/(?P<method>\w+)")
_WIDEST_LINE: Final = 240


def draw(console: Console, traces: Iterable[Trace]) -> None:
    """Print the trees; a line that the terminal is too narrow for goes on below rather than being cut."""
    for trace in traces:
        follows = f"  follows {', '.join(trace.follows)}" if trace.follows else ""
        tree = Tree(Text.assemble(f"trace {trace.trace_id}", (follows, "dim")))
        for root in trace.roots:
            _grow(tree, root)
        wide = console.options.update(
            width=max(console.width, _WIDEST_LINE)
        )  # `print` would keep to the terminal's own
        console.print(Segments(console.render(tree, wide)), crop=False, soft_wrap=True, end="")


def short(name: str) -> str:
    """A method as people say it: `files.Edit` for `lattice.files.v1.NativeFilesService/Edit`."""
    match = _METHOD.fullmatch(name)
    return f"{match['area']}.{match['method']}" if match else name


def _plain(text: str) -> str:
    """What others named, on one line."""
    return plain(" ".join(text.splitlines()))


def _grow(tree: Tree, node: Node) -> None:
    """A call is one line: what its caller and its server spent lies in one another."""
    span, children = node.span, node.children
    where, reason = span.service, span.reason
    if span.kind == "CLIENT" and len(children) == 1 and children[0].span.name == span.name:
        where = f"{where} → {children[0].span.service}"
        reason = reason or children[0].span.reason
        children = children[0].children
    mark = ("✗ ", "red") if span.failed else ""
    told = (f" {_plain(reason)}", "red") if reason else ""
    spent = (f"  {_plain(where)} {span.milliseconds:.1f} ms", "dim")
    branch = tree.add(Text.assemble(mark, _plain(short(span.name)), told, spent))
    for child in children:
        _grow(branch, child)
