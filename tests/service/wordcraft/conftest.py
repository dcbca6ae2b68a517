"""The app with a real engine, the worker as a program, and people who edit."""

import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from lattice_wordcraft.batch import Applied, Batch, Call
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.host import EngineHosts
from lattice_wordcraft.ports import Page
from lattice_wordcraft.rendering.cache import Cache
from lattice_wordcraft.rendering.jobs import Jobs
from lattice_wordcraft.rendering.rdocx import Rdocx
from lattice_wordcraft.sandbox.confinement import Bubblewrap, Confinement, SelfConfinement, chosen, works
from lattice_wordcraft.sandbox.rooms import Rooms
from lattice_wordcraft.wordcraft import WordCraft
from service.wordcraft.soundness import faults_of
from service.wordcraft.worker import Worker, running_worker

CORPUS = Path(os.environ.get("LATTICE_CORPUS", Path(__file__).resolve().parents[4] / "shared" / "corpus"))

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)

Edits = Callable[..., Coroutine[Any, Any, Applied]]


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real documents; without it tests are skipped, and in CI they fail."""
    if not CORPUS.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"the corpus is missing: {CORPUS}")
        pytest.skip(f"the corpus is missing: {CORPUS}")
    return CORPUS


@pytest.fixture(params=[Bubblewrap, SelfConfinement], ids=["bubblewrap", "self_confinement"])
def confinement(request: pytest.FixtureRequest, tmp_path: Path) -> Confinement:
    """Each way to confine programs that works on this machine."""
    way: Confinement = request.param()
    if not works(way, tmp_path):
        pytest.skip(f"{way.name} does not work on this machine")
    return way


@pytest.fixture(scope="session")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Rooms:
    """Rooms for programs, confined as this machine allows; the sandbox's own tests say where it cannot."""
    folder = tmp_path_factory.mktemp("rooms")
    return Rooms(confinement=chosen(folder, unconfined=True), folder=folder)


@pytest.fixture(scope="session")
async def hosts(rooms: Rooms) -> AsyncIterator[EngineHosts]:
    """The engine, confined as this machine allows."""
    engine = EngineHosts(rooms, tenant=lambda: "acme", size=1, time_limit=timedelta(seconds=300), jobs_per_host=50)
    yield engine
    await engine.close()


@pytest.fixture(scope="session")
def app(hosts: EngineHosts, rooms: Rooms) -> WordCraft:
    """The app, drawing with rdocx."""
    jobs = Jobs(rooms, size=1, time_limit=timedelta(seconds=60))
    pages = Cache[Page](lambda page: len(page.png), tenant=lambda: "acme", max_bytes=0)
    return WordCraft(hosts, Rdocx(jobs), Limits(), pages, time_limit=timedelta(seconds=300))


@pytest.fixture(scope="session")
def edits(app: WordCraft) -> Edits:
    """Applies commands to a document, as the assistant and tracked unless said otherwise."""

    async def apply(
        content: bytes,
        *commands: tuple[str, dict[str, Any]],
        author: str = "assistant",
        time: datetime = NOON,
        tracked: bool = True,
    ) -> Applied:
        calls = [Call(command=command, arguments_json=json.dumps(arguments)) for command, arguments in commands]
        result, _ = await app.apply(Batch(calls=calls, author=author, time=time, tracked=tracked), content)
        return result

    return apply


@pytest.fixture(scope="session")
def worker_command() -> list[str]:
    """The worker's program, beside the interpreter that runs the tests."""
    return [str(Path(sys.executable).with_name("lattice-wordcraft"))]


@pytest.fixture(scope="session")
def sound(edits: Edits) -> Edits:
    """Applies commands as `edits` does, and checks that Word could read the result."""

    async def apply(
        content: bytes, *commands: tuple[str, dict[str, Any]], author: str = "assistant", tracked: bool = True
    ) -> Applied:
        result = await edits(content, *commands, author=author, tracked=tracked)
        assert faults_of(result.content) == []
        return result

    return apply


@pytest.fixture(scope="session")
async def worker(worker_command: list[str]) -> AsyncIterator[Worker]:
    """A running worker, shared by all that only speak to it."""
    async with running_worker(worker_command) as running:
        yield running
