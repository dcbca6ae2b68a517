"""Killing the suite's processes, in the middle of what they do."""

import asyncio
import os
import re
import signal
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil
from lattice_cli.suite import SERVICES, Suite
from soak.kills.schedule import Cut

_SPAN_WITHIN: Final = 5.0
"""Seconds to wait for a span; a cut whose span does not come is made all the same."""

_DEAD_WITHIN: Final = 10.0


async def make_cuts(suite: Suite, cuts: Sequence[Cut], tell: Callable[[str], None]) -> None:
    """Make the cuts one after the other, each when its moment comes; afterwards every service runs."""
    for cut in cuts:
        if cut.after:
            await _span_ended(suite.trace_file, cut.after)
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
    return [line for process in psutil.process_iter() if (line := _of_suite(process, suite.folder)) is not None]


async def _each(act: Callable[[str], Awaitable[object]], services: Sequence[str]) -> None:
    await asyncio.gather(*(act(service) for service in services))


async def _span_ended(trace_file: Path, name: str) -> None:
    """Wait for the next end of a span of this name, as a process writes it down."""
    ended = re.compile(rf'"name":"{re.escape(name)}"'.encode())
    with suppress(TimeoutError), trace_file.open("rb") as spans:
        spans.seek(0, os.SEEK_END)
        async with asyncio.timeout(_SPAN_WITHIN):
            while not ended.search(spans.read()):  # noqa: ASYNC110  # another process writes it
                await asyncio.sleep(0.002)


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _of_suite(process: psutil.Process, folder: Path) -> str | None:
    try:
        ours = process.environ().get("LATTICE_TRACE_FILE", "").startswith(str(folder))
        return f"{process.pid} {' '.join(process.cmdline())}" if ours and _lives(process) else None
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return None
