"""rdocx: fast, with fonts of its own, and less faithful than Word. It is there wherever the worker is."""

from importlib.metadata import version

from lattice_wordcraft.ports import Page
from lattice_wordcraft.rendering.jobs import Jobs, drawn


class Rdocx:
    """Draws each page from the document itself."""

    def __init__(self, jobs: Jobs) -> None:
        self.name = f"rdocx-{version('rdocx')}"
        self._jobs = jobs

    async def page(self, document: bytes, number: int, long_side: int) -> Page:
        """One page; see the port."""
        async with self._jobs.within_time(), self._jobs.room() as room:
            return await drawn(room, "docx", document, number, long_side)
