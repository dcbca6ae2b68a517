"""Workers of an app in a container beside files: `lattice-sidecar serve SOCKET -- COMMAND…`, `… reach SOCKET`.

files spawns its workers, uses each for one call at a time, and kills one that hangs. Containers of a pod see no
processes of each other, only a folder that they share. So in the app's container `serve` waits at a socket in that
folder; each connection is one worker, started when it opens and killed with all that it started when it closes. In the
container of files `reach` stands for the worker: files spawns and kills it as it would the program itself, and calls
the worker's own socket. When either ends, however it ends, so does the other.

It imports nothing beyond Python, for it starts with each worker.
"""

# ruff: noqa: ASYNC110, ASYNC240 - what it waits for is another process's, and it has nothing else to do

import argparse
import asyncio
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

_SOCKET: Final = "app.sock"
_NAME: Final = re.compile(r"w-[a-z0-9_]{8}")
_POLL_SECONDS: Final = 0.01
_DRAIN_SECONDS: Final = 2.0
_GROUP_ALONE: Final = 0o007
_OF_THE_GROUP: Final = 0o2770
"""files and the app are different users of one group, which owns the folder that they share."""


class _Workers:
    """The workers of one container."""

    def __init__(self, shared: Path, command: Sequence[str]) -> None:
        self._shared = shared
        self._command = command
        self._serving: set[asyncio.Task[None]] = set()
        self._processes: set[int] = set()

    def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Have a worker for a new connection."""
        task = asyncio.create_task(self._one(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def unneeded(self) -> None:
        """Return once nobody has had a worker for a while: files ends its own when it ends, and drains before."""
        while True:
            await asyncio.sleep(_DRAIN_SECONDS)
            if not self._serving:
                return
            await asyncio.wait(self._serving)

    def bury_orphans(self) -> None:
        """Wait for what a worker started and left behind: the first process of a container is everybody's parent."""
        with suppress(ChildProcessError):
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if ended.si_pid in self._processes:  # asyncio waits for it
                    return
                os.waitpid(ended.si_pid, 0)

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with (
            closing(writer),
            tempfile.TemporaryDirectory(prefix="w-", dir=self._shared, ignore_cleanup_errors=True) as shared,
            tempfile.TemporaryDirectory(prefix="w-", ignore_cleanup_errors=True) as private,
        ):
            Path(shared).chmod(_OF_THE_GROUP)
            socket = Path(shared) / _SOCKET
            process = await asyncio.create_subprocess_exec(
                *(*self._command, "--socket", str(socket)),
                stdin=asyncio.subprocess.DEVNULL,
                env={**os.environ, "HOME": private, "TMPDIR": private},
                start_new_session=True,
            )
            self._processes.add(process.pid)
            ended, left = asyncio.create_task(process.wait()), asyncio.create_task(reader.read())
            try:
                while not (socket.exists() or ended.done() or left.done()):
                    await asyncio.sleep(_POLL_SECONDS)
                if socket.exists():
                    writer.write(f"{Path(shared).name}\n".encode())
                await asyncio.wait([ended, left], return_when=asyncio.FIRST_COMPLETED)
            finally:
                left.cancel()
                await _end(process)
                self._processes.discard(process.pid)


async def serve(socket: Path, command: Sequence[str]) -> None:
    """Start a worker for each connection to `socket`; after SIGTERM until two seconds pass without any.

    The containers of a pod are told to end at the same time, and calls that files still answers need their workers.

    A worker is `command`, followed by `--socket` and a path in a new folder beside `socket`; home and temporary files
    are in a folder of its own. Who connected is told the name of the first folder, in a line, once the worker listens.
    """
    os.umask(_GROUP_ALONE)
    socket.unlink(missing_ok=True)  # of a container that was killed
    for left in socket.parent.glob("w-*"):
        shutil.rmtree(left, ignore_errors=True)
    workers, stopped, loop = _Workers(socket.parent, command), asyncio.Event(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stopped.set)
    loop.add_signal_handler(signal.SIGCHLD, workers.bury_orphans)
    async with await asyncio.start_unix_server(workers.connected, socket):
        await stopped.wait()
        await workers.unneeded()


async def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            await process.wait()
    with suppress(ProcessLookupError):  # the worker's own programs, too
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


async def reach(socket: Path, own: Path) -> None:
    """Have a worker at `socket` started, lay its socket at `own`, and end when it ends.

    A sidecar that is not there yet is waited for: whoever wants a worker says for how long.

    Raises:
        ValueError: it started none.
    """
    while True:
        with suppress(FileNotFoundError, ConnectionRefusedError):
            reader, writer = await asyncio.open_unix_connection(socket)
            break
        await asyncio.sleep(_POLL_SECONDS)
    told = (await reader.readline()).decode(errors="replace").strip()
    if not _NAME.fullmatch(told):
        raise ValueError(f"the sidecar at {socket} started no worker")
    own.symlink_to(socket.parent / told / _SOCKET)
    await reader.read()
    writer.close()


def run() -> None:
    """The console script."""
    parser = argparse.ArgumentParser(prog="lattice-sidecar", description=__doc__)
    commands = parser.add_subparsers(dest="verb", required=True)
    serving = commands.add_parser("serve", help="start workers for whoever connects, until SIGTERM")
    serving.add_argument("at", type=Path, metavar="SOCKET")
    serving.add_argument("command", nargs="+")
    reaching = commands.add_parser("reach", help="stand for a worker in the sidecar, until it ends")
    reaching.add_argument("at", type=Path, metavar="SOCKET")
    reaching.add_argument("--socket", type=Path, required=True, help="where the caller looks for the worker")
    arguments = parser.parse_args()
    if arguments.verb == "serve" and shutil.which(arguments.command[0]) is None:
        sys.exit(f"lattice-sidecar: there is no program {arguments.command[0]}")
    try:
        if arguments.verb == "serve":
            asyncio.run(serve(arguments.at, arguments.command))
        else:
            asyncio.run(reach(arguments.at, arguments.socket))
    except (OSError, ValueError) as error:
        sys.exit(f"lattice-sidecar: {error}")
