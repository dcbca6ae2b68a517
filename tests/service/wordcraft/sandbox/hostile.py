"""A program that tries to get out: `python -I hostile.py (ATTACK ARGUMENT)...`, in place of an engine.

For each attack it prints `escaped` with what it got, or `kept in` with the error that stopped it. It imports nothing of
ours, for it runs where only Python can be read.
"""

import ctypes
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable  # noqa: TC003  it runs alone, and is short so
from pathlib import Path

PTRACE_ATTACH = 16
CLONE_NEWUSER = 0x10000000
PIDFD_OPEN = 434
PIDFD_SEND_SIGNAL = 424


def connect_tcp(port: str) -> None:
    socket.create_connection(("127.0.0.1", int(port)), timeout=2)


def send_udp(port: str) -> None:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"escaped", ("127.0.0.1", int(port)))


def connect_unix(address: str) -> None:
    """To a socket that a file names, or after an @ to an abstract one."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(address.replace("@", "\0"))


def send_unix(address: str) -> None:
    """By a datagram, which needs no connection, from a socket that was never asked for by family alone."""
    mine, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    mine.sendto(b"escaped", address.replace("@", "\0"))


def read(path: str) -> bytes:
    return Path(path).read_bytes()[:100]


def list_folder(path: str) -> list[str]:
    return [entry.name for entry in Path(path).iterdir()]


def write(path: str) -> None:
    Path(path).write_text("escaped")


def find_secret(beginning: str) -> list[str]:
    """In the environment of any process."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if beginning.encode() in (entry / "environ").read_bytes():
                found.append(entry.name)
        except OSError:
            continue
    if not found:
        raise PermissionError("no environment with it can be read")
    return found


def fork(many: str) -> int:
    children = 0
    for _ in range(int(many)):
        if os.fork() == 0:
            os.close(1)
            time.sleep(2)
            os._exit(0)
        children += 1
    return children


def start_threads(many: str) -> int:
    for _ in range(int(many)):
        threading.Thread(target=time.sleep, args=[60], daemon=True).start()
    return threading.active_count()


def detach(path: str) -> None:
    """Go on in the background when the job is over."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(2)
        Path(path).write_text("escaped")
        os._exit(0)


def allocate(_: str = "") -> None:
    held = []
    while True:
        held.append(bytearray(os.urandom(2**20)) * 16)


def spin(_: str = "") -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("spinning", flush=True)
    while True:
        pass


def write_large(path: str) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with Path(path).open("wb") as file:
        file.writelines(bytes(2**20) for _ in range(1024))


def lift_limits(_: str = "") -> None:
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_CORE):
        resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def dump_core(_: str = "") -> int:
    return resource.getrlimit(resource.RLIMIT_CORE)[1] or refused("no core dump is allowed")


def kill(pid: str) -> None:
    os.kill(int(pid), signal.SIGKILL)


def kill_thread(pid: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    checked(libc.tgkill(int(pid), int(pid), signal.SIGKILL))


def kill_by_descriptor(pid: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    opened = checked(libc.syscall(PIDFD_OPEN, int(pid), 0))
    checked(libc.syscall(PIDFD_SEND_SIGNAL, opened, signal.SIGKILL, None, 0))


def trace(pid: str) -> None:
    checked(ctypes.CDLL(None, use_errno=True).ptrace(PTRACE_ATTACH, int(pid), None, None))


def limit_other(pid: str) -> None:
    resource.prlimit(int(pid), resource.RLIMIT_CPU, (0, 0))


def new_namespace(_: str = "") -> None:
    checked(ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER))


def become_root(_: str = "") -> None:
    os.setuid(0)
    if os.getuid() != 0:
        refused("still somebody else")


def is_root(_: str = "") -> None:
    if os.geteuid() != 0:
        refused(f"is {os.geteuid()}")


def checked(answer: int) -> int:
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer


def refused(why: str) -> int:
    raise PermissionError(why)


def attempt(attack: str, argument: str) -> str:
    """What came of an attack."""
    attacks: dict[str, Callable[[str], object]] = {
        name: it for name, it in globals().items() if callable(it) and getattr(it, "__module__", "") == __name__
    }
    try:
        return f"escaped: {attacks[attack](argument)}"
    except (OSError, ValueError, RuntimeError, MemoryError) as error:
        return f"kept in: {type(error).__name__} {error}"


if __name__ == "__main__":
    for attack, argument in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        print(attempt(attack, argument), flush=True)
