"""Pages as images: by rdocx always, by LibreOffice where it is installed."""

import shutil
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from lattice_wordcraft.drawing import MAX_IMAGE_BYTES
from lattice_wordcraft.png import size_of
from lattice_wordcraft.ports import Renderer
from lattice_wordcraft.refusals import AppCrashed, AppTimeout, FileRefused, PageOutOfRange
from lattice_wordcraft.rendering import LibreOffice, Rdocx, renderer
from lattice_wordcraft.sandbox.rooms import Program, Room, Rooms
from service.wordcraft.documents import packed, plan

pytestmark = pytest.mark.documents

PATIENCE = timedelta(seconds=60)


def rdocx(rooms: Rooms) -> Renderer:
    return Rdocx(rooms, time_limit=PATIENCE)


def libreoffice(rooms: Rooms) -> Renderer:
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("LibreOffice is not installed")
    return LibreOffice(program, rooms, time_limit=PATIENCE)


@pytest.fixture(params=[rdocx, libreoffice], ids=["rdocx", "libreoffice"])
def drawing(request: pytest.FixtureRequest, rooms: Rooms) -> Renderer:
    """Each renderer, confined as this machine allows."""
    made: Renderer = request.param(rooms)
    return made


async def test_a_page_is_drawn_as_large_as_was_asked_for(drawing: Renderer, rooms: Rooms) -> None:
    """N-15, N-41: a PNG with the sizes it was said to have, at most so large, and nothing left behind."""
    for long_side in (1600, 333):
        page = await drawing.page(plan(), 1, long_side)
        assert size_of(page.png) == (page.width, page.height)
        assert long_side - 4 <= max(page.width, page.height) <= long_side
        assert page.page_count == 1
        assert 1000 < len(page.png) <= MAX_IMAGE_BYTES
    assert not {"document.docx", "document.pdf"} & left_in(rooms.folder)


@pytest.mark.parametrize("number", [0, -1, 2])
async def test_a_page_beyond_the_document_is_refused_with_the_count(drawing: Renderer, number: int) -> None:
    """F-14: 1-based."""
    with pytest.raises(PageOutOfRange) as refused:
        await drawing.page(plan(), number, 400)
    assert refused.value.count == 1


async def test_what_cannot_be_drawn_is_refused_typed(drawing: Renderer) -> None:
    """N-25: the program gives up, the caller is told."""
    with pytest.raises(FileRefused) as refused:
        await drawing.page(packed({"word/document.xml": b"<a/>"}), 1, 400)
    assert refused.value.guard == "renderer"


async def test_a_drawing_that_takes_too_long_is_killed(rooms: Rooms) -> None:
    """R-07: the time limit is kept from outside."""
    slow = Rdocx(rooms, time_limit=timedelta(milliseconds=20))
    with pytest.raises(AppTimeout):
        await slow.page(plan(), 1, 400)
    assert "document.docx" not in left_in(rooms.folder)


async def test_a_drawing_program_that_dies_is_a_crash(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    """R-07: no refusal of the document, since nobody knows."""
    monkeypatch.setattr(Room, "start", killed_at_once(Room.start))
    with pytest.raises(AppCrashed):
        await Rdocx(rooms, time_limit=PATIENCE).page(plan(), 1, 400)


def test_rdocx_draws_where_libreoffice_is_missing(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clean machine renders too; the app's version tells the images apart."""
    monkeypatch.setenv("PATH", str(rooms.folder))
    assert renderer(rooms, time_limit=PATIENCE).name.startswith("rdocx-")


def killed_at_once(start: Callable[..., Awaitable[Program]]) -> Callable[..., Awaitable[Program]]:
    """Start programs and kill them."""

    async def started(room: Room, *command: str, **others: Any) -> Program:  # noqa: ANN401
        program = await start(room, *command, **others)
        program.kill()
        return program

    return started


def left_in(folder: Path) -> set[str]:
    """The names of all files below a folder."""
    return {path.name for path in folder.rglob("*")}
