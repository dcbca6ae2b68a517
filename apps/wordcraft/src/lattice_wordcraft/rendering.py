"""Renderers: LibreOffice where it is installed, rdocx where it is not.

Both draw in processes of their own, without a network where this machine allows that, in a folder
that lives for one call, and are killed when their time is up.
"""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from lattice_wordcraft.ports import Page, Renderer
from lattice_wordcraft.refusals import AppCrashed, AppTimeout, FileRefused, PageOutOfRange

_KILLED: Final = 128


def renderer(*, time_limit: timedelta, confinement: Sequence[str], folder: Path) -> Renderer:
    """The best renderer of this machine; temporary files go below `folder`."""
    soffice = shutil.which("soffice")
    if soffice is None:
        return Rdocx(time_limit=time_limit, confinement=confinement, folder=folder)
    return LibreOffice(soffice, time_limit=time_limit, confinement=confinement, folder=folder)


class Rdocx:
    """Draws with rdocx, which brings its own fonts: fast, less faithful than Word."""

    def __init__(self, *, time_limit: timedelta, confinement: Sequence[str], folder: Path) -> None:
        self.name = f"rdocx-{version('rdocx')}"
        self._time_limit = time_limit.total_seconds()
        self._confinement = confinement
        self._folder = folder

    async def page(self, document: bytes, number: int, long_side: int) -> Page:
        """One page; see the port."""
        with TemporaryDirectory(dir=self._folder) as room:
            file = Path(room) / "document.docx"
            await asyncio.to_thread(file.write_bytes, document)
            async with _bounded(self._time_limit):
                return await _drawn(self._confinement, room, "docx", file, number, long_side)


class LibreOffice:
    """Draws with LibreOffice by way of PDF, each call with a profile of its own."""

    def __init__(self, program: str, *, time_limit: timedelta, confinement: Sequence[str], folder: Path) -> None:
        self.name = f"libreoffice-pypdfium2-{version('pypdfium2')}"
        self._program = program
        self._time_limit = time_limit.total_seconds()
        self._confinement = confinement
        self._folder = folder

    async def page(self, document: bytes, number: int, long_side: int) -> Page:
        """One page; see the port."""
        with TemporaryDirectory(dir=self._folder) as room:
            file = Path(room) / "document.docx"
            await asyncio.to_thread(file.write_bytes, document)
            async with _bounded(self._time_limit):
                await _output(self._confinement, room, self._conversion(file))
                pdf = file.with_suffix(".pdf")
                if not pdf.exists():  # it says "success" whatever happens
                    raise FileRefused(guard="renderer", why="LibreOffice cannot convert it")
                return await _drawn(self._confinement, room, "pdf", pdf, number, long_side)

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


async def _drawn(confinement: Sequence[str], room: str, kind: str, file: Path, number: int, long_side: int) -> Page:
    """The page that the drawing program makes of a file."""
    drawing = (sys.executable, "-m", "lattice_wordcraft.drawing", kind, str(file), str(number), str(long_side))
    answer, _, png = (await _output(confinement, room, drawing)).partition(b"\n")
    page = Page(png=png, **json.loads(answer))
    if not png:
        raise PageOutOfRange(count=page.page_count)
    return page


async def _output(confinement: Sequence[str], room: str, command: Sequence[str]) -> bytes:
    """What a program writes to standard output; a cancel kills it.

    Raises:
        FileRefused: it gave up on the document (guard "renderer").
        AppCrashed: it was killed by a signal.
    """
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": room, "TMPDIR": room}
    process = await asyncio.create_subprocess_exec(
        *confinement, *command, stdout=asyncio.subprocess.PIPE, env=environment
    )
    try:
        output, _ = await process.communicate()
    except BaseException:
        process.kill()
        await process.wait()
        raise
    status = await process.wait()
    # A shell or a sandbox between reports the signal of its child as a status over 128.
    if status < 0 or status > _KILLED:
        raise AppCrashed(what="renderer")
    if status:
        raise FileRefused(guard="renderer", why="it cannot be drawn")
    return output
