"""Which files a process may touch, by Landlock.

Spoken to directly: py-landlock is young, and takes longer to import than a program to start.
"""

import ctypes
import errno
import os
import stat
import struct
from collections.abc import Iterable, Mapping
from enum import IntFlag
from pathlib import Path
from typing import Final

_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
_VERSION_ASKED: Final = 1
_PATH_BENEATH: Final = 1
_PR_SET_NO_NEW_PRIVS: Final = 38

OLDEST: Final = 3
"""The oldest Landlock that suffices (Linux 6.2): before it, whoever may read a file may empty it."""


class Right(IntFlag):
    """What may be done with a file, or below a folder; numbered as the kernel does."""

    EXECUTE = 1 << 0
    WRITE = 1 << 1
    READ = 1 << 2
    LIST = 1 << 3
    REMOVE_FOLDER = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_FOLDER = 1 << 7
    MAKE_FILE = 1 << 8
    MAKE_SOCKET = 1 << 9
    MAKE_PIPE = 1 << 10
    MAKE_LINK = 1 << 12
    MOVE = 1 << 13
    TRUNCATE = 1 << 14


USE: Final = Right.EXECUTE | Right.READ | Right.LIST
"""Read, and run programs."""
LOOK: Final = Right.READ | Right.LIST
OWN: Final = Right((1 << 15) - 1) & ~Right.EXECUTE
"""Everything but to run what was written there."""

_OF_FILES: Final = Right.EXECUTE | Right.WRITE | Right.READ | Right.TRUNCATE
_HANDLED: Final = (1 << 15) - 1  # every right of the oldest version that suffices
_IOCTL_OF_DEVICES: Final = 1 << 15
_TCP: Final = 0b11
_SCOPES: Final = 0b11  # abstract sockets and signals


def version() -> int:
    """The version of Landlock that this system has; 0 for none."""
    return max(0, _call(_CREATE_RULESET, None, 0, _VERSION_ASKED))


def restrict(allowed: Mapping[Path, Right] | Iterable[tuple[Path, Right]]) -> None:
    """Take every right to files from this thread and all that it starts, for ever, but those allowed below each path.

    New privileges are given up too, and as far as the system knows how TCP, ioctls of devices, and the
    signals and abstract sockets of processes outside. What cannot be reached now stays forbidden.

    Raises:
        OSError: the system has no Landlock, or an older one than `OLDEST`.
    """
    known = version()
    if known < OLDEST:
        raise OSError(errno.ENOSYS, f"Landlock {OLDEST} is needed, this system has {known or 'none'}")
    files = _HANDLED | (_IOCTL_OF_DEVICES if known >= 5 else 0)
    network = _TCP if known >= 4 else 0
    scopes = _SCOPES if known >= 6 else 0
    attributes = struct.pack("QQQ", files, network, scopes)
    ruleset = _checked(_CREATE_RULESET, attributes, 24 if scopes else 16 if network else 8, 0)
    try:
        for path, right in allowed.items() if isinstance(allowed, Mapping) else allowed:
            _allow(ruleset, path, right)
        if ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError(errno.EPERM, "privileges cannot be given up")
        _checked(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, right: Right) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(opened).st_mode):
            right &= _OF_FILES
        _checked(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", right, opened), 0)
    finally:
        os.close(opened)


def _checked(*call: int | bytes | None) -> int:
    answer = _call(*call)
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"Landlock: {os.strerror(number)}")
    return answer


def _call(*call: int | bytes | None) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    answer: int = libc.syscall(*(ctypes.c_long(it) if isinstance(it, int) else it for it in call))
    return answer
