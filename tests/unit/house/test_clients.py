"""docs/clients.md and the READMEs of the packages under gen/."""

import subprocess
import sys

from unit.house.named_tests import ROOT


def test_code_that_is_shown_stands_in_files_that_are_tested() -> None:
    """Each block is a region of a program that `make clients` plays."""
    done = subprocess.run(
        [sys.executable, "tools/excerpts.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
