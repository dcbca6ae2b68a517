"""The app: what its worker does with the bytes of one call."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType

from lattice_wordcraft import deadline, emptiness, guards, package, reading
from lattice_wordcraft.batch import Applied, Batch, applied
from lattice_wordcraft.host import EngineHosts
from lattice_wordcraft.package import Package
from lattice_wordcraft.ports import Page, Renderer
from lattice_wordcraft.reading import View
from lattice_wordcraft.refusals import CommandRefused, FileRefused
from lattice_wordcraft.rendering.cache import Cache
from lattice_wordcraft.review import Item, review_of


@dataclass(frozen=True, kw_only=True)
class Extract:
    """The words and the review of a document."""

    text: str
    review: Sequence[Item]


class WordCraft:
    """Reads, edits and draws documents. Calls may run side by side; only pages are kept between them."""

    def __init__(
        self,
        hosts: EngineHosts,
        renderer: Renderer,
        limits: guards.Limits,
        pages: Cache[Page],
        *,
        time_limit: timedelta = timedelta(seconds=60),
    ) -> None:
        """The app.

        Args:
            hosts: the engine.
            renderer: what draws pages.
            limits: of the packages.
            pages: those that were drawn already.
            time_limit: how long a job may take.
        """
        self._hosts = hosts
        self._renderer = renderer
        self._limits = limits
        self._pages = pages
        self._time_limit = time_limit

    @property
    def renderer_name(self) -> str:
        """What draws the pages."""
        return self._renderer.name

    async def extract(self, content: bytes, view: View = View.FINAL) -> Extract:
        """The text of a document, in a view, and its review [N-13, N-14].

        Raises:
            FileTooLarge, FileRefused: it is not opened.
            AppTimeout: it took too long.
            AppCrashed: the engine died.
        """
        async with deadline.within(self._time_limit):
            return await self._extract(content, view)

    async def _extract(
        self, content: bytes, view: View = View.FINAL, known: Mapping[str, bytes] = MappingProxyType({})
    ) -> Extract:
        read = await asyncio.to_thread(self._opened, content, known)
        async with self._hosts.document(content) as document:
            try:
                text, review = await asyncio.gather(
                    asyncio.to_thread(reading.text_of, read, view), review_of(document, read)
                )
            except CommandRefused as error:
                raise FileRefused(guard="engine", why=str(error)) from error
        return Extract(text=text, review=review)

    async def apply(self, batch: Batch, content: bytes) -> tuple[Applied, Extract]:
        """The result of a batch, with its text and review, which prove that it opens again [F-08].

        Raises:
            AppRefused: a command is refused, or nothing changes.
            FileTooLarge, FileRefused, AppTimeout, AppCrashed: as in `extract`.
        """
        async with deadline.within(self._time_limit):
            original = await asyncio.to_thread(self._opened, content)
            result = await applied(batch, original, self._hosts)
            return result, await self._extract(result.content, known=original.parts)

    async def page(self, content: bytes, number: int, long_side: int) -> Page:
        """One page of a document [N-15].

        Raises:
            PageOutOfRange: there is no such page.
            FileTooLarge, FileRefused, AppTimeout, AppCrashed: as in `extract`.
        """

        async def draw() -> Page:
            await asyncio.to_thread(self._opened, content)
            return await self._renderer.page(content, number, long_side)

        async with deadline.within(self._time_limit):
            digest = await asyncio.to_thread(lambda: hashlib.sha256(content).digest())
            return await self._pages.get((digest, number, long_side), draw)

    def _opened(self, content: bytes, known: Mapping[str, bytes] = MappingProxyType({})) -> Package:
        """The guarded package, whose words are read if it has any."""
        read = package.opened(content, self._limits, known)
        emptiness.check(read)
        return read
