"""Become a program that sees untrusted files: give up every right, then run it. A program of its own.

`python -I -m lattice_wordcraft.sandbox.launch TERMS COMMAND...`, where TERMS are `Terms` as JSON. It is
no `preexec_fn`, for the worker has threads, and it imports little, for it starts with every program.
"""

import ctypes
import json
import os
import resource
import signal
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Never, TypedDict

from lattice_wordcraft.sandbox import landlock, seccomp

NOBODY: Final = 65534

_PR_SET_PDEATHSIG: Final = 1
_PR_CAPBSET_DROP: Final = 24
_PR_SET_SECUREBITS: Final = 28
_KEEP_AS_ANOTHER_USER: Final = 0b100
_PR_CAP_AMBIENT: Final = 47
_AMBIENT_RAISE: Final = 2
_CAPABILITY_VERSION: Final = 0x20080522
_READ_AND_SEARCH: Final = 2
_CAPABILITIES: Final = 64


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
        _become_nobody(searching=terms["allowed"] is not None)
    # Not earlier: the system forgets it when the user changes.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if terms["allowed"] is not None:
        landlock.restrict({Path(path): landlock.Right(right) for path, right in terms["allowed"].items()})
    if terms["filtered"]:
        seccomp.forbid(seccomp.for_program())
    os.execvp(command[0], list(command))  # noqa: S606  no shell is wanted


def _become_nobody(*, searching: bool) -> None:
    """Take nobody's rights for root's.

    Python, or the folder of the program, may lie below a folder that only root enters, such as /root. Then
    one capability is kept, to read and search past permissions; Landlock still says where.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    kept = {_READ_AND_SEARCH} if searching else set()
    for capability in set(range(_CAPABILITIES)) - kept:  # those that this system does not know fail
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    if searching:  # else the capability would be gone with the user, and not count where a program asks first
        libc.prctl(_PR_SET_SECUREBITS, _KEEP_AS_ANOTHER_USER, 0, 0, 0)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    bits = sum(1 << capability for capability in kept)
    header, sets = struct.pack("Ii", _CAPABILITY_VERSION, 0), struct.pack("6I", bits, bits, bits, 0, 0, 0)
    if libc.capset(header, sets):
        raise OSError(ctypes.get_errno(), "root's rights cannot be given up")
    for capability in kept:
        libc.prctl(_PR_CAP_AMBIENT, _AMBIENT_RAISE, capability, 0, 0)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2:])
