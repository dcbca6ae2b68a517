"""ruff's security rules hold for all code, and each exception says where it stands why it is one."""

import re
import tomllib
from typing import Final

from unit.house.named_tests import ROOT

FOLDERS: Final = ("services", "apps", "cli", "tests", "tools", "examples")
_EXCEPTION: Final = re.compile(r"# noqa: (?P<rules>[A-Z]+\d+(?:, ?[A-Z]+\d+)*)(?P<reason>.*)$")
_SECURITY: Final = re.compile(r"\bS\d{3}\b")
_REASON: Final = re.compile(r"(?: -{1,2} | {1,2}(?:# )?)\S.*\s\S")
"""A dash, or a second comment, and at least two words."""


def test_the_security_rules_are_on_and_only_tests_are_spared_two_of_them() -> None:
    """SE-01: asserting, and starting the programs that they are about."""
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    assert "S" in lint["select"]
    assert [it for it in lint["ignore"] if _SECURITY.match(it)] == []
    spared = {where: {it for it in rules if _SECURITY.match(it)} for where, rules in lint["per-file-ignores"].items()}
    assert {where: rules for where, rules in spared.items() if rules} == {
        "tests/**": {"S101", "S603"},
        "examples/**/test_*.py": {"S101"},
    }


def test_every_exception_from_a_security_rule_says_why() -> None:
    unexplained, explained = [], 0
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            for number, line in enumerate(path.read_text().splitlines(), start=1):
                found = _EXCEPTION.search(line)
                if found is None or not _SECURITY.search(found["rules"]):
                    continue
                if _REASON.match(found["reason"]):
                    explained += 1
                else:
                    unexplained.append(f"{path.relative_to(ROOT)}:{number}")
    assert unexplained == []
    assert explained
