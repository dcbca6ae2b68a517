"""Become a program that sees untrusted files: give up every right, then run it. A program of its own.

`python -I -m lattice_wordcraft.sandbox.launch TERMS COMMAND...`, where TERMS are `Terms` as JSON. It is
no `preexec_fn`, for the worker has threads, and it imports little, for it starts with every program.
"""

import ctypes
import json
import os
import resource
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Never, TypedDict

from lattice_wordcraft.sandbox import capabilities, landlock, seccomp
from lattice_wordcraft.sandbox.capabilities import Capability

NOBODY: Final = 65534

_PR_SET_PDEATHSIG: Final = 1


class Terms(TypedDict):
    """What a program is started with."""

    as_nobody: bool
    """Whether it runs as nobody, without any of root's rights; only root can ask for it."""
    file_bytes: int
    """The most bytes of a file that it writes."""
    tasks: int
    """The most processes and threads that its user may have; root has no such limit."""
    allowed: dict[str, int] | None
    """The rights that Landlock leaves it, by path; None for no Landlock."""
    filtered: bool
    """Whether system calls are filtered."""


def main(terms: Terms, command: Sequence[str]) -> Never:
    """Become the program; what cannot be given up ends this process instead."""
    os.umask(0o077)
    for limit, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, terms["file_bytes"]),
        (resource.RLIMIT_NPROC, terms["tasks"]),
    ):
        resource.setrlimit(limit, (most, most))
    if terms["as_nobody"]:
        # Python, or the room, may lie below a folder that only root enters, such as /root. Where Landlock says
        # what may be read, it may be read past permissions; bubblewrap lays all where everybody may enter.
        searching = terms["allowed"] is not None
        capabilities.become(NOBODY, {Capability.DAC_READ_SEARCH} if searching else set())
    # Not earlier: the system forgets it when the user changes.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if terms["allowed"] is not None:
        landlock.restrict({Path(path): landlock.Right(right) for path, right in terms["allowed"].items()})
    if terms["filtered"]:
        seccomp.forbid(seccomp.for_program())
    os.execvp(command[0], list(command))  # noqa: S606  no shell is wanted


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2:])
