"""Tests that documents and tables name, as `tests/….py::name`."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]


def missing(named: Iterable[str]) -> Iterator[str]:
    """Those that do not exist."""
    for test in named:
        path, name = test.split("::")
        if name not in _functions_of(ROOT / path):
            yield test


@cache
def _functions_of(path: Path) -> frozenset[str]:
    if not path.is_file():
        return frozenset()
    nodes = ast.walk(ast.parse(path.read_text()))
    return frozenset(node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
