"""LibreOffice at work: confined as any program, killed when it hangs, asked once, and fetching nothing."""

import asyncio
import base64
import os
import signal
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_wordcraft.refusals import AppCrashed, AppTimeout
from lattice_wordcraft.sandbox.confinement import Bubblewrap, Confinement, Unconfined
from lattice_wordcraft.sandbox.launch import NOBODY
from lattice_wordcraft.sandbox.rooms import Rooms
from pypdfium2 import PdfDocument  # type: ignore[import-untyped]
from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE  # type: ignore[import-untyped]
from service.wordcraft.documents import plan, png
from service.wordcraft.hostile.images import shown
from service.wordcraft.rendering.conftest import libreoffice_in
from service.wordcraft.watching import family_of, listening
from service.wordcraft.worker import left_in

pytestmark = pytest.mark.documents

NO_SETTINGS = b'<oor:items xmlns:oor="http://openoffice.org/2001/registry"/>'


def words_of(pdf: bytes) -> str:
    """The text of all pages."""
    return "\n".join(page.get_textpage().get_text_range() for page in PdfDocument(pdf))


def pictures_of(pdf: bytes) -> int:
    """How many pictures are on its first page."""
    return sum(it.type == FPDF_PAGEOBJ_IMAGE for it in PdfDocument(pdf)[0].get_objects())


def linking(address: str) -> bytes:
    """A document with a picture elsewhere."""
    return shown(address, mode=' TargetMode="External"', attribute="r:link")


def at_work() -> int | None:
    """The process that has loaded LibreOffice, if there is one."""
    for pid in family_of(os.getpid()):
        with suppress(OSError):
            if "/libmergedlo.so" in (maps := Path(f"/proc/{pid}/maps").read_text()) or "/libsofficeapp.so" in maps:
                return pid
    return None


async def caught_at_work() -> int:
    """The process that has loaded LibreOffice, once there is one."""
    async with asyncio.timeout(30):
        while (pid := at_work()) is None:  # noqa: ASYNC110  it loads when it does
            await asyncio.sleep(0.01)
    return pid


def is_confined(pid: int) -> bool:
    """Whether a process is nobody, gains no rights and has its system calls filtered."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    status = {name: value.split() for name, _, value in (line.partition(":") for line in lines)}
    user = str(NOBODY if os.geteuid() == 0 else os.geteuid())
    return (status["Uid"], status["Seccomp"], status["NoNewPrivs"]) == ([user] * 4, ["2"], ["1"])


def network_of(pid: int | str) -> Path:
    """The network namespace of a process."""
    return Path(f"/proc/{pid}/ns/net").readlink()


async def test_in_each_confinement_it_makes_a_pdf_of_all_the_words(confinement: Confinement, tmp_path: Path) -> None:
    """N-15, SE-07: with no more rights than any other program has."""
    office = await libreoffice_in(Rooms(confinement=confinement, folder=tmp_path))
    words = words_of(await office.pdf(plan()))
    for each in ("Launch plan", "on Monday", "Venue", "Confidential, by Acme", "Page footer"):
        assert each in words
    assert left_in(tmp_path) == set()


async def test_one_that_hangs_is_killed_and_the_next_page_is_drawn(confinement: Confinement, tmp_path: Path) -> None:
    """SE-07, R-07: and while it works it is as confined as any program."""
    rooms = Rooms(confinement=confinement, folder=tmp_path)
    hasty = await libreoffice_in(rooms, time_limit=timedelta(seconds=8))
    drawing = asyncio.create_task(hasty.page(plan(), 1, 400))
    pid = await caught_at_work()
    os.kill(pid, signal.SIGSTOP)
    assert is_confined(pid)
    assert (network_of(pid) != network_of("self")) == isinstance(confinement, Bubblewrap)
    with pytest.raises(AppTimeout):
        await drawing
    assert at_work() is None
    assert left_in(tmp_path) == set()
    assert (await (await libreoffice_in(rooms)).page(plan(), 1, 400)).page_count == 1


@pytest.mark.parametrize("death", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
async def test_one_that_crashes_is_told_from_one_that_refuses_and_the_next_page_is_drawn(
    rooms: Rooms, death: signal.Signals
) -> None:
    """SE-07, R-07: LibreOffice catches signals, and ends with a status of its own."""
    office = await libreoffice_in(rooms)
    drawing = asyncio.create_task(office.page(plan(), 1, 400))
    pid = await caught_at_work()
    os.kill(pid, death)
    with pytest.raises(AppCrashed):
        await drawing
    assert (await office.page(plan(), 1, 400)).page_count == 1


async def test_a_document_is_converted_once_for_all_its_pages_and_all_who_ask_at_once(
    rooms: Rooms, laid: Counter[str]
) -> None:
    """F-13: who comes second waits for the first one's PDF."""
    office, document = await libreoffice_in(rooms), plan()  # others may have made the very same document meanwhile
    await asyncio.gather(*(office.page(document, 1, side) for side in (300, 400, 500)))
    await office.page(document, 1, 600)
    assert (laid["document.docx"], laid["document.pdf"]) == (1, 4)


async def test_no_tenant_is_answered_with_anothers_pdf(rooms: Rooms, laid: Counter[str]) -> None:
    """SE-07: not even with one of the same document."""
    document, tenants = plan(), iter(("acme", "acme", "globex"))
    office = await libreoffice_in(rooms, tenant=lambda: next(tenants))
    for _ in range(3):
        await office.pdf(document)
    assert laid["document.docx"] == 2


async def test_nothing_that_a_document_links_is_fetched(confinement: Confinement, tmp_path: Path) -> None:
    """SE-10: there is no network where it runs."""
    async with listening() as listener:
        office = await libreoffice_in(Rooms(confinement=confinement, folder=tmp_path))
        assert await office.pdf(linking(f"{listener.address}/picture.png"))
        assert listener.heard == []


async def test_where_nothing_confines_it_its_settings_keep_it_from_fetching(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SE-10: neither from a network nor from this machine; with settings of its own it would."""
    office = await libreoffice_in(Rooms(confinement=Unconfined(), folder=tmp_path))
    picture = tmp_path / "picture.png"
    picture.write_bytes(base64.b64decode(png((200, 0, 0), 8, 8)))
    async with listening() as listener:
        addresses = (f"{listener.address}/picture.png", picture.as_uri())
        assert [pictures_of(await office._converted(linking(address))) for address in addresses] == [0, 0]
        assert listener.heard == []
        monkeypatch.setattr("lattice_wordcraft.rendering.libreoffice._SETTINGS", NO_SETTINGS)
        assert [pictures_of(await office._converted(linking(address))) for address in addresses] == [0, 1]
        assert any("/picture.png" in request for request in listener.heard)
