"""The two ways to confine a program, behind one port, and how the worker chooses.

Each program runs by `launch`, which bounds it, makes it nobody where the worker is root, and filters its
system calls. What a confinement adds is a view of the machine: which files there are, and no network.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from lattice_wordcraft.sandbox import capabilities, landlock, seccomp
from lattice_wordcraft.sandbox.launch import Terms

_PACKAGES: Final = Path(__file__).parents[2]
_PYTHON: Final = tuple(dict.fromkeys((Path(sys.prefix), Path(sys.base_prefix), _PACKAGES)))
_SYSTEM: Final = tuple(
    Path(path)
    for path in (
        *("/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt"),
        # Of /etc what loaders and renderers ask for, and nothing that is secret.
        *("/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/etc/libreoffice", "/etc/alternatives"),
        *("/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/var/cache/fontconfig", "/var/lib/libreoffice"),
        *("/sys/fs/cgroup", "/sys/devices/system/cpu"),
    )
)
_PROCESS: Final = tuple(
    Path("/proc", name) for name in ("self", "cpuinfo", "meminfo", "stat", "filesystems", "sys", "version")
)
_DEVICES: Final = tuple(Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom"))


class NoConfinement(Exception):
    """This machine confines no program, and no setting says that documents can be trusted."""


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """What each program may use."""

    memory: int = 1536 * 2**20
    """The most bytes that it may hold in memory, with its helpers; beyond them it is killed."""
    file_bytes: int = 256 * 2**20
    """The most bytes of a file that it writes."""
    tasks: int = 1024
    """The most processes and threads of its user, where that is not root; others may run as it too."""


class Confinement(Protocol):
    """A way to confine programs. The escape tests say what each way keeps in."""

    name: str
    changes_user: bool
    """Whether root's programs run as nobody."""

    def around(self, command: Sequence[str], folder: Path, bounds: Bounds) -> Sequence[str]:
        """The command that runs a program confined; it may write in `folder` and nowhere else."""
        ...


class Bubblewrap:
    """Programs in namespaces of their own: other processes, sockets and files are not there at all."""

    name = "bubblewrap"
    changes_user = True

    def around(self, command: Sequence[str], folder: Path, bounds: Bounds) -> Sequence[str]:
        """See the port."""
        # bubblewrap would close the folders above a private one to others, and so to nobody.
        above = dict.fromkeys(each for path in (*_SYSTEM, *_PYTHON, folder) for each in reversed(path.parents[:-1]))
        readable = (word for path in (*_SYSTEM, *_PYTHON) for word in ("--ro-bind-try", str(path), str(path)))
        return (
            *("bwrap", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"),
            *(word for path in above for word in ("--perms", "0755", "--dir", str(path))),
            *readable,
            *("--bind", str(folder), str(folder)),
            *("--dev", "/dev", "--remount-ro", "/dev", "--proc", "/proc", "--remount-ro", "/"),
            *("--chdir", str(folder), "--"),
            *_launched(command, _terms(bounds)),
        )


class SelfConfinement:
    """The worker confines itself, and each program by Landlock once more, so that one sees nothing of another."""

    name = "self-confinement"
    changes_user = True

    def around(self, command: Sequence[str], folder: Path, bounds: Bounds) -> Sequence[str]:
        """See the port."""
        allowed = {
            **dict.fromkeys((*_SYSTEM, *_PYTHON), landlock.USE),
            **dict.fromkeys(_PROCESS, landlock.LOOK),
            **dict.fromkeys(_DEVICES, landlock.Right.READ | landlock.Right.WRITE),
            folder: landlock.OWN,
        }
        return _launched(command, _terms(bounds, allowed))

    def enter(self, *, socket: Path, folder: Path, appended: Sequence[Path] = ()) -> None:
        """Confine this process for ever: no socket but unix sockets, files as its programs see them, nothing else.

        Args:
            socket: where it will listen.
            folder: the only folder where it may write.
            appended: files elsewhere to which it may write.

        Raises:
            OSError: the system cannot do it, or there are other threads already, which it would leave out.
        """
        if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208  a count is enough
            raise OSError("threads that have started cannot be confined")
        landlock.restrict(
            [
                *((path, landlock.USE) for path in (*_SYSTEM, *_PYTHON)),
                *((path, landlock.Right.READ | landlock.Right.WRITE) for path in _DEVICES),
                *((path, landlock.Right.WRITE) for path in appended),
                (Path("/proc"), landlock.LOOK),
                (socket.parent, landlock.Right.MAKE_SOCKET | landlock.Right.REMOVE_FILE),
                (folder, landlock.OWN),
                (folder.parent, landlock.Right.REMOVE_FOLDER),  # to delete the folder itself at the end
            ]
        )
        if os.geteuid() == 0:
            capabilities.keep(capabilities.OF_THE_WORKER)
        seccomp.forbid(seccomp.for_worker())


class Unconfined:
    """Programs within their bounds, but with the network and the files of their user: for trusted documents only."""

    name = "nothing"
    changes_user = False

    def around(self, command: Sequence[str], folder: Path, bounds: Bounds) -> Sequence[str]:
        """See the port."""
        del folder
        return _launched(command, {**_terms(bounds), "as_nobody": False, "filtered": False})


def chosen(folder: Path, *, unconfined: bool) -> Confinement:
    """The best confinement that works here, found out by trying.

    Args:
        folder: an empty folder to try it in.
        unconfined: whether programs may run without any where none works.

    Raises:
        NoConfinement: none works, and that is not allowed.
    """
    for candidate in (Bubblewrap(), SelfConfinement()):
        if works(candidate, folder):
            return candidate
    if not unconfined:
        raise NoConfinement(
            "neither bubblewrap nor Landlock with seccomp works here; untrusted documents need one of them, "
            "and LATTICE_WORDCRAFT_UNCONFINED=true is for trusted ones"
        )
    return Unconfined()


def works(confinement: Confinement, folder: Path) -> bool:
    """Whether programs run here confined so."""
    if isinstance(confinement, Bubblewrap) and shutil.which("bwrap") is None:
        return False
    command = confinement.around(["true"], folder, Bounds())
    return subprocess.run(command, check=False, capture_output=True, timeout=10).returncode == 0  # noqa: S603 - a program of the system


def _terms(bounds: Bounds, allowed: dict[Path, landlock.Right] | None = None) -> Terms:
    return Terms(
        as_nobody=os.geteuid() == 0,
        file_bytes=bounds.file_bytes,
        tasks=bounds.tasks,
        allowed=None if allowed is None else {str(path): int(right) for path, right in allowed.items()},
        filtered=True,
    )


def _launched(command: Sequence[str], terms: Terms) -> Sequence[str]:
    return (sys.executable, "-I", "-m", "lattice_wordcraft.sandbox.launch", json.dumps(terms), *command)
