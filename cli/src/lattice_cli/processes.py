"""A service of the suite as a child process: started, waited for until it serves, stopped cleanly."""

import asyncio
import os
import signal
import socket
import sysconfig
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

READY_WITHIN: Final = 60.0
"""Seconds that a service may take from its start to its first answer."""

STOP_WITHIN: Final = 20.0
"""Seconds that a service may take to drain before it is killed."""

_LAST_LINES: Final = 20


class ServiceFailedError(Exception):
    """A service did not come up; the message ends with the last lines of its log."""


@dataclass(frozen=True, kw_only=True)
class Program:
    """What to run: an installed command with its arguments, and the settings it reads from its environment."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str]

    def command(self) -> list[str]:
        """The command line, with the scripts of the interpreter that runs us."""
        return [str(Path(sysconfig.get_path("scripts")) / self.name), *self.arguments]

    def full_environment(self) -> dict[str, str]:
        """Our own environment with the program's settings over it."""
        return {**os.environ, **self.environment}


@dataclass(kw_only=True)
class RunningService:
    """A service that answers at `address`."""

    program: Program
    address: str
    log: Path
    process: asyncio.subprocess.Process

    @property
    def pid(self) -> int:
        """The process id."""
        return self.process.pid

    def kill(self) -> None:
        """End the process at once, as a power cut would."""
        self.process.kill()


def free_address() -> str:
    """A loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        host, port = probe.getsockname()
    return f"{host}:{port}"


async def run_to_end(program: Program, log: Path) -> None:
    """Run a program that ends by itself, such as a migration; ServiceFailedError unless it ends well."""
    with log.open("ab") as output:
        process = await asyncio.create_subprocess_exec(
            *program.command(),
            env=program.full_environment(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        try:
            status = await process.wait()
        finally:
            if process.returncode is None:  # we were cancelled
                process.kill()
                await process.wait()
    if status:
        raise ServiceFailedError(f"{program.name} ended with status {status}:\n{last_lines(log)}")


@asynccontextmanager
async def serving(program: Program, address: str, log: Path) -> AsyncIterator[RunningService]:
    """The program as a child process that serves at `address`; on leaving it is asked to stop, at last killed.

    Raises ServiceFailedError where it ends early or does not serve within READY_WITHIN.
    """
    service = await start(program, address, log)
    try:
        yield service
    finally:
        await stop(service)


async def start(program: Program, address: str, log: Path) -> RunningService:
    """Start the program and wait until its health says that it serves."""
    with log.open("ab") as output:
        process = await asyncio.create_subprocess_exec(
            *program.command(),
            env=program.full_environment(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C reaches us alone, and we stop the services in order
        )
    service = RunningService(program=program, address=address, log=log, process=process)
    try:
        async with asyncio.timeout(READY_WITHIN):
            await _until_it_serves(service)
    except TimeoutError:
        await stop(service)
        raise ServiceFailedError(f"{program.name} did not serve in time:\n{last_lines(log)}") from None
    except BaseException:
        await stop(service)
        raise
    return service


async def stop(service: RunningService) -> None:
    """Ask the process to drain, and kill it where it does not end."""
    process = service.process
    if process.returncode is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(STOP_WITHIN):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def last_lines(log: Path) -> str:
    """The last lines of a log file."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-_LAST_LINES:])


async def _until_it_serves(service: RunningService) -> None:
    async with grpc.aio.insecure_channel(service.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        while True:
            if service.process.returncode is not None:
                raise ServiceFailedError(f"{service.program.name} ended early:\n{last_lines(service.log)}")
            try:
                answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=1)  # type: ignore[attr-defined]
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.05)
                continue
            if answer.status == health_pb2.HealthCheckResponse.SERVING:
                return
            await asyncio.sleep(0.05)
