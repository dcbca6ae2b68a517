"""Say which statements of docs/domain.md the tests cite, and why no test cites the others.

usage: python tools/cited_ids.py [--uncited]

A test cites the ids that its docstring names; "L-01 to L-08" names the whole range. A class's or
module's docstring counts for the tests inside. The reasons stand in docs/uncited.md. It fails on a
citation of what is not stated, on a statement that is neither cited nor has a reason, and on a reason
for what is cited: the table is to shrink with each such test.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STATEMENT = re.compile(r"(?:^(?:- |\| )|\. )([A-Z]{1,4}-\d{2})\b", re.MULTILINE)
CITATION = re.compile(r"\b([A-Z]{1,4})-(\d{2})\b(?:\s*(?:to|…|\.\.)\s*(?:\1-)?(\d{2})\b)?")
REASON = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def stated_ids() -> set[str]:
    """The ids of all statements."""
    return set(STATEMENT.findall((ROOT / "docs" / "domain.md").read_text()))


def reasons() -> dict[str, str]:
    """Why no test cites a statement, by its id."""
    rows = REASON.findall((ROOT / "docs" / "uncited.md").read_text())
    return {each: reason for ids, reason in rows for each in cited_in(ids)}


def cited_in(text: str) -> Iterator[str]:
    """The ids that a text names, ranges spelt out."""
    for area, first, last in CITATION.findall(text):
        for number in range(int(first), int(last or first) + 1):
            yield f"{area}-{number:02}"


def citations(node: ast.AST, inherited: str, place: str) -> Iterator[tuple[str, str]]:
    """Each id cited by a test below `node`, with the test's place."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        text = f"{inherited} {ast.get_docstring(child) or ''}"
        if isinstance(child, ast.ClassDef):
            yield from citations(child, text, f"{place}::{child.name}")
        elif child.name.startswith(("test_", "rule_", "invariant_")) or _is_stateful_rule(child):
            for cited in cited_in(text):
                yield cited, f"{place}::{child.name}"


def _is_stateful_rule(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(it).startswith(("rule(", "invariant(")) for it in function.decorator_list)


def main() -> int:
    """Print what is wrong and the count, with --uncited the statements left over; 1 where anything is wrong."""
    stated, excused, cited, tests = stated_ids(), reasons(), defaultdict(set), set()
    for path in sorted((ROOT / "tests").rglob("*.py")):
        tree = ast.parse(path.read_text())
        place = str(path.relative_to(ROOT))
        for each, test in citations(tree, ast.get_docstring(tree) or "", place):
            cited[each].add(test)
            tests.add(test)
    wrong = [f"{each} is cited and not stated: {min(cited[each])}" for each in sorted(set(cited) - stated)]
    wrong += [f"{each} has neither a test nor a reason" for each in sorted(stated - set(cited) - set(excused))]
    wrong += [f"{each} has a reason, and a test: {min(cited[each])}" for each in sorted(set(cited) & set(excused))]
    wrong += [f"{each} has a reason and is not stated" for each in sorted(set(excused) - stated)]
    if "--uncited" in sys.argv:
        for each in sorted(stated - set(cited)):
            print(f"{each}: {excused.get(each, '')}")
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"{len(set(cited) & stated)} of {len(stated)} domain ids are cited, by {len(tests)} tests")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
