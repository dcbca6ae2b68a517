"""Renderers: LibreOffice where it is installed, rdocx where it is not.

Both draw in confined programs, in a room that lives for one call, and are killed when their time is up.
"""

import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Final

from lattice_wordcraft.ports import Page, Renderer
from lattice_wordcraft.refusals import AppCrashed, AppTimeout, FileRefused, PageOutOfRange
from lattice_wordcraft.sandbox.rooms import Room, Rooms

_KILLED: Final = 128


def renderer(rooms: Rooms, *, time_limit: timedelta) -> Renderer:
    """The best renderer of this machine."""
    soffice = shutil.which("soffice")
    return (
        Rdocx(rooms, time_limit=time_limit) if soffice is None else LibreOffice(soffice, rooms, time_limit=time_limit)
    )


class Rdocx:
    """Draws with rdocx, which brings its own fonts: fast, less faithful than Word."""

    def __init__(self, rooms: Rooms, *, time_limit: timedelta) -> None:
        self.name = f"rdocx-{version('rdocx')}"
        self._time_limit = time_limit.total_seconds()
        self._rooms = rooms

    async def page(self, document: bytes, number: int, long_side: int) -> Page:
        """One page; see the port."""
        with self._rooms.room() as room:
            file = await asyncio.to_thread(room.put, "document.docx", document)
            async with _bounded(self._time_limit):
                return await _drawn(room, "docx", file, number, long_side)


class LibreOffice:
    """Draws with LibreOffice by way of PDF, each call with a profile of its own."""

    def __init__(self, program: str, rooms: Rooms, *, time_limit: timedelta) -> None:
        self.name = f"libreoffice-pypdfium2-{version('pypdfium2')}"
        # The program itself: `soffice` is a script that starts it, and no confined program starts others.
        self._program = str(Path(program).resolve().with_name("soffice.bin"))
        self._time_limit = time_limit.total_seconds()
        self._rooms = rooms

    async def page(self, document: bytes, number: int, long_side: int) -> Page:
        """One page; see the port."""
        with self._rooms.room() as room:
            file = await asyncio.to_thread(room.put, "document.docx", document)
            async with _bounded(self._time_limit):
                await _output(room, self._conversion(file))
                pdf = file.with_suffix(".pdf")
                if not pdf.exists():  # it says "success" whatever happens
                    raise FileRefused(guard="renderer", why="LibreOffice cannot convert it")
                return await _drawn(room, "pdf", pdf, number, long_side)

    def _conversion(self, file: Path) -> Sequence[str]:
        profile = f"-env:UserInstallation=file://{file.parent}/profile"
        return (
            *(self._program, "--headless", "--norestore", "--nolockcheck", profile),
            *("--convert-to", "pdf:writer_pdf_Export", "--outdir", str(file.parent), str(file)),
        )


@asynccontextmanager
async def _bounded(seconds: float) -> AsyncIterator[None]:
    """Run the block within the time limit, or end it with `AppTimeout`."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise AppTimeout(what="renderer") from error


async def _drawn(room: Room, kind: str, file: Path, number: int, long_side: int) -> Page:
    """The page that the drawing program makes of a file."""
    drawing = (sys.executable, "-I", "-m", "lattice_wordcraft.drawing", kind, str(file), str(number), str(long_side))
    answer, _, png = (await _output(room, drawing)).partition(b"\n")
    page = Page(png=png, **json.loads(answer))
    if not png:
        raise PageOutOfRange(count=page.page_count)
    return page


async def _output(room: Room, command: Sequence[str]) -> bytes:
    """What a program writes to standard output; a cancel kills it.

    Raises:
        FileRefused: it gave up on the document (guard "renderer").
        AppCrashed: it was killed by a signal.
    """
    program = await room.start(*command, environment={})
    try:
        output, _ = await program.process.communicate()
    finally:
        program.kill()
        status = await program.ended()
    # A shell or a sandbox between reports the signal of its child as a status over 128.
    if status < 0 or status > _KILLED:
        raise AppCrashed(what="renderer")
    if status:
        raise FileRefused(guard="renderer", why="it cannot be drawn")
    return output
