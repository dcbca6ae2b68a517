"""The service as a process of its own, on a port that stays the same when it is started again."""

import asyncio
import os
import socket
import sys
from pathlib import Path

import grpc

PROGRAM = Path(sys.executable).parent / "lattice-integrations"
DEADLINE = 60.0
"""Seconds until a program must have started or ended."""


class Program:
    """`lattice-integrations serve`, to be started, stopped and killed."""

    def __init__(self, database_url: str) -> None:
        self._database_url = database_url
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        self._process = await run(
            "serve", self._database_url, LISTEN=self.address, NOTICE="0ms", WATCH_PROGRESS="200ms"
        )
        async with asyncio.timeout(DEADLINE), grpc.aio.insecure_channel(self.address) as channel:
            await channel.channel_ready()

    async def kill(self) -> None:
        """End it without any warning."""
        assert self._process is not None
        self._process.kill()
        await self.ended()

    def ask_to_stop(self) -> None:
        """Send SIGTERM."""
        assert self._process is not None
        self._process.terminate()

    async def ended(self) -> int:
        """Its exit code, once it has ended."""
        assert self._process is not None
        async with asyncio.timeout(DEADLINE):
            return await self._process.wait()

    @property
    def runs(self) -> bool:
        """Whether there is something to end."""
        return self._process is not None and self._process.returncode is None


async def run(command: str, database_url: str, **settings: str) -> asyncio.subprocess.Process:
    """Start a command of the program."""
    environment = {f"LATTICE_INTEGRATIONS_{name}": value for name, value in settings.items()}
    environment["LATTICE_INTEGRATIONS_DATABASE_URL"] = database_url
    return await asyncio.create_subprocess_exec(PROGRAM, command, env={**os.environ, **environment})
