"""Rooms: a folder for each job or host, and the confined programs that run in it, watched from outside."""

import asyncio
import logging
import os
import resource
import shutil
import signal
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from lattice_wordcraft.sandbox.confinement import Bounds, Confinement
from lattice_wordcraft.sandbox.launch import NOBODY

_log: Final = logging.getLogger("lattice.wordcraft")

_UNREAD_BYTES: Final = 2**20
_LOOK_SECONDS: Final = 0.05
"""How often a program's memory is looked at: what it takes meanwhile is the page faults of that time."""
_STOPPED_SECONDS: Final = 0.05
"""How long a process that is killed is waited for to stand still."""


@dataclass(frozen=True, kw_only=True)
class Rooms:
    """Where rooms are made, and how the programs in them are confined."""

    confinement: Confinement
    folder: Path
    bounds: Bounds = field(default_factory=Bounds)

    def room(self) -> "Room":
        """A new room. Only its programs may enter it; it is gone when it is closed."""
        return Room(self, Path(tempfile.mkdtemp(prefix="room-", dir=self.folder)))


class Room:
    """The folder of one job or one host; in a `with` block, closed at its end."""

    def __init__(self, rooms: Rooms, path: Path) -> None:
        self.path = path
        self._rooms = rooms
        self._hand_over(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()

    def put(self, name: str, content: bytes) -> Path:
        """Lay a file into the room, or into a folder of it, before any program runs there."""
        path = self.path
        for folder in Path(name).parts[:-1]:
            path /= folder
            path.mkdir(exist_ok=True)
            self._hand_over(path)
        path /= Path(name).name
        path.write_bytes(content)
        self._hand_over(path)
        return path

    def take(self, name: str, limit: int) -> bytes | None:
        """A file that a program has left in the room; None where it is missing, larger than the limit or no file.

        The program may have left anything there: no link is followed, and no pipe waited for.
        """
        with suppress(OSError), open(self.path / name, "rb", opener=_opened) as file:
            left = os.fstat(file.fileno())
            if stat.S_ISREG(left.st_mode) and left.st_size <= limit:
                return file.read(limit)
        return None

    async def start(self, *command: str, environment: Mapping[str, str], line_limit: int = 2**16) -> "Program":
        """Run a program in this room; its standard input and output are pipes, `line_limit` bytes the longest line."""
        starting = asyncio.ensure_future(
            asyncio.create_subprocess_exec(
                *self._rooms.confinement.around(command, self.path, self._rooms.bounds),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=line_limit,
                cwd=self.path,
                env={"PATH": os.environ.get("PATH", ""), "HOME": str(self.path), "TMPDIR": str(self.path)}
                | dict(environment),
            )
        )
        try:
            return Program(await asyncio.shield(starting), self._rooms.bounds.memory)
        except asyncio.CancelledError:
            # asyncio would kill bubblewrap alone, and wait for ever for the pipes of the process that this leaves.
            program = Program(await starting, self._rooms.bounds.memory)
            program.kill()
            await program.ended()
            raise

    def close(self) -> None:
        """Delete the room, once its programs have ended."""
        shutil.rmtree(self.path, ignore_errors=True)

    def _hand_over(self, path: Path) -> None:
        if self._rooms.confinement.changes_user and os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)


class Program:
    """A confined program that runs. It is killed when it holds more memory than it may."""

    def __init__(self, process: asyncio.subprocess.Process, memory_limit: int) -> None:
        self.process = process
        self._memory_limit = memory_limit
        self._watch = asyncio.get_running_loop().create_task(self._keep_within_memory())

    @property
    def pid(self) -> int:
        """The process id of the program, or of the one that confines it."""
        return self.process.pid

    @property
    def memory(self) -> int:
        """The bytes that it and what confines it hold in memory now."""
        return sum(_resident(pid) for pid in _family(self.pid))

    def kill(self) -> None:
        """End it at once; harmless where it has ended."""
        if self.process.returncode is not None:
            return
        # All of them: bubblewrap, killed before its program runs, leaves a process that waits for it for ever. Each is
        # stopped before its children are listed, or it might make another one meanwhile.
        for pid in list(_family(self.pid, visit=_stop)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    async def ended(self) -> int:
        """Wait until it is gone; the status with which it ended, negative for a signal."""
        if self.process.stdout is not None:
            # asyncio waits for the end of the pipe too, and sees none while what came before it is not read.
            with suppress(RuntimeError):  # somebody else reads it
                while await self.process.stdout.read(_UNREAD_BYTES):
                    pass
        status = await self.process.wait()
        self._watch.cancel()
        if self.process.stdin is not None:
            self.process.stdin.close()
        return status

    async def _keep_within_memory(self) -> None:
        while self.process.returncode is None:
            if (held := self.memory) > self._memory_limit:
                _log.warning(
                    "program %d is killed: it holds %d bytes, more than %d", self.pid, held, self._memory_limit
                )
                self.kill()
                return
            await asyncio.sleep(_LOOK_SECONDS)


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _family(pid: int, visit: Callable[[int], None] = lambda _: None) -> Iterator[int]:
    """A process and all below it, each visited before those below it are listed.

    A confined program has no children, but bubblewrap is two processes above it.
    """
    visit(pid)
    yield pid
    try:
        children: Sequence[str] = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        children = ()
    for child in children:
        yield from _family(int(child), visit)


def _stop(pid: int) -> None:
    """Stop a process, and wait until it stands still, which takes well below a millisecond, or has ended."""
    try:
        os.kill(pid, signal.SIGSTOP)
        deadline = time.monotonic() + _STOPPED_SECONDS
        while time.monotonic() < deadline:
            state = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0]
            if state in "TtZX":
                return
            time.sleep(_STOPPED_SECONDS / 100)
    except OSError:
        return  # it has ended


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * resource.getpagesize()
    except OSError:
        return 0
