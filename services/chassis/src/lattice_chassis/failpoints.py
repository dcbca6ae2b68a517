"""Named stages of work at which a test has a process die, as `kill -9` would have it.

A stage is armed by the environment variable LATTICE_FAILPOINT alone, when the process starts: `stage`, or `stage:3`
for the third time that it is reached. What can be proved so is that no stage loses, doubles or half-writes anything;
a stage that is not armed costs a comparison.
"""

import itertools
import os
import signal
from typing import Final

VARIABLE: Final = "LATTICE_FAILPOINT"
"""Names the stage at which the process dies."""

_armed, _, _times = os.environ.get(VARIABLE, "").partition(":")
_reached: Final = itertools.count(1)


def failpoint(stage: str) -> None:
    """Die here and now if this stage is armed: nothing is flushed, closed or rolled back by us."""
    if stage == _armed and next(_reached) == int(_times or "1"):
        os.kill(os.getpid(), signal.SIGKILL)
