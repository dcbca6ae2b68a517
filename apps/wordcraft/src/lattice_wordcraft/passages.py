"""Paragraphs as people read them, and as the engine counts them.

The words are the final view: insertions read as text, deletions and moves' sources do not read at
all, of a text box only the first of its alternative forms. Tabs, breaks, equations and ruby text
read but do not count for the engine, whose offsets are UTF-16 units of the plain runs, and of some
text that does not read; each piece of a paragraph therefore remembers for how many units it counts.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
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
    """Some characters of a paragraph, and for how many units the engine takes them."""

    text: str
    units: int
    hidden: bool = False
    """Whether the words are formatted as hidden, so that a page does not show them."""

    def units_of_first(self, characters: int) -> int:
        """For how many units the engine takes the first characters of the piece."""
        return _utf16(self.text[:characters]) if self.units else 0


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
    def marked(self) -> str:
        """The same, with hidden words in brackets that say so."""
        read = (piece for piece in self.pieces if piece.text)
        runs = ((hidden, "".join(it.text for it in run)) for hidden, run in groupby(read, lambda it: it.hidden))
        return "".join(f"[hidden: {text}]" if hidden and text.strip() else text for hidden, text in runs)

    def span(self, start: int, end: int) -> Span:
        """The engine's span of the characters from `start` to before `end` of `text`."""
        if start == end:
            offset = self._after(start - 1) if start else self._before(0)
            return Span(offset, 0)
        first = self._before(start)
        return Span(first, self._after(end - 1) - first)

    def is_plain(self, start: int, end: int) -> bool:
        """Whether the engine takes what is from `start` to before `end` of `text` as just these characters."""
        at = 0
        for piece in self.pieces:
            unread = not piece.text and piece.units and start < at < end
            uncounted = not piece.units and max(at, start) < min(at + len(piece.text), end)
            if unread or uncounted:
                return False
            at += len(piece.text)
        return True

    @property
    def is_counted(self) -> bool:
        """Whether the engine counts all that reads."""
        return all(piece.units for piece in self.pieces if piece.text)

    def _before(self, position: int) -> int:
        """The engine's offset of the character at this position."""
        units, at = 0, 0
        for piece in self.pieces:
            if at + len(piece.text) > position:
                return units + piece.units_of_first(position - at)
            units += piece.units
            at += len(piece.text)
        return units

    def _after(self, position: int) -> int:
        """The engine's offset behind the character at this position."""
        units, at = 0, 0
        for piece in self.pieces:
            if at + len(piece.text) > position:
                return units + piece.units_of_first(position - at + 1)
            units += piece.units
            at += len(piece.text)
        return units


def passage(paragraph: etree._Element, hiding_styles: Collection[str] = ()) -> Passage:
    """The words of a `w:p` element, without those of the text boxes anchored in it.

    `hiding_styles` are the ids of styles whose words are hidden, where that matters.
    """
    style = paragraph.find(f"{W}pPr/{W}pStyle")
    hidden = style is not None and style.get(f"{W}val") in hiding_styles
    pieces = _pieces(paragraph, counted=True, inserted=False, hidden=hidden, hiding_styles=hiding_styles)
    return Passage(tuple(piece for _, piece in pieces))


def readings(paragraph: etree._Element) -> list[tuple[etree._Element, str]]:
    """The elements that read as something, in order, each with what it reads as; together they are the text."""
    pieces = _pieces(paragraph, counted=True, inserted=False, hidden=False, hiding_styles=())
    return [(element, piece.text) for element, piece in pieces if piece.text]


def text_box_paragraphs(paragraph: etree._Element) -> Iterator[etree._Element]:
    """The paragraphs of the text boxes anchored directly in a paragraph, in the form that is shown."""
    for box in paragraph.iter(f"{W}txbxContent"):
        holders = list(box.iterancestors(f"{W}p", f"{MC}Fallback"))
        if holders and holders[0] is paragraph and is_shown(box):
            yield from box.iter(f"{W}p")


def is_shown(element: etree._Element) -> bool:
    """Whether it stands neither in what is deleted or moved away nor in the form that older programs show."""
    return next(element.iterancestors(f"{W}del", f"{W}moveFrom", f"{MC}Fallback"), None) is None


def mark_is_deleted(paragraph: etree._Element) -> bool:
    """Whether the paragraph's end is deleted or moved away, so that its words run on into the next one."""
    mark = paragraph.find(f"{W}pPr/{W}rPr")
    return mark is not None and (mark.find(f"{W}del") is not None or mark.find(f"{W}moveFrom") is not None)


def _pieces(
    element: etree._Element, *, counted: bool, inserted: bool, hidden: bool, hiding_styles: Collection[str]
) -> Iterator[tuple[etree._Element, Piece]]:
    if element.tag == f"{W}r":
        hidden = _is_hidden(element, hiding_styles, otherwise=hidden)
    for child in element:
        if child.tag in _UNREAD or not isinstance(child.tag, str):
            # Of a text box in a tracked insertion the engine counts every form into the paragraph that anchors it.
            yield child, Piece("", sum(_utf16(it.text or "") for it in child.iter(f"{W}t")) if inserted else 0)
        elif child.tag == f"{W}t":
            text = child.text or ""
            yield child, Piece(text, _utf16(text) if counted else 0, hidden)
        elif child.tag == _MATH_TEXT:
            yield child, Piece(child.text or "", 0, hidden)
        elif child.tag == f"{W}br":
            # A page or column break is layout; the text blob has none. [N-13]
            yield child, Piece("\n" if child.get(f"{W}type", "textWrapping") == "textWrapping" else "", 0, hidden)
        elif child.tag in _STANDS_FOR:
            yield child, Piece(_STANDS_FOR[child.tag], 0, hidden)
        else:
            yield from _pieces(
                child,
                counted=counted and child.tag != f"{W}ruby",
                inserted=inserted or child.tag == f"{W}ins",
                hidden=hidden,
                hiding_styles=hiding_styles,
            )


def _is_hidden(run: etree._Element, hiding_styles: Collection[str], *, otherwise: bool) -> bool:
    """Whether a run's words are hidden: by itself, else by its style, else as its paragraph's are."""
    properties = run.find(f"{W}rPr")
    if properties is None:
        return otherwise
    vanish = properties.find(f"{W}vanish")
    if vanish is not None:
        return is_on(vanish)
    style = properties.find(f"{W}rStyle")
    return otherwise or (style is not None and style.get(f"{W}val") in hiding_styles)


def is_on(toggle: etree._Element) -> bool:
    """Whether a property that is on or off is on; without a value it is."""
    return toggle.get(f"{W}val", "1") not in {"0", "false", "off"}


def _utf16(text: str) -> int:
    """The length of a text as the engine counts it."""
    return len(text.encode("utf-16-le")) // 2
