"""What each distribution drags in, by its metadata and by what it really loads."""

import json
import subprocess
import sys
from importlib.metadata import requires

import pytest
from packaging.requirements import Requirement

pytestmark = pytest.mark.long

HEAVY = {"pydantic-ai-slim", "lxml", "docx-scalpel", "sqlalchemy", "aiopg", "rdocx", "typer", "pyjwt"}
"""What only some of the distributions may drag in."""


def dragged_in(distribution: str, extras: frozenset[str] = frozenset(), seen: set[str] | None = None) -> set[str]:
    """The names of all that an installation of this distribution alone would bring."""
    found = set() if seen is None else seen
    for line in requires(distribution) or ():
        requirement = Requirement(line)
        wanted = any(
            requirement.marker is None or requirement.marker.evaluate({"extra": extra}) for extra in {"", *extras}
        )
        name = requirement.name.lower()
        if wanted and (name not in found or requirement.extras):
            found.add(name)
            if name != distribution:
                dragged_in(name, frozenset(requirement.extras), found)
    return found


@pytest.mark.parametrize(
    ("distribution", "allowed"),
    [
        ("lattice-protos", set()),
        ("lattice-chassis", set()),
        ("lattice-integrations", {"sqlalchemy", "aiopg", "pyjwt"}),
        ("lattice-files", {"sqlalchemy", "aiopg", "pyjwt"}),
        ("lattice-wordcraft", {"lxml", "docx-scalpel", "rdocx"}),
        ("lattice-app-kit", set()),
        ("artifactr", {"sqlalchemy", "aiopg", "pyjwt", "pydantic-ai-slim"}),
        ("lattice-agent", {"sqlalchemy", "aiopg", "pyjwt", "pydantic-ai-slim"}),
    ],
)
def test_a_distribution_brings_only_what_its_service_needs(distribution: str, allowed: set[str]) -> None:
    assert dragged_in(distribution) & HEAVY <= allowed


@pytest.mark.parametrize(
    ("module", "barred"),
    [
        ("lattice_integrations.main", ["pydantic_ai", "lxml", "alembic", "lattice_files"]),
        ("lattice_files.main", ["pydantic_ai", "lxml", "alembic", "lattice_integrations", "docx_scalpel"]),
        ("lattice_wordcraft.main", ["pydantic_ai", "sqlalchemy", "psycopg2", "obstore"]),
        ("lattice_app_kit.__main__", ["pydantic_ai", "sqlalchemy", "psycopg2", "lxml", "lattice_files"]),
        ("artifactr", ["lattice_cli", "artifactr.testing", "pytest"]),
        ("lattice_agent.main", ["lxml", "obstore", "lattice_files"]),
    ],
)
def test_a_program_loads_nothing_of_what_only_another_one_needs(module: str, barred: list[str]) -> None:
    script = f"import json, sys, {module}; print(json.dumps([it for it in {barred!r} if it in sys.modules]))"
    printed = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert json.loads(printed) == []
