"""Install one distribution of this workspace with what it depends on, and nothing else, into /opt/lattice.

Run in the build stage of an image: `python3 install.py DISTRIBUTION`, in the root of the sources. Which packages it
needs is resolved from the metadata of the distributions; which files of them, by version and hash, is what
requirements.lock says, and a package that is not in it fails.
"""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

PREFIX = Path("/opt/lattice")
UV = PREFIX.with_name("uv") / "bin/uv"
LOCK = Path("requirements.lock")
MEMBERS = (
    *("gen/python", "services/chassis", "services/integrations", "services/files"),
    *("services/agent/artifactr", "services/agent/lattice_agent", "apps/wordcraft"),
)


def main(distribution: str) -> None:
    """Install it."""
    locked = {
        block.split("==")[0]: block for block in re.split(r"^(?=[a-z])", LOCK.read_text(), flags=re.MULTILINE) if block
    }
    with TemporaryDirectory() as folder:
        wheels, own = Path(folder, "wheels"), Path(folder, "own.lock")
        own.write_text(locked["uv"])
        run(sys.executable, "-m", "venv", str(PREFIX.with_name("uv")))
        pip = str(UV.with_name("pip"))
        run(pip, "install", "--quiet", "--require-hashes", "--no-deps", "-r", str(own))
        for member in MEMBERS:
            run(str(UV), "build", "--quiet", "--wheel", "--out-dir", str(wheels), member)
        ours = {wheel.name.split("-")[0].replace("_", "-"): wheel for wheel in wheels.glob("*.whl")}
        here = Path(folder, "ours.txt")  # or a package of the same name in an index would be asked what it needs
        here.write_text("".join(f"{name} @ {wheel.as_uri()}\n" for name, wheel in ours.items()))
        resolved = run(
            *(str(UV), "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--python-version", "3.11"),
            *("--constraint", str(here), "--constraint", str(LOCK), "-"),
            told=distribution,
        )
        needed = re.findall(r"^[a-z0-9-]+(?===| @)", resolved, re.MULTILINE)
        own.write_text("".join(locked[name] for name in needed if name not in ours))
        run(str(UV), "venv", "--quiet", "--python", sys.executable, str(PREFIX))
        python = str(PREFIX / "bin/python")
        run(str(UV), "pip", "sync", "--quiet", "--require-hashes", "--compile-bytecode", "--python", python, str(own))
        installed = (str(ours[name]) for name in needed if name in ours)
        run(
            *(str(UV), "pip", "install", "--quiet", "--no-deps", "--no-index", "--compile-bytecode"),
            *("--python", python, *installed),
        )
        run(str(UV), "pip", "check", "--quiet", "--python", python)
        (PREFIX / ".lock").unlink(missing_ok=True)  # of uv's, and everybody's to write


def run(*command: str, told: str = "") -> str:
    """Run a program to its end; what it printed."""
    done = subprocess.run(command, check=True, input=told, text=True, stdout=subprocess.PIPE)  # noqa: S603 - our own
    return done.stdout


if __name__ == "__main__":
    main(sys.argv[1])
