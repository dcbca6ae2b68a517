"""The programs under examples/clients, each built as its language does it, in a copy under `.build`."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
EXAMPLES: Final = ROOT / "examples" / "clients"
BUILD: Final = ROOT / ".build" / "clients"
SCENARIO: Final = EXAMPLES / "scenario.json"

REACTOR: Final = Path(__file__).with_name("reactor.xml")
"""Builds the package of the contracts and the example that uses it."""

PACKAGE_MANAGER: Final = 600
"""Seconds for what may have to be fetched first."""


@dataclass(frozen=True, kw_only=True)
class Language:
    """How the program of a language is built and started."""

    name: str
    needs: Sequence[str]
    """The programs of its toolchain."""
    build: Sequence[tuple[str, Sequence[str]]]
    """Commands, each with the folder in the copy of the repository in which it is run."""
    command: Sequence[str]
    """What starts it, in the folder of its example."""

    @property
    def missing(self) -> list[str]:
        """The programs that are not installed."""
        return [it for it in self.needs if shutil.which(it) is None]

    @property
    def folder(self) -> Path:
        """Where it is built and started."""
        return BUILD / self.name / "examples" / "clients" / self.name

    def built(self) -> Sequence[str]:
        """The command of the program, which is built unless nothing has changed since it was.

        Raises:
            AssertionError: it cannot be built; the message is what the compiler said.
        """
        sources = [ROOT / "gen" / self.name, EXAMPLES / self.name]
        digest = _digest(sources)
        stamp = BUILD / f"{self.name}.sha256"
        if not (stamp.is_file() and stamp.read_text() == digest):
            for source in sources:
                target = BUILD / self.name / source.relative_to(ROOT)
                shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*_MADE))
            if self.name == "java":
                shutil.copy(REACTOR, BUILD / self.name / "pom.xml")
            for folder, command in self.build:
                _run(command, BUILD / self.name / folder)
            stamp.write_text(digest)
        return self.command


def _digest(folders: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not {"node_modules", "build", "target", "__pycache__"} & set(
                file.relative_to(folder).parts
            ):
                digest.update(f"{file}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PACKAGE_MANAGER, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


_EXAMPLE: Final[Callable[[str], str]] = "examples/clients/{}".format
_MADE: Final = {"node_modules", "build", "target", "__pycache__"}
"""What somebody who plays the scenario by hand has made beside the sources."""
_MAVEN: Final = ("mvn", "--quiet", "--batch-mode")

LANGUAGES: Final = (
    Language(name="python", needs=(), build=(), command=(sys.executable, "scenario.py")),
    Language(
        name="typescript",
        needs=("node", "npm"),
        build=(
            (_EXAMPLE("typescript"), ("npm", "ci", "--no-audit", "--no-fund")),
            (_EXAMPLE("typescript"), ("npx", "tsc")),
        ),
        command=("node", "build/scenario.js"),
    ),
    Language(
        name="go",
        needs=("go",),
        build=((_EXAMPLE("go"), ("go", "build", "-o", "scenario", ".")),),
        command=("./scenario",),
    ),
    Language(
        name="java",
        needs=("java", "mvn"),
        build=(
            # Both at once, so that the package of the contracts need not lie in anybody's local repository.
            (".", (*_MAVEN, "package")),
        ),
        command=("java", "-jar", "target/scenario.jar"),
    ),
)
