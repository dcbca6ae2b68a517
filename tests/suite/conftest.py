"""The whole suite as processes, once a session, and the people who use it."""

import asyncio
import json
import os
import shutil
import tempfile
import uuid
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path

import pytest
from lattice_chassis.telemetry import TRACE_FILE_VARIABLE
from lattice_cli.certificates import certificates_in
from lattice_cli.connection import Connection, Person, connect
from lattice_cli.suite import Suite, running_suite
from suite.tracing.collected import Collected, collecting
from suite.tracing.connection import faults_of
from suite.tracing.content import words_in
from suite.tracing.table import faults_in, measured

FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
CORPUS = Path(os.environ.get("LATTICE_CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus"))


EMITTED = Path(__file__).resolve().parents[2] / ".build" / "emitted"
"""What the sessions of a run emitted, a file each."""

COLLECTED = pytest.StashKey[Collected]()

PATIENCE = 30.0
"""Seconds until the spans of a test have to be complete: what a call leaves behind ends a moment after its answer."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Listen from before the fixtures of a test of the suite on, to what ends in this process."""
    if COLLECTED not in item.config.stash:
        item.config.stash[COLLECTED] = collecting()
    item.config.stash[COLLECTED].listen()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Listen no more: the next test may be another one's."""
    try:
        return (yield)
    finally:
        item.config.stash[COLLECTED].listening = False


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Leave what was emitted, for `suite.tracing.table` to compare with the tables once all sessions have ended."""
    collected = session.config.stash.get(COLLECTED, None)
    if collected is not None:
        EMITTED.mkdir(parents=True, exist_ok=True)
        emitted = {"Spans": collected.emitted, "Metrics": measured(collected.measurements)}
        (EMITTED / f"{os.getpid()}.json").write_text(json.dumps(emitted, default=sorted))


@pytest.fixture(scope="session")
def collected(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Collected]:
    """The spans of the session."""
    collected = pytestconfig.stash[COLLECTED]
    workers = tmp_path_factory.mktemp("traces") / "workers.jsonl"
    collected.add_file(workers, shared=True)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(TRACE_FILE_VARIABLE, str(workers))  # for the workers that services in this process start
        yield collected


@pytest.fixture(autouse=True)
async def _traces_are_connected(collected: Collected) -> AsyncIterator[None]:
    """TR-02, TR-03: whatever a test does through the suite leaves whole traces, whose calls go one way.

    Their spans are those of docs/telemetry.md, and tell no words.
    """
    yield
    touched: set[str] = set()
    told: list[str] = []
    faults = [""]
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while faults and asyncio.get_running_loop().time() < deadline:
        new = collected.read()
        told += [fault for span in new for fault in (*faults_in(span), *words_in(span))]
        touched.update(it.trace_id for it in new)
        faults = [fault for trace_id in touched for fault in faults_of(collected.traces, trace_id)]
        if faults:
            await asyncio.sleep(0.02)
    assert not faults, "\n".join(faults)
    assert not told, "\n".join(told)


@pytest.fixture(scope="session")
async def suite(collected: Collected) -> AsyncIterator[Suite]:
    """All services and their workers, on an embedded PostgreSQL; whoever calls and is called shows a certificate."""
    # Not in pytest's own folders: those are closed to the system user that the server runs as under root.
    folder = Path(tempfile.mkdtemp(prefix="lattice-suite-"))
    try:
        certificates = certificates_in(folder / "certificates")
        told = {TRACE_FILE_VARIABLE: str(folder / "traces.jsonl")}
        async with running_suite(folder, settings=told, postgres_settings=FAST, certificates=certificates) as running:
            collected.add_file(folder / "traces.jsonl")
            yield running
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def workspace() -> str:
    """A workspace that nobody wrote to."""
    return f"w-{uuid.uuid4().hex[:12]}"


@pytest.fixture
async def alice(suite: Suite, workspace: str) -> AsyncIterator[Connection]:
    """A person who edits."""
    person = Person(tenant="acme", workspace=workspace, user="alice", name="Alice")
    async with connect(suite.addresses, person) as connection:
        yield connection


@pytest.fixture
async def admin(suite: Suite, workspace: str) -> AsyncIterator[Connection]:
    """An administrator of the same workspace."""
    person = Person(tenant="acme", workspace=workspace, user="adam", name="Adam", administrator=True)
    async with connect(suite.addresses, person) as connection:
        yield connection


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real documents; without it tests are skipped, and in CI they fail."""
    if not CORPUS.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"the corpus is missing: {CORPUS}")
        pytest.skip(f"the corpus is missing: {CORPUS}")
    return CORPUS
