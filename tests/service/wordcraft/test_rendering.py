"""Pages as images: by rdocx always, by LibreOffice where it is installed."""

import asyncio
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_wordcraft.confinement import confinement
from lattice_wordcraft.drawing import MAX_IMAGE_BYTES
from lattice_wordcraft.png import size_of
from lattice_wordcraft.ports import Renderer
from lattice_wordcraft.refusals import AppCrashed, AppTimeout, FileRefused, PageOutOfRange
from lattice_wordcraft.rendering import LibreOffice, Rdocx, renderer
from service.wordcraft.documents import packed, plan

PATIENCE = timedelta(seconds=60)


def rdocx(folder: Path, words: tuple[str, ...]) -> Renderer:
    return Rdocx(time_limit=PATIENCE, confinement=words, folder=folder)


def libreoffice(folder: Path, words: tuple[str, ...]) -> Renderer:
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("LibreOffice is not installed")
    return LibreOffice(program, time_limit=PATIENCE, confinement=words, folder=folder)


@pytest.fixture(params=[rdocx, libreoffice], ids=["rdocx", "libreoffice"])
async def drawing(request: pytest.FixtureRequest, tmp_path: Path) -> Renderer:
    """Each renderer, confined as this machine allows."""
    made: Renderer = request.param(tmp_path, await confinement(tmp_path))
    return made


async def test_a_page_is_drawn_as_large_as_was_asked_for(drawing: Renderer, tmp_path: Path) -> None:
    """N-15, N-41: a PNG with the sizes it was said to have, at most so large, and nothing left behind."""
    for long_side in (1600, 333):
        page = await drawing.page(plan(), 1, long_side)
        assert size_of(page.png) == (page.width, page.height)
        assert long_side - 4 <= max(page.width, page.height) <= long_side
        assert page.page_count == 1
        assert 1000 < len(page.png) <= MAX_IMAGE_BYTES
    assert left_in(tmp_path) == []


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


async def test_a_drawing_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    """R-07: the time limit is kept from outside."""
    slow = Rdocx(time_limit=timedelta(milliseconds=20), confinement=(), folder=tmp_path)
    with pytest.raises(AppTimeout):
        await slow.page(plan(), 1, 400)
    assert left_in(tmp_path) == []


async def test_a_drawing_program_that_dies_is_a_crash(tmp_path: Path) -> None:
    """R-07: no refusal of the document, since nobody knows."""
    killed = Rdocx(time_limit=PATIENCE, confinement=("sh", "-c", "kill -9 $$"), folder=tmp_path)
    with pytest.raises(AppCrashed):
        await killed.page(plan(), 1, 400)


async def test_confined_programs_have_no_network_and_write_in_their_folder_alone(tmp_path: Path) -> None:
    """SE-07: where this machine confines programs at all."""
    words = await confinement(tmp_path)
    if not words:
        pytest.skip("this machine confines no program")
    links = tmp_path / "links"
    listing = f"tail -n +3 /proc/net/dev | grep -v 'lo:' > {links}; test -s {links}"
    assert await status_of(*words, "sh", "-c", listing) != 0
    assert links.read_text() == ""
    if words[0] == "bwrap":
        outside = tmp_path.with_name("outside")
        assert await status_of(*words, "sh", "-c", f"echo x > {outside}") != 0
        assert "outside" not in left_in(tmp_path.parent)


def left_in(folder: Path) -> list[str]:
    """What a folder holds."""
    return [entry.name for entry in folder.iterdir()]


async def status_of(*command: str) -> int:
    """The status with which a program ends."""
    return await (await asyncio.create_subprocess_exec(*command)).wait()


def test_rdocx_draws_where_libreoffice_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clean machine renders too; the app's version tells the images apart."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert renderer(time_limit=PATIENCE, confinement=(), folder=tmp_path).name.startswith("rdocx-")
