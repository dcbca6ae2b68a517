"""A document that is slow to read: the worker gives it up by itself, and has its hands free for the next one."""

import asyncio
import time

import psutil
import pytest
from service.wordcraft.documents import packed, parts_of
from service.wordcraft.hostile.case import MAIN, noise
from service.wordcraft.hostile.trial import HONEST
from service.wordcraft.worker import refused, running_worker

pytestmark = pytest.mark.documents

LIMIT = 2
SETTINGS = {"LATTICE_WORDCRAFT_JOB_TIME_LIMIT": f"{LIMIT}s"}


def slow_document() -> bytes:
    """Deleted words, deep in marks that mean nothing: each is asked at every depth whether it is rightly unread."""
    words = noise(4 * 200_000).hex()
    runs = "".join(f"<w:r><w:t>{words[at : at + 8]}</w:t></w:r>" for at in range(0, len(words), 8))
    deep = f"{'<w:smartTag>' * 240}{runs}{'</w:smartTag>' * 240}"
    parts = parts_of(HONEST)
    deleted = f'<w:del w:id="1" w:author="A">{deep}</w:del>'.encode()
    return packed({**parts, MAIN: parts[MAIN].replace(b"<w:r><w:t>An honest word.</w:t></w:r>", deleted)})


async def test_a_document_that_takes_too_long_is_refused_and_the_next_job_succeeds(worker_command: list[str]) -> None:
    """R-07, N-25: reading it ends with the refusal, and burns no processor afterwards."""
    slow = slow_document()
    replace = ("replace_text", {"quote": "An honest word", "replacement": "A word"})
    async with running_worker(worker_command, **SETTINGS) as worker:
        for job in (worker.extract(slow), worker.apply(slow, replace)):
            began = time.monotonic()
            refusal = await refused(job)
            assert refusal.reason == "APP_TIMEOUT"
            assert time.monotonic() - began < LIMIT + 5  # for it is sent first
            assert await _busy_seconds(worker.process.pid, over=1) < 0.5
            assert (await worker.extract(HONEST))[0] == "An honest word.\n"


async def _busy_seconds(pid: int, *, over: float) -> float:
    """How much of the processor a process takes in so many seconds from now on."""
    process = psutil.Process(pid)
    before = sum(process.cpu_times()[:2])
    await asyncio.sleep(over)
    return sum(process.cpu_times()[:2]) - before
