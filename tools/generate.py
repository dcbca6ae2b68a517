"""Fill gen/ and docs/api from proto/, one language after another.

Python and the pages are always generated. Of the other languages those are whose toolchain is installed; each that is
left out is said on a line of its own, for then nobody has seen whether it is up to date.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PINS: Final = ROOT / "proto" / "plugins"
PLUGINS: Final = ROOT / ".build" / "plugins"
PATH: Final = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"

_MAVENS_NAMES: Final = {"Darwin": "osx", "aarch64": "aarch_64", "arm64": "aarch_64", "AMD64": "x86_64"}


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
    """Run a program; where it fails, say what it said and end."""
    told = {**os.environ, "PATH": PATH, **(environment or {})}
    done = subprocess.run(  # noqa: S603 - programs that this file names
        command, cwd=folder, env=told, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


@dataclass(frozen=True, kw_only=True)
class Toolchain:
    """What a language needs to be generated; its plugins are pinned in a folder of `proto/plugins`."""

    programs: tuple[str, ...]
    """What has to be on the PATH."""
    install: tuple[str, ...]
    """What fetches the plugins into the current folder."""
    pins: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def missing(self) -> list[str]:
        """The programs that are not installed."""
        return [it for it in self.programs if shutil.which(it) is None]

    def provide(self, language: str) -> None:
        """Have the pinned plugins in `.build/plugins`; they are fetched again when a pin changes."""
        folder, stamp = PLUGINS / language, PLUGINS / f"{language}.sha256"
        pins = [PINS / language / it for it in self.pins]
        wanted = hashlib.sha256(b"".join(it.read_bytes() for it in pins)).hexdigest()
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for pin in pins:
            shutil.copy(pin, folder)
        run(self.install, folder, self.environment)
        for program in folder.glob("protoc*"):
            program.chmod(0o755)  # Maven does not know that they are programs
        stamp.write_text(wanted)


def _mavens_platform() -> str:
    system, machine = platform.system(), platform.machine()
    return f"{_MAVENS_NAMES.get(system, system.lower())}-{_MAVENS_NAMES.get(machine, machine)}"


TOOLCHAINS: Final = {
    "typescript": Toolchain(
        programs=("node", "npm"),
        install=("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"),
        pins=("package.json", "package-lock.json"),
    ),
    "go": Toolchain(
        programs=("go",),
        install=("go", "install", "tool"),
        pins=("go.mod", "go.sum"),
        environment={"GOBIN": str(PLUGINS / "go")},
    ),
    "java": Toolchain(
        programs=("java", "mvn"),
        install=(
            "mvn",
            "--quiet",
            "--batch-mode",
            "dependency:copy",
            f"-Dplatform={_mavens_platform()}",
            "-Dplugins=.",
        ),
        pins=("pom.xml",),
    ),
}


def generate(template: str) -> None:
    """Let buf generate by one template."""
    run(["buf", "generate", "--template", f"buf.gen.{template}.yaml"], ROOT / "proto")


def main() -> None:
    """Generate what can be generated here."""
    for stale in (ROOT / "gen" / "python").rglob("*_pb2*"):
        stale.unlink()
    generate("python")
    generate("docs")
    for language in ("python", *TOOLCHAINS):
        shutil.copy(ROOT / "LICENSE", ROOT / "gen" / language)
    for language, toolchain in TOOLCHAINS.items():
        if missing := toolchain.missing:
            told = f"!! gen/{language} WAS NEITHER GENERATED NOR CHECKED: {' and '.join(missing)} not installed"
            print(told, file=sys.stderr)
            continue
        toolchain.provide(language)
        generate(language)
    run([sys.executable, "tools/retry_policy.py"], ROOT)
    run([sys.executable, "tools/excerpts.py"], ROOT)


if __name__ == "__main__":
    main()
