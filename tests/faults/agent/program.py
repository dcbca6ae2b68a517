"""The agent service as a process of its own, beside files whose feed the test writes."""

import asyncio
import os
import socket
import sys
from pathlib import Path

import grpc

PROGRAM = Path(sys.executable).parent / "lattice-agent"
DEADLINE = 60.0
"""Seconds until a program must have started or ended."""


class Program:
    """`lattice-agent serve`, to be started, stopped and killed; it listens where it listened before."""

    def __init__(self, database_url: str, files: str) -> None:
        self._settings = {"LATTICE_AGENT_DATABASE_URL": database_url, "LATTICE_AGENT_FILES": files}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, *arguments: str, **settings: str) -> None:
        """Start it, and wait until it accepts connections."""
        listening = {
            "LATTICE_AGENT_LISTEN": self.address,
            "LATTICE_AGENT_NOTICE": "0ms",
            "LATTICE_AGENT_RUN_GRACE": "0ms",
        }
        self._process = await run("serve", *arguments, **self._settings, **listening, **settings)
        async with asyncio.timeout(DEADLINE), grpc.aio.insecure_channel(self.address) as channel:
            await channel.channel_ready()

    async def kill(self) -> None:
        """End it without any warning."""
        assert self._process is not None
        self._process.kill()
        await self.ended()

    async def stop(self) -> int:
        """Ask it to stop, and answer its exit code."""
        assert self._process is not None
        self._process.terminate()
        return await self.ended()

    async def ended(self) -> int:
        """Its exit code, once it has ended."""
        assert self._process is not None
        async with asyncio.timeout(DEADLINE):
            return await self._process.wait()

    @property
    def runs(self) -> bool:
        """Whether there is something to end."""
        return self._process is not None and self._process.returncode is None


async def run(command: str, *arguments: str, **settings: str) -> asyncio.subprocess.Process:
    """Start a command of the program."""
    python_path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "LATTICE_MODEL": "", "PYTHONPATH": python_path, **settings}
    return await asyncio.create_subprocess_exec(PROGRAM, command, *arguments, env=environment)
