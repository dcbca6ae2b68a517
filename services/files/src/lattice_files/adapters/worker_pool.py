"""The workers of one app: a fixed number of slots, each with a process of its own, used by one caller at a time.

A slot whose worker failed or is worn out gets another one before it is given out again, behind the
caller's back. There are never more processes than slots.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from contextvars import Context
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

from lattice_chassis.metrics import METER
from lattice_chassis.telemetry import span

from lattice_files.adapters.worker_answers import AnswerLimits
from lattice_files.adapters.worker_client import WorkerClient
from lattice_files.adapters.worker_process import AppProgram, WorkerDidNotStart, WorkerProcess
from lattice_files.domain.apps import App
from lattice_files.domain.rejections import PeerUnavailable

_WAITING: Final = METER.create_up_down_counter(
    "lattice.app.slots.waiting", "{call}", "Calls that wait for a worker of an app"
)

_log: Final = logging.getLogger("lattice.files.app_workers")


@dataclass(frozen=True, kw_only=True)
class PoolLimits:
    """How many workers each app has, and how long and how much each may do."""

    slots: int = 4
    """How many callers an app serves at once; as many processes at the most."""
    warm: int = 1
    """How many processes are started before anybody asks; at least one, which describes the app."""
    jobs_a_worker: int = 100
    """How many callers a process serves before another takes its place: engines do not give memory back."""
    start_limit: timedelta = timedelta(seconds=15)
    """How long a process may take until it describes itself."""
    call_limit: timedelta = timedelta(seconds=20)
    """How long one call to a worker may take [L-06]."""
    answers: AnswerLimits = field(default_factory=AnswerLimits)
    """How large what comes back may be."""

    def __post_init__(self) -> None:
        if not 1 <= self.warm <= self.slots:
            raise ValueError(f"{self.warm} warm workers do not fit 1 to {self.slots} slots")


@dataclass(kw_only=True, eq=False)
class _Slot:
    process: WorkerProcess | None = None
    jobs: int = 0


class WorkerPool:
    """The slots of one app. It is opened before its first use, and closed once no caller is left.

    Each worker has a folder of its own in `folder`.
    """

    def __init__(self, program: AppProgram, limits: PoolLimits, folder: Path) -> None:
        self._program = program
        self._folder = folder
        self._limits = limits
        self._app: App | None = None
        # Last in, first out: started processes lie on top, idle ones stay idle.
        self._free: asyncio.LifoQueue[_Slot] = asyncio.LifoQueue()
        self._slots = [_Slot() for _ in range(limits.slots)]
        self._background: set[asyncio.Task[None]] = set()

    async def open(self) -> App:
        """Start the warm workers, and tell which app they described.

        Raises:
            WorkerDidNotStart: one of them did not start. Close the pool then, too.
        """
        for slot in self._slots[-self._limits.warm :]:
            await self._start(slot)
        for slot in self._slots:
            self._free.put_nowait(slot)
        return self.app

    @property
    def app(self) -> App:
        """The app, once the pool is open."""
        if self._app is None:
            raise RuntimeError("the pool is not open")
        return self._app

    async def close(self) -> None:
        """End every process."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await asyncio.gather(*(self._end(slot) for slot in self._slots))

    @asynccontextmanager
    async def slot(self, within: timedelta) -> AsyncIterator[WorkerClient]:
        """A worker for one caller; see the port.

        Raises:
            PeerUnavailable: none was free, or could be started, in that time.
        """
        slot, process = await self._taken(within)
        client = WorkerClient(process, time_limit=self._limits.call_limit, limits=self._limits.answers)
        try:
            yield client
        finally:
            slot.jobs += 1
            if process.is_alive and slot.jobs < self._limits.jobs_a_worker:
                self._free.put_nowait(slot)
            else:
                self._spawn(self._replace(slot))

    async def _taken(self, within: timedelta) -> tuple[_Slot, WorkerProcess]:
        try:
            async with asyncio.timeout(within.total_seconds()):
                slot = await self._next_free()
                try:
                    if slot.process is not None and not slot.process.is_alive:  # it died while it was idle
                        await self._end(slot)
                    return slot, slot.process or await self._start(slot)
                except BaseException:
                    self._free.put_nowait(slot)
                    raise
        except TimeoutError as error:
            raise PeerUnavailable(peer="app") from error
        except WorkerDidNotStart as error:
            _log.error("an app worker did not start: %s", error)
            raise PeerUnavailable(peer="app") from error

    async def _next_free(self) -> _Slot:
        app = {"lattice.app": self.app.name}
        _WAITING.add(1, app)
        try:
            return await self._free.get()
        finally:
            _WAITING.add(-1, app)

    async def _start(self, slot: _Slot) -> WorkerProcess:
        with span("app.start"):
            process, app = await WorkerProcess.start(self._program, self._folder, within=self._limits.start_limit)
        slot.process, slot.jobs = process, 0
        self._app = self._app or app
        if app != self._app:
            await self._end(slot)
            raise WorkerDidNotStart(f"{app.name} {app.version} is another app than the first worker described")
        return process

    async def _replace(self, slot: _Slot) -> None:
        try:
            await self._end(slot)
            await self._start(slot)
        except WorkerDidNotStart as error:  # whoever takes the slot tries again
            _log.error("an app worker was not replaced: %s", error)
        finally:
            self._free.put_nowait(slot)

    async def _end(self, slot: _Slot) -> None:
        if slot.process is not None:
            await slot.process.end()
            slot.process = None  # only now: after a cancel, `close` ends it again

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        # An empty context: the caller's deadline and trace are not those of the next worker.
        task = asyncio.get_running_loop().create_task(work, context=Context())
        self._background.add(task)
        task.add_done_callback(self._background.discard)
