"""The demo as people and programs run it."""

import asyncio
import json
import os
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.soak, pytest.mark.timeout(240)]
"""CI plays the demo itself, which fails where a step sees something else."""

LATTICE = Path(sysconfig.get_path("scripts")) / "lattice"


async def played(**environment: str) -> tuple[int | None, dict[str, Any]]:
    """The exit status of `lattice demo --json`, and what it printed."""
    process = await asyncio.create_subprocess_exec(
        LATTICE, "demo", "--json", env=os.environ | environment, stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    return process.returncode, json.loads(printed)


def names_in(node: Mapping[str, Any]) -> set[str]:
    return {node["name"]}.union(*(names_in(child) for child in node["children"]))


async def test_the_demo_tells_what_each_step_saw_and_ends_well() -> None:
    """A-09, A-10, A-02, R-01, R-03, N-04, N-05, X-02: the main job, end to end."""
    status, told = await played()
    assert status == 0, told
    assert [step["step"] for step in told["steps"]] == list("abcdefg")
    by_letter = {step["step"]: step for step in told["steps"]}
    assert [by_letter[letter]["version"] for letter in "abcd"] == [1, 2, 2, 4]
    assert by_letter["c"]["queued"] == 0
    assert by_letter["e"]["check-out"] == "NOT_ENABLED"
    [root] = told["trace"]["roots"]
    assert root["name"] == "turn"
    assert "lattice.integrations.v1.IntegrationsService/CheckEnabled" in names_in(root)


async def test_the_demo_fails_when_a_step_sees_something_else() -> None:
    """A policy that turns the agent's edits into proposals breaks the expectation of step (b)."""
    status, told = await played(LATTICE_FILES_WRITE_POLICIES='{"native_docx": "propose"}')
    assert status == 1
    assert [step["step"] for step in told["steps"]] == ["a"]
    assert told["failed"] == "the edit makes version 2"
