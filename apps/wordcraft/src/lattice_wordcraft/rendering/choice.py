"""Which renderer draws, decided once when the worker starts."""

import logging
from typing import Final, Literal, TypeAlias

from lattice_wordcraft.ports import Renderer
from lattice_wordcraft.rendering.cache import Cache
from lattice_wordcraft.rendering.jobs import Jobs
from lattice_wordcraft.rendering.libreoffice import LibreOffice, NoLibreOffice
from lattice_wordcraft.rendering.rdocx import Rdocx

_log: Final = logging.getLogger("lattice.wordcraft")

Choice: TypeAlias = Literal["auto", "libreoffice", "rdocx"]


async def chosen(choice: Choice, jobs: Jobs, pdfs: Cache[bytes]) -> Renderer:
    """The renderer of a choice; `auto` is LibreOffice where it works, else rdocx.

    Raises:
        NoLibreOffice: it is the choice, and does not work here.
    """
    renderer: Renderer = Rdocx(jobs)
    if choice != "rdocx":
        try:
            renderer = await LibreOffice.found(jobs, pdfs)
        except NoLibreOffice as error:
            if choice == "libreoffice":
                raise
            _log.info("LibreOffice does not draw here: %s", error)
    _log.info("pages are drawn by %s", renderer.name)
    return renderer
