"""Which system calls a process may make, as seccomp filters.

Written here because the libraries do not fit: pyseccomp needs libseccomp, which slim images lack, and
looks for it by starting a compiler; seccompy lets the x32 twins of the calls that it denies pass, and
takes longer to import than a program to start.
"""

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

_PR_SET_SECCOMP: Final = 22
_PR_SET_NO_NEW_PRIVS: Final = 38
_FILTER: Final = 2

_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32: Final = 0x40000000
"""x86-64 answers the numbers from here on too, as the same calls in another guise."""

_NUMBERS: Final[dict[str, tuple[int | None, int | None]]] = {
    # x86_64, aarch64
    "access": (21, None),
    "faccessat": (269, 48),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fork": (57, None),
    "vfork": (58, None),
    "unshare": (272, 97),
    "setns": (308, 268),
    "ioctl": (16, 29),
    "prlimit64": (302, 261),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "mount": (165, 40),
    "umount2": (166, 39),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_by_handle_at": (304, 265),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "quotactl": (179, 60),
    "syslog": (103, 116),
    "iopl": (172, None),
    "ioperm": (173, None),
    "sethostname": (170, 161),
}

_CLONE_NEW_NAMESPACES: Final = 0x7E020080  # user, mount, process, network, IPC, name, cgroup and time namespaces
_CLONE_THREAD: Final = 0x00010000
_TIOCSTI: Final = 0x5412
_TIOCLINUX: Final = 0x541C
_SOCKET_TYPE: Final = 0xF
_AF_UNIX: Final = 1  # not from the module of sockets: every program would wait for its import
_SOCK_STREAM: Final = 1


class Rule(NamedTuple):
    """A system call that fails: always, or where an argument's lower 32 bits say so."""

    call: str
    error: int = errno.EPERM
    argument: int | None = None
    """The position of the argument that decides; None denies every call."""
    mask: int = 0xFFFFFFFF
    value: int = 0
    equal: bool = True
    """Whether the call fails where the masked argument is the value, or where it is not."""


def for_worker() -> Sequence[Rule]:
    """The worker and all below it: no socket but unix sockets, no new namespaces, nothing of the machine's own."""
    conditional = {"socket", "socketpair", "connect", "clone", "clone3", "fork", "vfork", "ioctl", "prlimit64"}
    asking = {"access", "faccessat"}
    signals = {"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open", "pidfd_send_signal"}
    return (
        *(Rule(call) for call in _NUMBERS if call not in conditional | asking | signals),
        Rule("socket", errno.EAFNOSUPPORT, argument=0, value=_AF_UNIX, equal=False),
        # Its flags lie in memory, where a filter cannot look. Who is told that it is missing takes clone.
        Rule("clone3", errno.ENOSYS),
        Rule("clone", argument=0, mask=_CLONE_NEW_NAMESPACES, equal=False),
        # Both write what the user of the terminal would seem to have typed.
        Rule("ioctl", argument=1, value=_TIOCSTI),
        Rule("ioctl", argument=1, value=_TIOCLINUX),
    )


def for_program() -> Sequence[Rule]:
    """A program that sees untrusted files, when this process becomes it.

    It may have threads but no children, hears nobody and reaches nobody: it connects to no socket, not
    even to a unix socket that a file names, and signals only itself.
    """
    return (
        *for_worker(),
        *(Rule(call) for call in ("connect", "fork", "vfork", "kill", "tkill", "rt_sigqueueinfo")),
        *(Rule(call) for call in ("rt_tgsigqueueinfo", "pidfd_open", "pidfd_send_signal")),
        # A datagram needs no connection to reach somebody.
        Rule("socket", argument=1, mask=_SOCKET_TYPE, value=_SOCK_STREAM, equal=False),
        Rule("socketpair", argument=1, mask=_SOCKET_TYPE, value=_SOCK_STREAM, equal=False),
        Rule("clone", argument=0, mask=_CLONE_THREAD, value=0),
        Rule("tgkill", argument=0, value=os.getpid(), equal=False),
        Rule("prlimit64", argument=0, value=0, equal=False),
        # Who asks whether a folder can be written is told of permissions alone, which know nothing of Landlock:
        # LibreOffice would take /tmp for its socket, and fail. Told no, it takes the folder that it was given.
        Rule("access", errno.EACCES, argument=1, value=os.W_OK),
        Rule("faccessat", errno.EACCES, argument=2, value=os.W_OK),
    )


def forbid(rules: Iterable[Rule]) -> None:
    """Deny these calls to this thread and to all that it starts, for ever, and new privileges too.

    Raises:
        OSError: the system, or this kind of machine, cannot filter.
    """
    program = _assembled(rules)
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(program, len(program))
    told = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(_PR_SET_SECCOMP, _FILTER, told, 0, 0):
        number = ctypes.get_errno()
        raise OSError(number, f"no filter of system calls: {os.strerror(number)}")


_LOAD: Final = 0x20
_AND: Final = 0x54
_JUMP_EQUAL: Final = 0x15
_JUMP_FROM: Final = 0x35
_RETURN: Final = 0x06
_ALLOW: Final = 0x7FFF0000
_FAIL: Final = 0x00050000
_KILL: Final = 0x80000000
_CALL, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # where the kernel puts what a filter looks at


def _assembled(rules: Iterable[Rule]) -> bytes:
    machine = os.uname().machine
    if machine not in _ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no filter of system calls is known for {machine}")
    column = list(_ARCHITECTURES).index(machine)
    code = [
        *(_op(_LOAD, _ARCHITECTURE), _op(_JUMP_EQUAL, _ARCHITECTURES[machine], 1, 0), _op(_RETURN, _KILL)),
        *(_op(_LOAD, _CALL), _op(_JUMP_FROM, _X32, 0, 1), _op(_RETURN, _FAIL | errno.ENOSYS)),
    ]
    for rule in rules:
        number = _NUMBERS[rule.call][column]
        if number is not None:
            code += _checked(rule, number)
    return b"".join([*code, _op(_RETURN, _ALLOW)])


def _checked(rule: Rule, number: int) -> Sequence[bytes]:
    """The instructions of one rule; the number of the call is loaded before and after them."""
    failing = _op(_RETURN, _FAIL | rule.error)
    if rule.argument is None:
        return (_op(_JUMP_EQUAL, number, 0, 1), failing)
    return (
        _op(_JUMP_EQUAL, number, 0, 5),
        _op(_LOAD, _ARGUMENTS + 8 * rule.argument),  # both kinds of machine keep the lower half first
        _op(_AND, rule.mask),
        _op(_JUMP_EQUAL, rule.value, 0 if rule.equal else 1, 1 if rule.equal else 0),
        failing,
        _op(_LOAD, _CALL),
    )


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
