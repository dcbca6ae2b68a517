"""docs/guide.md and the tests that it names."""

import ast
import re
from itertools import chain
from pathlib import Path

from suite.agent.guide import Guide
from unit.house.named_tests import ROOT, missing

TABLE = "What proves it"
RUN_BY = ("tests/suite/agent/guide.py", "tests/suite/agent/test_guide*.py", "tests/suite/test_test_kit.py")
"""Where blocks are run."""

_TEST = re.compile(r"`(tests/[\w/]+\.py::\w+)`")


def table() -> dict[str, list[str]]:
    """The tests of each section."""
    lines = Guide().lines
    rows = [line for line in lines[lines.index(f"## {TABLE}") :] if line.startswith("| ")]
    found: dict[str, list[str]] = {}
    for row in rows[1:]:
        section, _, tests = row.strip("| ").split(" | ")
        found.setdefault(section, []).extend(_TEST.findall(tests))
    return found


def blocks_run_in(path: Path) -> set[tuple[str, int]]:
    """The blocks that a module runs, as section and number: its calls of `run` with a section's name."""
    found: set[tuple[str, int]] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Call(func=ast.Attribute(attr="run"), args=[ast.Constant(value=str() as section), _]):
                found.add((section, 0))
            case ast.Call(
                func=ast.Attribute(attr="run"),
                args=[ast.Constant(value=str() as section), _, ast.Constant(value=int() as number)],
            ):
                found.add((section, number))
    return found


def test_every_test_that_the_guide_names_exists() -> None:
    named = list(chain.from_iterable(table().values()))
    assert named
    assert list(missing(named)) == []


def test_every_section_of_the_guide_names_its_tests() -> None:
    sections = set(Guide().blocks) - {TABLE}
    proved = {section for section, tests in table().items() if tests}
    assert proved == sections


def test_every_block_of_the_guide_is_run() -> None:
    blocks = {(section, number) for section, found in Guide().blocks.items() for number in range(len(found))}
    run = set(chain.from_iterable(blocks_run_in(path) for pattern in RUN_BY for path in ROOT.glob(pattern)))
    assert blocks
    assert blocks - run == set()
