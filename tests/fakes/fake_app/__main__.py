"""The fake app as a program: `python tests/fakes/fake_app --socket PATH`."""

import sys
from pathlib import Path

# Started by its path, from any folder: its modules are named from the folder of the tests.
sys.path[0] = str(Path(__file__).resolve().parents[2])

from fakes.fake_app.server import run  # noqa: E402 - only found from there

if __name__ == "__main__":
    run()
