"""LibreOffice: nearest to Word; it makes a PDF of the whole document, of which pages are drawn one by one."""

import asyncio
import hashlib
import re
import shutil
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final, Self

from lattice_wordcraft.ports import Page
from lattice_wordcraft.refusals import AppCrashed, FileRefused
from lattice_wordcraft.rendering.cache import Cache
from lattice_wordcraft.rendering.jobs import Jobs, drawn, ran

_MAX_PDF_BYTES: Final = 64 * 2**20
_MAX_WORDS_BYTES: Final = 2**16
_START_SECONDS: Final = 10
_AGAIN: Final = 81
"""The status with which it asks to be started again, as it does once with a new profile."""

_ENVIRONMENT: Final = {
    "OSL_SOCKET_PATH": ".",  # where it listens for a second one of itself, though there is none
    # Extensions are code of others that no document of ours needs, and it would look for them outside its room.
    "DISABLE_EXTENSION_SYNCHRONIZATION": "1",
    "SAL_USE_VCLPLUGIN": "svp",  # draws in memory, whatever desktop is installed
}
_SETTINGS: Final = b"""<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop>
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
</item>
</oor:items>
"""
"""What a document links is not fetched, neither from a network nor from this machine; macros do not run."""


class NoLibreOffice(Exception):
    """LibreOffice is not installed, or does not start in this sandbox."""


class LibreOffice:
    """Draws by way of PDF; each conversion is a process of its own, with a profile of its own."""

    def __init__(self, program: str, release: str, jobs: Jobs, pdfs: Cache[bytes]) -> None:
        self.name = f"libreoffice-{release}-pypdfium2-{version('pypdfium2')}"
        self._program = program
        self._jobs = jobs
        self._pdfs = pdfs  # of this LibreOffice alone, so a PDF's key need not name it

    @classmethod
    async def found(cls, jobs: Jobs, pdfs: Cache[bytes]) -> Self:
        """The LibreOffice of this machine, once it has told its release in the sandbox.

        Raises:
            NoLibreOffice: there is none that starts.
        """
        program = _installed()
        try:
            async with asyncio.timeout(_START_SECONDS), jobs.room() as room:
                _, told = await ran(room, program, "--version", limit=_MAX_WORDS_BYTES)
        except (AppCrashed, TimeoutError) as error:
            raise NoLibreOffice(f"{program} does not start in the sandbox") from error
        release = re.search(r"\d+(\.\d+)+", told.decode(errors="replace"))
        if release is None:
            raise NoLibreOffice(f"{program} does not tell its release in the sandbox")
        return cls(program, release[0], jobs, pdfs)

    async def page(self, document: bytes, number: int, long_side: int) -> Page:
        """One page; see the port."""
        async with self._jobs.within_time():
            pdf = await self.pdf(document)
            async with self._jobs.room() as room:
                return await drawn(room, "pdf", pdf, number, long_side)

    async def pdf(self, document: bytes) -> bytes:
        """The whole document as PDF, tracked changes shown as such.

        Raises:
            FileRefused, AppTimeout, AppCrashed: as the port's.
        """
        digest = await asyncio.to_thread(lambda: hashlib.sha256(document).digest())
        return await self._pdfs.get(digest, lambda: self._converted(document))

    async def _converted(self, document: bytes) -> bytes:
        async with self._jobs.within_time(), self._jobs.room() as room:
            await asyncio.to_thread(room.put, "profile/user/registrymodifications.xcu", _SETTINGS)
            file = await asyncio.to_thread(room.put, "document.docx", document)
            start = partial(ran, room, *self._conversion(file), limit=_MAX_WORDS_BYTES, environment=_ENVIRONMENT)
            status, _ = await start()
            if status == _AGAIN:
                status, _ = await start()
            if status:  # of a document that it cannot open it makes no PDF, and ends with 0
                raise AppCrashed(what="renderer")
            pdf = await asyncio.to_thread(room.take, "document.pdf", _MAX_PDF_BYTES)
        if pdf is None:
            raise FileRefused(guard="renderer", why="LibreOffice cannot convert it")
        return pdf

    def _conversion(self, file: Path) -> Sequence[str]:
        profile = f"-env:UserInstallation={file.with_name('profile').as_uri()}"
        return (
            *(self._program, "--headless", "--norestore", "--nolockcheck", profile),
            *("--convert-to", "pdf:writer_pdf_Export", "--outdir", str(file.parent), str(file)),
        )


def _installed() -> str:
    """The program itself: `soffice` is a script that starts it, and no confined program starts others.

    Raises:
        NoLibreOffice: there is none.
    """
    command = shutil.which("soffice") or shutil.which("libreoffice")
    if command is None:
        raise NoLibreOffice("there is no soffice on the search path")
    return str(Path(command).resolve().with_name("soffice.bin"))
