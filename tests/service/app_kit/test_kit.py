"""The kit finds an app that keeps its contract good, and each way of breaking it."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import grpc
import pytest
from fakes.fake_app.server import FakeApp
from lattice.app.v1 import app_service_pb2_grpc as app_grpc
from lattice_app_kit.app import App, Document
from lattice_app_kit.check import Trial
from lattice_app_kit.checks import ALL
from lattice_app_kit.report import Finding, Verdict, findings
from lattice_chassis.identity import DevelopmentAuthenticator
from lattice_chassis.server import Service, serving
from service.app_kit.flawed import FAKE, FLAWS, Flaw, flawed
from service.wordcraft.documents import plan

pytestmark = pytest.mark.long

TESTS: Final = Path(__file__).resolve().parents[2]
FAKE_FILE: Final = json.dumps(
    {
        "paragraphs": ["One now.", "Two."],
        "comments": [{"id": "fk-1", "author": "a", "date": "2026-01-01", "text": "?", "anchored_text": "One"}],
        "next_id": 2,
    }
).encode()
DOCUMENT: Final = Document(name="document.fake", format="fake", content=FAKE_FILE)
BATCH: Final = [("append_paragraph", '{"text": "Three."}')]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name, for a socket's may not be long."""
    with TemporaryDirectory(prefix="kit-") as name:
        yield Path(name)


@asynccontextmanager
async def serving_fake(app: FakeApp, folder: Path) -> AsyncIterator[App]:
    service = Service(app_grpc.add_AppServiceServicer_to_server, app)
    listen = f"unix:{folder}/app.sock"
    async with (
        serving(listen, [service], DevelopmentAuthenticator(), notice=timedelta()),
        grpc.aio.insecure_channel(listen) as channel,
    ):
        yield App(channel, seconds=10)


async def tried(app: App, checks: Sequence[str] = ()) -> dict[str, Finding]:
    """What the kit finds, by check; of all checks unless some are named."""
    trial = Trial(app=app, documents=[DOCUMENT], batch=BATCH)
    chosen = [it for it in ALL if not checks or it.id in checks]
    return {finding.check.id: finding async for finding in findings(trial, chosen)}


async def run_kit(*arguments: str | Path) -> tuple[int, str, str]:
    """The kit as a program: how it ended, and what it wrote."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "lattice_app_kit",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode(), errors.decode()


@asynccontextmanager
async def program(*command: str | Path, folder: Path) -> AsyncIterator[str]:
    """An app as a program; its address."""
    environment = {**os.environ, "LATTICE_WORDCRAFT_UNCONFINED": "true"}  # its sandbox is not what is on trial
    process = await asyncio.create_subprocess_exec(*command, "--socket", folder / "app.sock", env=environment)
    try:
        yield f"unix:{folder}/app.sock"
    finally:
        process.terminate()
        await process.wait()


async def test_the_fake_app_keeps_every_claim(folder: Path) -> None:
    """The second implementation of the contract; by its own first example."""
    file = folder / "document.fake"
    file.write_bytes(FAKE_FILE)
    async with program(sys.executable, TESTS / "fakes" / "fake_app", folder=folder) as address:
        status, output, _ = await run_kit(address, "--document", file, "--json")
    lines = [json.loads(line) for line in output.splitlines()]
    assert {line["verdict"] for line in lines} == {"kept"}, output
    assert [line["check"] for line in lines] == [check.id for check in ALL]
    assert status == 0


@pytest.mark.documents
async def test_wordcraft_keeps_every_claim(folder: Path) -> None:
    """N-25: with a batch that is named."""
    (folder / "plan.docx").write_bytes(plan())
    (folder / "batch.json").write_text(
        json.dumps([{"command": "replace_text", "arguments": {"quote": "on Monday", "replacement": "on Friday"}}])
    )
    async with program(Path(sys.executable).with_name("lattice-wordcraft"), folder=folder) as address:
        status, output, _ = await run_kit(address, "--document", folder / "plan.docx", "--batch", folder / "batch.json")
    assert status == 0, output
    assert output.splitlines()[-1] == f"{len(ALL)} kept, 0 broken, 0 not tried"


@pytest.mark.parametrize(("check", "flaw"), [it[1:] for it in FLAWS], ids=[it[0] for it in FLAWS])
async def test_each_way_of_breaking_the_contract_is_found(folder: Path, check: str, flaw: Flaw) -> None:
    """By the check whose claim it breaks, which the whole app keeps."""
    async with serving_fake(flawed(flaw), folder) as app:
        assert (await tried(app, [check]))[check].verdict is Verdict.BROKEN


async def test_a_trial_goes_on_after_a_broken_claim_and_says_what_was_not_tried(folder: Path) -> None:
    async with serving_fake(flawed(FLAWS[0][2]), folder) as app:
        found = [it async for it in findings(Trial(app=app, documents=[DOCUMENT], batch=[]), ALL)]
    assert len(found) == len(ALL)
    assert [it.check.id for it in found if it.verdict is Verdict.BROKEN] == ["catalogue.describes_itself"]
    untried = {it.check.id for it in found if it.verdict is Verdict.NOT_TRIED}
    assert untried == {it.id for it in ALL if it.id.startswith("batches.") and "wrong_lengths" not in it.id}


@pytest.mark.parametrize(("file", "said"), [("document.docx", "the app serves fake"), ("missing.fake", "No such file")])
async def test_a_trial_that_cannot_begin_says_why(folder: Path, file: str, said: str) -> None:
    (folder / "document.docx").write_bytes(b"")
    async with serving_fake(FakeApp(FAKE), folder):
        status, output, errors = await run_kit(f"unix:{folder}/app.sock", "--document", folder / file)
    assert (status, output) == (2, "")
    assert said in errors


async def test_nobody_there_is_said(folder: Path) -> None:
    status, _, errors = await run_kit(
        f"unix:{folder}/none.sock", "--document", folder / "x.fake", "--time-limit", "0.5"
    )
    assert status == 2
    assert "nobody answers there" in errors
