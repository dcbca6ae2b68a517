"""Killing the suite's processes, in the middle of what they do."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

import psutil
from lattice_cli.suite import SERVICES, Suite
from soak.kills.schedule import Cut

_SPAN_WITHIN: Final = 5.0
"""Seconds to wait for a span; a cut whose span does not come is made all the same."""

_RECENT_SPANS: Final = 500
"""How many are looked at for the one that is waited for."""

_DEAD_WITHIN: Final = 10.0

_MARK: Final = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
"""What all processes of a suite have in their environment, and those of no other: where they send their spans."""


async def make_cuts(suite: Suite, cuts: Sequence[Cut], tell: Callable[[str], None]) -> None:
    """Make the cuts one after the other, each when its moment comes; afterwards every service runs."""
    for cut in cuts:
        if cut.after:
            await _span_ended(suite, cut.after)
        await asyncio.sleep(cut.delay)
        await _each(suite.kill, cut.services)
        await asyncio.sleep(cut.down)
        await _each(suite.start, cut.services)
        tell(str(cut))


async def cut_the_power(suite: Suite) -> None:
    """Kill every process of the suite, the database server's too; they have ended when this returns."""
    await _each(suite.kill, tuple(suite.running))
    data = suite.folder / "postgres" / "data"
    server = psutil.Process(int((data / "postmaster.pid").read_text().splitlines()[0]))
    processes = [server, *server.children(recursive=True)]
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGKILL)
    async with asyncio.timeout(_DEAD_WITHIN):
        while any(map(_lives, processes)):  # noqa: ASYNC110  # the kernel brings it about
            await asyncio.sleep(0.01)


async def start_all(suite: Suite) -> None:
    """Start every service again."""
    await _each(suite.start, SERVICES)


def remains(suite: Suite) -> list[str]:
    """The processes of a suite that has ended; each is one too many."""
    mark = suite.programs["files"].environment[_MARK]
    return [line for process in psutil.process_iter() if (line := _marked(process, mark)) is not None]


async def _each(act: Callable[[str], Awaitable[object]], services: Sequence[str]) -> None:
    await asyncio.gather(*(act(service) for service in services))


async def _span_ended(suite: Suite, name: str) -> None:
    """Wait until the next span of this name has ended, as its process tells."""
    now = time.time_ns()
    with suppress(TimeoutError):
        async with asyncio.timeout(_SPAN_WITHIN):
            while not any(  # noqa: ASYNC110  # another process ends it
                it.name == name and it.end > now for it in islice(suite.spans.all(), _RECENT_SPANS)
            ):
                await asyncio.sleep(0.02)


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _marked(process: psutil.Process, mark: str) -> str | None:
    try:
        ours = process.environ().get(_MARK) == mark
        return f"{process.pid} {' '.join(process.cmdline())}" if ours and _lives(process) else None
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return None
