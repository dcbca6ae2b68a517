"""A service of the suite as a child process: started, waited for until it serves, stopped cleanly."""

import asyncio
import os
import signal
import socket
import sys
import sysconfig
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from lattice_chassis.channels import channel
from lattice_chassis.transport import ChannelTls

from lattice_cli import guard

READY_WITHIN: Final = 60.0
"""Seconds that a service may take from its start to its first answer."""

STOP_WITHIN: Final = 20.0
"""Seconds that a service may take to drain before it is killed."""

_LAST_LINES: Final = 20


class ServiceFailedError(Exception):
    """A service did not come up, or ended by itself; where it has a log, the message ends with its last lines."""


@dataclass(frozen=True, kw_only=True)
class Program:
    """What to run: an installed command with its arguments, and the settings it reads from its environment."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    tls: ChannelTls | None = None
    """How it is called, where it serves with TLS."""

    def command(self) -> list[str]:
        """The command line, with the scripts of the interpreter that runs us; the program dies with us."""
        guarded = [sys.executable, "-I", "-S", guard.__file__, str(os.getpid())]
        return [*guarded, str(Path(sysconfig.get_path("scripts")) / self.name), *self.arguments]

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


def require_free(addresses: Iterable[str]) -> None:
    """See that services can listen on all these addresses, each a `host:port`.

    Whoever listens there already would answer for the service that cannot.

    Raises:
        ServiceFailedError: an address is taken, given twice or none of this machine's; the message names it.
    """
    with ExitStack() as held:
        for address in addresses:
            host, _, port = address.rpartition(":")
            if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
                raise ServiceFailedError(f"{address} is no address: give host:port, with a port from 1 to 65535")
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            try:
                held.enter_context(socket.create_server((host.strip("[]"), int(port)), family=family))
            except OSError as error:
                raise ServiceFailedError(f"cannot listen on {address}: {error.strerror}") from error


async def run_to_end(program: Program, log: Path) -> None:
    """Run a program that ends by itself, such as a migration; ServiceFailedError unless it ends well."""
    with log.open("ab") as output:
        process = await asyncio.create_subprocess_exec(
            *program.command(),
            env=program.full_environment(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C reaches us alone, and a cancel ends the program
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
    async with channel(service.address, [], tls=service.program.tls) as connection:
        health = health_pb2_grpc.HealthStub(connection)
        while True:
            if service.process.returncode is not None:
                raise ServiceFailedError(f"{service.program.name} ended early:\n{last_lines(service.log)}")
            try:
                answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=1)  # type: ignore[attr-defined]
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.05)
                continue
            # Another server may answer at the address before ours has failed to bind it.
            if answer.status == health_pb2.HealthCheckResponse.SERVING and service.process.returncode is None:
                return
            await asyncio.sleep(0.05)
