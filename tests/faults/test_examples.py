"""The examples, each tested as its own application would be: in a process of its own, by its own configuration."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_tests_of_the_checklist_pass_on_public_names_alone() -> None:
    """RN-23, RN-24: with the kit that one line of its conftest turns on."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", str(EXAMPLES / "checklist")]
    done = subprocess.run(command, cwd=EXAMPLES / "checklist", capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout
