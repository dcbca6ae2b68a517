"""Hostile packages against the real worker: each is refused by its own guard, or handled, and nothing gets out."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from lattice.app.v1 import app_service_pb2 as app_pb
from service.wordcraft.documents import parts_of
from service.wordcraft.hostile.archives import NAMES
from service.wordcraft.hostile.case import Case
from service.wordcraft.hostile.cases import CASES
from service.wordcraft.hostile.trial import tried
from service.wordcraft.watching import Listener, listening
from service.wordcraft.worker import Worker, running_worker

pytestmark = pytest.mark.documents


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
    print(await tried(case, victim, listener))


async def test_nothing_is_written_where_the_names_climb_to(victim: Worker) -> None:
    """SE-10: neither from the worker's folder, nor from where a program may have unpacked."""
    folder = victim.trace_file.parent
    assert {entry.name.partition("-")[0] for entry in folder.iterdir()} <= {"app.sock", "spans.jsonl", "wordcraft"}
    for name in NAMES:
        plain = name.replace("\\", "/").replace("\x00", "")
        for base in (folder, *folder.glob("wordcraft-*"), Path("/"), Path.cwd()):
            assert not (base / plain).exists()


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
    for case in CASES[::10]:
        assert case.made("http://127.0.0.1:1") == case.made("http://127.0.0.1:1")


async def test_where_a_setting_allows_macros_they_are_kept_and_never_run(
    worker_command: list[str], corpus: Path
) -> None:
    """SE-10: byte for byte, and the document keeps its type, so that Word still warns of them."""
    document = (corpus / "o03-docm-macros.docm").read_bytes()
    async with running_worker(worker_command, LATTICE_WORDCRAFT_MACROS="true") as trusting:
        word = (await trusting.extract(document))[0].split()[0]
        outputs = await trusting.apply(document, ("replace_text", {"quote": word, "replacement": "LATTICE"}))
    before, after = parts_of(document), parts_of(outputs[app_pb.OUTPUT_NATIVE])
    assert {name for name in before if before[name] != after.get(name)} == {"word/document.xml"}
    assert "word/vbaProject.bin" in after
