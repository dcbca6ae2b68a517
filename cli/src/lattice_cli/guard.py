"""Become a program that ends when its owner does, however that ends; a program of its own.

`python -I -S guard.py OWNER COMMAND...` asks the system to kill this process once the owner, whose process
id is given, is gone, and then becomes the command, so that the process id stays the program's own. The
owner must be the parent, and the thread that started this must live as long as the owner does. On Linux
only: elsewhere the program may outlive an owner that is killed. It imports nothing of ours, so it costs
milliseconds.
"""

import ctypes
import os
import signal
import sys
from typing import Final, Never

_PR_SET_PDEATHSIG: Final = 1


def main(owner: int, command: list[str]) -> Never:
    """Become the command, which dies with the owner."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != owner:  # it ended before the system was asked
        sys.exit("the owner is gone")
    try:
        os.execv(command[0], command)  # noqa: S606 - becoming that program is the point
    except OSError as error:
        sys.exit(f"cannot start {command[0]}: {error.strerror}")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
