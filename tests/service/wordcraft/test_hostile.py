"""Hostile packages against the real worker: each is refused by its own guard, or handled, and nothing gets out."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from lattice_chassis.errors import refusal_of
from service.wordcraft.documents import with_body
from service.wordcraft.hostile.archives import NAMES
from service.wordcraft.hostile.case import Case
from service.wordcraft.hostile.cases import CASES
from service.wordcraft.watching import Listener, listening, watched_memory
from service.wordcraft.worker import Worker, refused, running_worker

SECONDS = 20.0
MEMORY = 2**30
HONEST = with_body("<w:p><w:r><w:t>An honest word.</w:t></w:r></w:p>")


@pytest.fixture(scope="module")
async def listener() -> AsyncIterator[Listener]:
    async with listening() as heard:
        yield heard


@pytest.fixture(scope="module")
async def victim(worker_command: list[str]) -> AsyncIterator[Worker]:
    """A worker of its own, which meets one hostile package after the other."""
    async with running_worker(worker_command) as running:
        yield running


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_hostile_package_is_refused_by_its_guard_or_handled_and_the_next_job_succeeds(
    case: Case, victim: Worker, listener: Listener
) -> None:
    """SE-07, SE-09, SE-10, N-25: within 20 s and 1 GiB of the worker and all that it starts."""
    content = await asyncio.to_thread(case.made, listener.address)
    with watched_memory(victim.process.pid) as memory:
        began = time.monotonic()
        async with asyncio.timeout(SECONDS):
            if case.guard is not None:
                refusal = await refused(victim.extract(content))
                assert (refusal.reason, refusal.metadata["guard"]) == ("FILE_REFUSED", case.guard)
                assert refusal.metadata["why"]
            else:
                text, _ = await victim.extract(content)
                assert "Closing words." in text
            took = time.monotonic() - began
        if case.is_drawn:
            async with asyncio.timeout(SECONDS):
                await drawn_or_refused(victim, content)
        assert "An honest word." in (await victim.extract(HONEST))[0]
    assert memory.peak < MEMORY
    assert listener.heard == []
    print(f"{case.name}: {case.guard or 'handled'} in {took * 1000:.0f} ms, {memory.peak / 2**20:.0f} MiB at the most")


async def drawn_or_refused(worker: Worker, content: bytes) -> None:
    """A page of the document, or a refusal of the renderer, which may not be able to draw everything."""
    try:
        assert await worker.page(content, 1, 400)
    except grpc.aio.AioRpcError as error:
        refusal = refusal_of(error)
        assert refusal is not None
        assert (refusal.reason, refusal.metadata.get("guard")) == ("FILE_REFUSED", "renderer")


async def test_nothing_is_written_where_the_names_climb_to(victim: Worker) -> None:
    """SE-10: neither from the worker's folder, nor from where a program may have unpacked."""
    folder = victim.trace_file.parent
    assert {entry.name.partition("-")[0] for entry in folder.iterdir()} <= {"app.sock", "spans.jsonl", "wordcraft"}
    for name in NAMES:
        plain = name.replace("\\", "/").replace("\x00", "")
        for base in (folder, *folder.glob("wordcraft-*"), Path("/"), Path.cwd()):
            assert not os.path.lexists(base / plain)


async def test_the_listener_hears_whoever_calls(listener: Listener) -> None:
    """Or its silence would prove nothing."""
    host, port = listener.address.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /heard HTTP/1.1\r\n")
    await writer.drain()
    async with asyncio.timeout(5):
        while not listener.heard:  # noqa: ASYNC110  another task hears it
            await asyncio.sleep(0.01)
    assert listener.heard.pop() == "GET /heard HTTP/1.1"
    writer.close()


def test_the_packages_are_many_and_the_same_each_time() -> None:
    """At least 45, each of a name of its own."""
    assert len({case.name for case in CASES}) == len(CASES) >= 45
    for case in CASES[:60]:
        assert case.made("http://127.0.0.1:1") == case.made("http://127.0.0.1:1")


async def test_where_a_setting_allows_macros_they_are_kept_and_never_run(
    worker_command: list[str], corpus: Path
) -> None:
    """SE-10: byte for byte, with their types."""
    document = (corpus / "o03-docm-macros.docm").read_bytes()
    async with running_worker(worker_command, LATTICE_WORDCRAFT_MACROS="true") as trusting:
        text, _ = await trusting.extract(document)
        assert text.strip()
