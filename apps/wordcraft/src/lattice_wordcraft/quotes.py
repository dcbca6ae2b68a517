"""Finding the place that a command means by the words it quotes.

A quote must occur exactly once in the final view of the document, within one paragraph. White space
and typographic quotation marks match their plain forms, unless the very characters occur too. A
quote that is missing or ambiguous is refused with the count and the nearest candidates.
"""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lattice_wordcraft import passages, xml
from lattice_wordcraft.blocks import (
    Block,
    Stories,
    addressed,
    block_id,
    blocks_of,
    is_commented,
    notes_of,
    scope_of,
    stories_of,
)
from lattice_wordcraft.passages import Span
from lattice_wordcraft.ports import Document, Edited
from lattice_wordcraft.refusals import CommandRefused

_PARAGRAPHS: Final = frozenset({"p", "h", "li"})
_COMMENTS: Final = frozenset({"cmt"})
_ALIKE: Final = {"'": "['\u2018\u2019\u201b]", '"': '["\u201c\u201d\u201f]', "-": "[-\u2010\u2011]"}
_MANY: Final = 50
"""From so many touched blocks on it is cheaper to read the document again than block by block."""

_CANDIDATES: Final = 3
_CANDIDATE_LENGTH: Final = 80


@dataclass(frozen=True)
class Place:
    """The characters from `start` to before `end` of a paragraph."""

    block: Block
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The place as the engine addresses it."""
        return self.block.passage.span(self.start, self.end)

    @property
    def text(self) -> str:
        """The words at the place."""
        return self.block.passage.text[self.start : self.end]

    @property
    def is_plain(self) -> bool:
        """Whether it holds words alone: no tab, break, equation or ruby text."""
        return self.block.passage.is_plain(self.start, self.end)


class Quotes:
    """The paragraphs of an open document, kept up with its edits."""

    def __init__(self, document: Document, stories: Stories | None = None) -> None:
        """The paragraphs of a document; `stories` are those of the very package that the engine opened, if anchored."""
        self._document = document
        self._stories = stories
        self._blocks: dict[str, Block] | None = None
        self._is_in_order = True

    async def only(self, quote: str, within: str | None = None) -> Place:
        """The one place of a quote; `within` may name a longer passage in which it is looked for.

        Raises:
            CommandRefused: it occurs not at all, or more than once.
        """
        if within is None:
            return _the_one(quote, await self.every(quote), await self._read())
        around = await self.only(within)
        inside = [
            Place(around.block, around.start + start, around.start + end) for start, end in _hits(quote, around.text)
        ]
        return _the_one(quote, inside, {around.block.anchor: around.block})

    async def every(self, quote: str) -> list[Place]:
        """Every place of a quote, in document order as far as the document was not yet edited."""
        blocks = (await self._read()).values()
        exact = [place for block in blocks if quote in block.passage.text for place in _places(block, re.escape(quote))]
        return exact or [place for block in blocks for place in _places(block, _lenient(quote))]

    async def paragraph(self, quote: str) -> Block:
        """The one paragraph that holds a quote, once or more often.

        Raises:
            CommandRefused: no paragraph holds it, or more than one.
        """
        places = await self.every(quote)
        if len({place.block.anchor for place in places}) == 1:
            return places[0].block
        return _the_one(quote, places, await self._read()).block

    async def paragraphs(self, first: str, last: str | None) -> list[Block]:
        """The paragraphs from the one that holds `first` to the one that holds `last`; the first alone without it.

        Raises:
            CommandRefused: one of them is missing or ambiguous, they come in the other order, or what is between
                them is not paragraphs alone.
        """
        if last is None:
            return [await self.paragraph(first)]
        blocks = await self.in_order()
        start, end = blocks.index(await self.paragraph(first)), blocks.index(await self.paragraph(last))
        if end < start:
            raise CommandRefused("the last of the paragraphs comes before the first")
        if any(block.holder != blocks[start].holder for block in blocks[start : end + 1]):
            raise CommandRefused("a table, a text box or the end of a cell is between the two; name fewer paragraphs")
        return blocks[start : end + 1]

    async def in_order(self) -> list[Block]:
        """Every paragraph, in document order."""
        if not self._is_in_order:
            self.forget()
        return list((await self._read()).values())

    async def is_in_cell(self, anchor: str) -> bool:
        """Whether the paragraph with this anchor stands in a table cell."""
        block = (await self._read()).get(block_id(anchor))
        return block is not None and block.cell is not None

    async def keep_up(self, edited: Edited) -> None:
        """Read again what an edit touched."""
        touched = [it for it in (*edited.created, *edited.modified) if scope_of(it) not in _COMMENTS]
        if self._blocks is None:
            return
        if len(touched) > _MANY or any(_kind(anchor) not in _PARAGRAPHS for anchor in touched):
            self.forget()
            return
        self._is_in_order &= not edited.created
        for anchor in edited.removed:
            self._blocks.pop(block_id(anchor), None)
        for anchor in touched:
            await self._read_again(self._blocks, anchor)

    async def text_of(self, block: Block) -> str:
        """The words of a paragraph as they are now, after the edits since it was found."""
        now = (await self._read()).get(block_id(block.anchor), block)
        return now.passage.text

    def forget(self) -> None:
        """Read the whole document again at the next quote."""
        self._blocks = self._stories = None

    async def _read(self) -> dict[str, Block]:
        if self._blocks is None:
            # The projection gives each block its id and names the parts; both stay for the session.
            if self._stories is None:
                projection = await self._document.ask("project")
                saved = await self._document.saved(anchored=True)
                blocks = await asyncio.to_thread(lambda: blocks_of(stories_of(saved)))
            else:
                reading = asyncio.to_thread(blocks_of, self._stories)
                blocks, projection = await asyncio.gather(reading, self._document.ask("project"))
            self._blocks = addressed(blocks, projection["anchorIndex"])
            self._stories = None
            self._is_in_order = True
        return self._blocks

    async def _read_again(self, blocks: dict[str, Block], anchor: str) -> None:
        source = await self._document.ask("raw_get_xml", anchorId=anchor)
        known = blocks.get(block_id(anchor))
        if known is None and any(block.twin and block_id(block.twin) == block_id(anchor) for block in blocks.values()):
            return
        paragraph = xml.parsed(anchor, source.encode())
        blocks[block_id(anchor)] = Block(
            anchor,
            passages.passage(paragraph),
            twin=known.twin if known else None,
            holder=known.holder if known else 0,
            is_deleted=passages.mark_is_deleted(paragraph),
            is_in_text_box=known is not None and known.is_in_text_box,
            is_on_page=known is None or known.is_on_page,
            cell=known.cell if known else None,
            notes=notes_of(paragraph),
            is_commented=is_commented(paragraph),
        )


def _hits(quote: str, text: str) -> list[tuple[int, int]]:
    exact = [match.span() for match in re.finditer(re.escape(quote), text)]
    return exact or [match.span() for match in re.finditer(_lenient(quote), text)]


def _places(block: Block, pattern: str) -> Iterator[Place]:
    for match in re.finditer(pattern, block.passage.text):
        yield Place(block, *match.span())


def _lenient(quote: str) -> str:
    """The quote as a pattern that takes any white space for white space and any quotation mark for a plain one."""
    words = re.split(r"(\s+)", quote)
    # Within white space no quote begins: a long run of it would be gone through once for each of its characters.
    start = r"(?<!\s)" if quote[:1].isspace() else ""
    return start + "".join(
        r"\s+" if word.isspace() else "".join(_ALIKE.get(it, re.escape(it)) for it in word) for word in words
    )


def _the_one(quote: str, places: list[Place], blocks: dict[str, Block]) -> Place:
    if len(places) == 1:
        return places[0]
    if places:
        where = "; ".join(dict.fromkeys(clipped(_around(place)) for place in places[:_CANDIDATES]))
        raise CommandRefused(
            f"the quote {clipped(quote)} occurs {len(places)} times, among them in {where}; "
            "quote more words, or name a longer passage in `within` where the command takes it"
        )
    near = [clipped(text) for text in _nearest(quote, blocks)]
    hint = f"; the nearest: {'; '.join(near)}" if near else ""
    across = "; a quote stays within one paragraph" if "\n" in quote else ""
    raise CommandRefused(f"the quote {clipped(quote)} occurs 0 times in the document's current text{across}{hint}")


def _nearest(quote: str, blocks: dict[str, Block]) -> list[str]:
    """The paragraphs that share most words with the quote, best first; at least every third word."""
    wanted = _words(quote)
    scored = [(len(wanted & _words(block.passage.text)), block.passage.text) for block in blocks.values()]
    best = sorted((it for it in scored if it[0] * 3 >= len(wanted) > 0), key=lambda it: -it[0])
    return [text for _, text in best[:_CANDIDATES]]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _around(place: Place) -> str:
    text = place.block.passage.text
    margin = max(_CANDIDATE_LENGTH - (place.end - place.start), 0) // 2
    return text[max(place.start - margin, 0) : place.end + margin]


def clipped(text: str) -> str:
    """A text in quotation marks, as a refusal shows it."""
    return f'"{text}"' if len(text) <= _CANDIDATE_LENGTH else f'"{text[: _CANDIDATE_LENGTH - 1]}\u2026"'


def _kind(anchor: str) -> str:
    return anchor.partition(":")[0]
