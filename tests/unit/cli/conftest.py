"""The command line, run in this process."""

from collections.abc import Callable
from pathlib import Path

import pytest
from lattice_cli.main import app
from typer.testing import CliRunner, Result

Lattice = Callable[..., Result]
WIDE = {"COLUMNS": "400", "TERMINAL_WIDTH": "400"}


@pytest.fixture
def lattice(tmp_path: Path) -> Lattice:
    """Runs `lattice` with these arguments; what a person would see as a traceback is raised."""

    def run(*arguments: str) -> Result:
        result = CliRunner().invoke(app, ["--data", str(tmp_path), *arguments], env=WIDE)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run
