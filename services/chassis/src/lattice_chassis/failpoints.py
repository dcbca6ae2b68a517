"""Named stages of work at which a test has a process die, as `kill -9` would have it.

A stage is armed by the environment variable LATTICE_FAILPOINT alone, when the process starts. What can be
proved so is that no stage loses, doubles or half-writes anything; a stage that is not armed costs a comparison.
"""

import os
import signal
from typing import Final

VARIABLE: Final = "LATTICE_FAILPOINT"
"""Names the stage at which the process dies."""

_armed: Final = os.environ.get(VARIABLE, "")


def failpoint(stage: str) -> None:
    """Die here and now if this stage is armed: nothing is flushed, closed or rolled back by us."""
    if stage == _armed:
        os.kill(os.getpid(), signal.SIGKILL)
