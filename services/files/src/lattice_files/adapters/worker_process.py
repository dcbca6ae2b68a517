"""One app program as a process: started with a socket of its own, described, and ended without remains.

The program is spawned, never forked off: gRPC does not survive a fork. It runs in a session of its
own under `worker_guard`, so that it and all that it started end when this process ends, even by
SIGKILL. It sees an allow-list of the environment and a private folder for home, temporary files and
the socket, which is deleted with it. Its working folder and standard error are those of this process.
"""

import asyncio
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final, Self

import grpc
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice.app.v1 import app_service_pb2_grpc as app_grpc
from lattice.type.v1.actor_pb2 import Actor, SystemActor
from lattice_chassis.channels import channel
from lattice_chassis.identity import Identity, current_identity, development_metadata

from lattice_files.adapters import worker_guard
from lattice_files.adapters import worker_translation as translation
from lattice_files.adapters.worker_answers import BrokenContract
from lattice_files.domain.apps import App

_log: Final = logging.getLogger("lattice.files.app_workers")

_PASSED_ON: Final = frozenset({"PATH", "LANG", "LC_ALL", "TZ", "LATTICE_TRACE_FILE"})
_PASSED_ON_PREFIX: Final = "OTEL_"
_CREDENTIALS: Final = "_HEADERS"
"""What a program sees of our environment: enough to find programs and to send spans; no credentials of ours, such as
what OTEL_EXPORTER_OTLP_HEADERS says to a collector. Who trusts an app with some names them in its command.
"""

_SOCKET_POLL_SECONDS: Final = 0.01
_DRAIN_SECONDS: Final = 2.0

_NO_TENANT: Final = "apps"
"""Stands for a tenant in calls that bring no document, such as the first."""


@dataclass(frozen=True, kw_only=True)
class AppProgram:
    """How an app's worker is started: this command, followed by `--socket` and a path."""

    command: tuple[str, ...]
    """The program and its arguments; `env NAME=value program` gives it settings of its own."""


class WorkerDidNotStart(Exception):
    """An app program ended, or did not describe itself, before its time was up."""


class WorkerProcess:
    """A worker that runs; from `start` until `end`."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        self._process = process
        self._folder = folder
        self._killed = False
        self._buried = asyncio.get_running_loop().create_task(self._bury())
        self._channel = channel(f"unix:{self.socket}", [app_pb.DESCRIPTOR], identity=_caller)
        self.stub = app_grpc.AppServiceStub(self._channel)

    @classmethod
    async def start(cls, program: AppProgram, below: Path, *, within: timedelta) -> tuple[Self, App]:
        """Start a program, with a folder of its own `below`, and wait until it describes itself.

        A cancel leaves no process and no folder.

        Raises:
            WorkerDidNotStart: it ended, was not ready in time, or describes no app.
        """
        folder = Path(tempfile.mkdtemp(prefix="w-", dir=below))  # only this user may enter it
        try:
            process = await _spawn(program, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        worker = cls(process, folder)
        try:
            async with asyncio.timeout(within.total_seconds()):
                return worker, await worker._described()
        except (TimeoutError, grpc.aio.AioRpcError, BrokenContract) as error:
            worker.kill()
            await worker.end()
            raise WorkerDidNotStart(f"{program.command[0]} described no app within {within}") from error
        except BaseException:
            worker.kill()
            await worker.end()
            raise

    @property
    def socket(self) -> Path:
        """Where the worker listens."""
        return self._folder / "app.sock"

    @property
    def process_id(self) -> int:
        """The id of the guard, which is also that of the process group."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it may be given another call."""
        return not self._killed and self._process.returncode is None

    def kill(self) -> None:
        """End the whole process group at once; `end` still has to follow."""
        self._killed = True
        self._signal(signal.SIGKILL)

    async def end(self) -> None:
        """End the worker: it may drain for two seconds unless it was killed. Call it again after a cancel."""
        if self.is_alive:
            self._signal(signal.SIGTERM)
            with suppress(TimeoutError):
                async with asyncio.timeout(_DRAIN_SECONDS):
                    await self._process.wait()
        self.kill()
        await self._channel.close()
        await asyncio.shield(self._buried)  # whoever is cancelled here leaves the burial to the next
        await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)

    async def _described(self) -> App:
        # Polled, for gRPC waits a second after it found no socket.
        while not self.socket.exists():
            if self._process.returncode is not None:
                raise WorkerDidNotStart("the program ended before it listened")
            await asyncio.sleep(_SOCKET_POLL_SECONDS)
        return translation.app(await self.stub.Describe(app_pb.DescribeRequest(), wait_for_ready=True))

    def _signal(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    async def _bury(self) -> None:
        await self._process.wait()
        # Should only the guard have been killed, its group lives on. At once, for later the number may be another's.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)


def _caller() -> tuple[tuple[str, str], ...]:
    """Who a worker is told that calls: files, for the tenant whose document it is, whom it has to keep apart."""
    try:
        tenant = current_identity().tenant
    except LookupError:  # outside a call
        tenant = _NO_TENANT
    return development_metadata(Identity(tenant=tenant, actor=Actor(system=SystemActor(name="files"))))


async def _spawn(program: AppProgram, folder: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-IS",
        worker_guard.__file__,
        str(folder),
        *program.command,
        "--socket",
        str(folder / "app.sock"),
        stdin=asyncio.subprocess.PIPE,  # the guard's sign of life of ours
        stdout=asyncio.subprocess.DEVNULL,
        env=_environment(os.environ, folder),
        start_new_session=True,
    )


def _environment(ours: Mapping[str, str], folder: Path) -> dict[str, str]:
    passed_on = {
        name: value
        for name, value in ours.items()
        if name in _PASSED_ON or (name.startswith(_PASSED_ON_PREFIX) and not name.endswith(_CREDENTIALS))
    }
    return {**passed_on, "HOME": str(folder), "TMPDIR": str(folder)}
