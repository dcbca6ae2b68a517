"""The worker for Word files as a program."""

import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def worker_command() -> list[str]:
    """The worker's program, beside the interpreter that runs the tests."""
    return [str(Path(sys.executable).with_name("lattice-wordcraft"))]
