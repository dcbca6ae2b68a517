"""docs/security.md and the tests that it names."""

import re
from itertools import chain
from typing import Final

from unit.house.named_tests import ROOT, missing

_TEST: Final = re.compile(r"`(tests/[\w/]+\.py::\w+)`")


def promises() -> dict[str, list[str]]:
    """The tests of each promise."""
    text = (ROOT / "docs" / "security.md").read_text()
    promised = text[text.index("## What is promised") : text.index("## What is not promised")]
    rows = [line for line in promised.splitlines() if line.startswith("| ") and line != "| promise | tests |"]
    return {promise: _TEST.findall(tests) for promise, tests in (row.strip("| ").split(" | ") for row in rows)}


def test_each_promise_of_security_names_its_tests() -> None:
    assert promises()
    assert [promise for promise, tests in promises().items() if not tests] == []


def test_every_test_that_security_names_exists() -> None:
    assert list(missing(chain.from_iterable(promises().values()))) == []
