"""Root's rights, one by one, as Linux names and numbers them."""

import ctypes
import os
import struct
from collections.abc import Set as AbstractSet
from enum import IntEnum
from typing import Final

_PR_CAPBSET_DROP: Final = 24
_PR_SET_SECUREBITS: Final = 28
_KEEP_AS_ANOTHER_USER: Final = 0b100
_PR_CAP_AMBIENT: Final = 47
_AMBIENT_RAISE: Final = 2
_VERSION: Final = 0x20080522
_ALL: Final = range(64)


class Capability(IntEnum):
    """The few rights of root that something here needs."""

    CHOWN = 0
    DAC_OVERRIDE = 1
    DAC_READ_SEARCH = 2
    FOWNER = 3
    KILL = 5
    SETGID = 6
    SETUID = 7
    SETPCAP = 8


OF_THE_WORKER: Final = frozenset(Capability)
"""What it takes to start programs as nobody, to end them and to delete what they wrote.

Not to administer anything: that would let it read every environment, past Landlock.
"""


def keep(kept: AbstractSet[Capability]) -> None:
    """Give up every other right of root, for ever, here and in all that starts from here.

    Raises:
        OSError: one of the kept is not had.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    _never_again(set(_ALL) - kept)
    bits = sum(1 << capability for capability in kept)
    if libc.capset(struct.pack("Ii", _VERSION, 0), struct.pack("6I", bits, bits, bits, 0, 0, 0)):
        raise OSError(ctypes.get_errno(), "root's rights cannot be given up")


def become(user: int, kept: AbstractSet[Capability]) -> None:
    """Become another user for ever, with these of root's rights and no other.

    Raises:
        OSError: this process is not root, or lacks one of them.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if kept:  # else they would be gone with the user, and not count where a program asks before it opens
        libc.prctl(_PR_SET_SECUREBITS, _KEEP_AS_ANOTHER_USER, 0, 0, 0)
    _never_again(set(_ALL) - kept)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    keep(kept)
    for capability in kept:
        libc.prctl(_PR_CAP_AMBIENT, _AMBIENT_RAISE, capability, 0, 0)


def _never_again(given_up: AbstractSet[int]) -> None:
    libc = ctypes.CDLL(None)
    for capability in given_up:  # those that this system does not know fail, and so do all where they are gone
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
