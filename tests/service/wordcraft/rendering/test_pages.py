"""Pages as images: by rdocx always, by LibreOffice where it is installed."""

import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.host import EngineHosts
from lattice_wordcraft.ports import Page, Renderer
from lattice_wordcraft.refusals import AppCrashed, AppTimeout, FileRefused, PageOutOfRange
from lattice_wordcraft.rendering.cache import Cache
from lattice_wordcraft.rendering.drawing import MAX_IMAGE_BYTES
from lattice_wordcraft.rendering.jobs import Jobs, ran
from lattice_wordcraft.rendering.png import size_of
from lattice_wordcraft.rendering.rdocx import Rdocx
from lattice_wordcraft.sandbox.rooms import Program, Room, Rooms
from lattice_wordcraft.wordcraft import WordCraft
from service.wordcraft.documents import packed, plan
from service.wordcraft.rendering.conftest import PATIENCE

pytestmark = pytest.mark.documents

PLAN = plan()
"""One document, which is converted once."""


async def test_a_page_is_drawn_as_large_as_was_asked_for(drawing: Renderer, rooms: Rooms) -> None:
    """N-15, N-41: a PNG with the sizes it was said to have, at most so large, and nothing left behind."""
    for long_side in (1600, 333):
        page = await drawing.page(PLAN, 1, long_side)
        assert size_of(page.png) == (page.width, page.height)
        assert long_side - 4 <= max(page.width, page.height) <= long_side
        assert page.page_count == 1
        assert 1000 < len(page.png) <= MAX_IMAGE_BYTES
    assert not list(rooms.folder.rglob("document.*"))


async def test_a_page_beyond_the_document_is_refused_with_the_count(drawing: Renderer) -> None:
    """F-14: 1-based."""
    for number in (0, -1, 2):
        with pytest.raises(PageOutOfRange) as refused:
            await drawing.page(PLAN, number, 400)
        assert refused.value.count == 1


async def test_a_page_of_a_size_is_drawn_once_for_each_tenant(
    hosts: EngineHosts, rooms: Rooms, laid: Counter[str]
) -> None:
    """F-13, SE-07: what was drawn is answered again, to nobody but whom it was drawn for."""
    tenants = iter(("acme", "acme", "acme", "globex", "globex"))
    pages = Cache[Page](lambda page: len(page.png), tenant=lambda: next(tenants), max_bytes=2**24)
    app = WordCraft(hosts, Rdocx(Jobs(rooms, size=1, time_limit=PATIENCE)), Limits(), pages)
    answers = [await app.page(PLAN, 1, side) for side in (400, 400, 300, 400, 400)]
    assert answers[0] == answers[1] == answers[3] == answers[4] != answers[2]
    assert laid["document.docx"] == 3


async def test_what_cannot_be_drawn_is_refused_typed(drawing: Renderer) -> None:
    """N-25: the program gives up, the caller is told."""
    with pytest.raises(FileRefused) as refused:
        await drawing.page(packed({"word/document.xml": b"<a/>"}), 1, 400)
    assert refused.value.guard == "renderer"


async def test_a_drawing_that_takes_too_long_is_killed(rooms: Rooms) -> None:
    """R-07: the time limit is kept from outside."""
    slow = Rdocx(Jobs(rooms, size=1, time_limit=timedelta(milliseconds=20)))
    with pytest.raises(AppTimeout):
        await slow.page(plan(), 1, 400)
    assert not list(rooms.folder.rglob("document.*"))


async def test_a_drawing_program_that_dies_is_a_crash(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    """R-07: no refusal of the document, since nobody knows."""
    monkeypatch.setattr(Room, "start", killed_at_once(Room.start))
    with pytest.raises(AppCrashed):
        await Rdocx(Jobs(rooms, size=1, time_limit=PATIENCE)).page(plan(), 1, 400)


@pytest.mark.parametrize("said", ["", "[]\n", '{"page_count": 1}\n', "no JSON\n"])
async def test_a_drawing_program_that_answers_nonsense_is_a_crash(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """SE-07: a document may have taken it over."""
    monkeypatch.setattr(Room, "start", replaced(Room.start, f"print({said!r}, end='')"))
    with pytest.raises(AppCrashed):
        await Rdocx(Jobs(rooms, size=1, time_limit=PATIENCE)).page(plan(), 1, 400)


async def test_a_drawing_program_that_writes_without_end_fills_no_memory(rooms: Rooms) -> None:
    """SE-07: it is killed long before its time is up, and its end is seen however much of its answer is not."""
    endless = "import sys\nwhile True: sys.stdout.buffer.write(bytes(2**20))"
    for _ in range(20):
        with rooms.room() as room, pytest.raises(AppCrashed):
            async with asyncio.timeout(20):
                await ran(room, sys.executable, "-c", endless, limit=2**22)


def killed_at_once(start: Callable[..., Awaitable[Program]]) -> Callable[..., Awaitable[Program]]:
    """Start programs and kill them."""

    async def started(room: Room, *command: str, **others: Any) -> Program:  # noqa: ANN401
        program = await start(room, *command, **others)
        program.kill()
        return program

    return started


def replaced(start: Callable[..., Awaitable[Program]], code: str) -> Callable[..., Awaitable[Program]]:
    """Start this code in place of programs."""

    async def started(room: Room, *_: str, **others: Any) -> Program:  # noqa: ANN401
        return await start(room, sys.executable, "-c", code, **others)

    return started
