"""WordCraft against its engine alone: reading, a batch of ten commands, a cached page, and a document of 300 pages."""

import asyncio
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import docx
import psutil
from bench.measure import Call, Pair, milliseconds, pair
from bench.pages import measure_pages
from lattice_wordcraft.batch import Batch
from lattice_wordcraft.batch import Call as Command
from lattice_wordcraft.finding import found
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.host import EngineHosts
from lattice_wordcraft.ports import Page
from lattice_wordcraft.rendering.cache import Cache
from lattice_wordcraft.rendering.jobs import Jobs
from lattice_wordcraft.rendering.rdocx import Rdocx
from lattice_wordcraft.sandbox.confinement import chosen
from lattice_wordcraft.sandbox.rooms import Rooms
from lattice_wordcraft.wordcraft import WordCraft

ROUNDS: Final = 15
COMMANDS: Final = 10
PARAGRAPHS_A_PAGE: Final = 12
SENTENCE: Final = (
    "The parties agree that the work named here is done with care, on time, and for the price in the annex. "
)


@dataclass(frozen=True, kw_only=True)
class Bench:
    """The app and its engine."""

    app: WordCraft
    hosts: EngineHosts


async def measure_wordcraft() -> None:
    """Print a line for each figure."""
    async with _bench() as bench:
        small, large = document(20), document(300)
        print(await _reading(bench, small), flush=True)
        print(await _batch(bench, small), flush=True)
        print(await _large("300 pages: text and review", lambda: bench.app.extract(large)), flush=True)
        print(await _large("300 pages: a batch", lambda: bench.app.apply(_edits(300), large)), flush=True)
        memory = sum(psutil.Process(pid).memory_info().rss for pid in _tree())
        print(f"{'memory with 300 pages':<34}{memory / 2**20:>9.0f} MiB{1024:>8} MiB{memory / 2**30:>8.2f}   the limit")
        print(await _finding(), flush=True)
    await measure_pages([document(20, title=f"Agreement {number}") for number in range(5)])


def document(pages: int, title: str = "Agreement") -> bytes:
    """A document of about so many pages, whose paragraphs are numbered, with a table on each page."""
    made = docx.Document()
    made.add_heading(title, level=1)
    for page in range(pages):
        made.add_heading(f"Section {page}", level=2)
        for number in range(PARAGRAPHS_A_PAGE):
            made.add_paragraph(f"Clause {page}.{number}: {SENTENCE * 2}")
        table = made.add_table(rows=2, cols=3)
        for index, cell in enumerate(cell for row in table.rows for cell in row.cells):
            cell.text = f"Cell {page}.{index}"
    content = io.BytesIO()
    made.save(content)
    return content.getvalue()


@asynccontextmanager
async def _bench() -> AsyncIterator[Bench]:
    with TemporaryDirectory(prefix="lattice-bench-") as name:
        folder = Path(name)
        rooms = Rooms(confinement=chosen(folder, unconfined=True), folder=folder)
        limit = timedelta(seconds=60)
        hosts = EngineHosts(rooms, tenant=lambda: "bench", size=1, time_limit=limit, jobs_per_host=1000)
        drawing = Rdocx(Jobs(rooms, size=1, time_limit=limit))
        pages = Cache[Page](lambda page: len(page.png), tenant=lambda: "bench", max_bytes=0)
        try:
            yield Bench(app=WordCraft(hosts, drawing, Limits(), pages), hosts=hosts)
        finally:
            await hosts.close()


async def _reading(bench: Bench, content: bytes) -> Pair:
    return await _compared(
        "text and review of 20 pages",
        lambda: bench.app.extract(content),
        "its engine: open, project, list both",
        lambda: _read_by_the_engine(bench, content),
    )


async def _read_by_the_engine(bench: Bench, content: bytes) -> None:
    async with bench.hosts.document(content) as opened:
        await opened.ask("project")
        await opened.ask("list_comments")
        await opened.ask("list_revisions")


async def _batch(bench: Bench, content: bytes) -> Pair:
    quotes = _quotes(20)

    async def alone() -> None:
        async with bench.hosts.document(content, author="bench", tracked=True) as opened:
            blocks = (await opened.ask("project"))["anchorIndex"]
            for quote in quotes:
                (anchor,) = (name for name, block in blocks.items() if block["textPreview"].startswith(quote))
                await opened.edit(
                    "replace_text_at_span", anchorId=anchor, spanStart=0, spanLength=0, replace="Changed "
                )
            made = await opened.saved()
        await _read_by_the_engine(bench, made)  # a batch answers the result's text and review

    return await _compared(
        f"a batch of {COMMANDS} on 20 pages",
        lambda: bench.app.apply(_edits(20), content),
        "its engine: open, project, ten edits, save; open, project, list both",
        alone,
    )


async def _compared(what: str, ours: Call, floor_is: str, floor: Call) -> Pair:
    return await pair(what, ours, floor_is, floor, ROUNDS, warm_up=3)


async def _large(what: str, call: Callable[[], Awaitable[object]]) -> Pair:
    times = sorted([await milliseconds(call) for _ in range(3)])
    return Pair(what=what, floor_is="the limit", ours=times[1], floor=5000)


async def _finding() -> Pair:
    async def find() -> None:
        for query in ("make this bold", "who changed this", "new row in the table", "page margins"):
            found(query, 10)

    await find()
    times = sorted([await milliseconds(find) / 4 for _ in range(50)])
    return Pair(what="find_commands", floor_is="the limit", ours=times[25], floor=5)


def _edits(pages: int) -> Batch:
    arguments = [{"quote": quote, "replacement": f"Changed {quote}"} for quote in _quotes(pages)]
    return Batch(
        calls=[Command(command="replace_text", arguments_json=json.dumps(it)) for it in arguments],
        author="bench",
        time=datetime(2026, 1, 2, tzinfo=UTC),
        tracked=True,
    )


def _quotes(pages: int) -> list[str]:
    return [f"Clause {page % pages}.{page % PARAGRAPHS_A_PAGE}:" for page in range(COMMANDS)]


def _tree() -> list[int]:
    here = psutil.Process()
    return [here.pid, *(it.pid for it in here.children(recursive=True))]


if __name__ == "__main__":
    asyncio.run(measure_wordcraft())
