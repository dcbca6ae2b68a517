"""Paragraphs as people read them, and as the engine counts them.

The words are the final view: insertions read as text, deletions and moves' sources do not read at
all, of a text box only the first of its alternative forms. Tabs, breaks, equations and ruby text
read but do not count for the engine, whose offsets are UTF-16 units of the plain runs alone; each
piece of a paragraph therefore remembers whether the engine counts it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lxml import etree

from lattice_wordcraft.xml import MC, W

_MATH_TEXT: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_UNREAD: Final = frozenset(
    W + name
    for name in (
        "del",
        "moveFrom",
        "pPr",
        "rPr",
        "sdtPr",
        "instrText",
        "delText",
        "rt",
        "txbxContent",
        "pict",
        "object",
    )
) | {f"{MC}Fallback"}
_STANDS_FOR: Final = {W + "tab": "\t", W + "ptab": "\t", W + "cr": "\n", W + "noBreakHyphen": "-"}


@dataclass(frozen=True)
class Piece:
    """Some characters of a paragraph; `counted` where the engine counts them too."""

    text: str
    counted: bool


@dataclass(frozen=True)
class Span:
    """A range of characters as the engine addresses it, in UTF-16 units from the paragraph's start."""

    start: int
    length: int


@dataclass(frozen=True)
class Passage:
    """The words of one paragraph."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """What a person reads."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def counted_text(self) -> str:
        """What the engine counts."""
        return "".join(piece.text for piece in self.pieces if piece.counted)

    def span(self, start: int, end: int) -> Span:
        """The engine's span of the characters from `start` to before `end` of `text`."""
        first = self._offset(start)
        return Span(first, self._offset(end) - first)

    def is_plain(self, start: int, end: int) -> bool:
        """Whether the engine counts every character from `start` to before `end` of `text`."""
        at = 0
        for piece in self.pieces:
            if not piece.counted and at < end and at + len(piece.text) > start:
                return False
            at += len(piece.text)
        return True

    def _offset(self, position: int) -> int:
        units, at = 0, 0
        for piece in self.pieces:
            taken = piece.text[: max(position - at, 0)]
            units += len(taken.encode("utf-16-le")) // 2 if piece.counted else 0
            at += len(piece.text)
        return units


def passage(paragraph: etree._Element) -> Passage:
    """The words of a `w:p` element, without those of the text boxes anchored in it."""
    return Passage(tuple(_pieces(paragraph, counted=True)))


def text_box_paragraphs(paragraph: etree._Element) -> Iterator[etree._Element]:
    """The paragraphs of the text boxes anchored directly in a paragraph, in the form that is shown."""
    for box in paragraph.iter(f"{W}txbxContent"):
        holders = list(box.iterancestors(f"{W}p", f"{MC}Fallback"))
        if holders and holders[0] is paragraph:
            yield from box.iter(f"{W}p")


def mark_is_deleted(paragraph: etree._Element) -> bool:
    """Whether the paragraph's end is deleted or moved away, so that its words run on into the next one."""
    mark = paragraph.find(f"{W}pPr/{W}rPr")
    return mark is not None and (mark.find(f"{W}del") is not None or mark.find(f"{W}moveFrom") is not None)


def _pieces(element: etree._Element, *, counted: bool) -> Iterator[Piece]:
    for child in element:
        if child.tag in _UNREAD or not isinstance(child.tag, str):
            continue
        if child.tag == f"{W}t":
            yield Piece(child.text or "", counted)
        elif child.tag == _MATH_TEXT:
            yield Piece(child.text or "", counted=False)
        elif child.tag == f"{W}br":
            # A page or column break is layout; the text blob has none. [N-13]
            yield Piece("\n" if child.get(f"{W}type", "textWrapping") == "textWrapping" else "", counted=False)
        elif child.tag in _STANDS_FOR:
            yield Piece(_STANDS_FOR[child.tag], counted=False)
        else:
            yield from _pieces(child, counted=counted and child.tag != f"{W}ruby")
