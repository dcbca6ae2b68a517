"""Paragraphs as people read them, and as the engine counts them.

The words are the final view: insertions read as text, deletions and moves' sources do not read at
all, of a text box only the first of its alternative forms. Tabs, breaks, equations and ruby text
read but do not count for the engine, whose offsets are UTF-16 units of the plain runs, and of some
text that does not read; each piece of a paragraph therefore remembers for how many units it counts.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final

from lxml import etree

from lattice_wordcraft.xml import MC, W, child

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
_PARAGRAPH_PROPERTIES: Final = f"{W}pPr"
_RUN: Final = f"{W}r"
_RUN_PROPERTIES: Final = f"{W}rPr"
_TEXT: Final = f"{W}t"
_BREAK: Final = f"{W}br"
_RUBY: Final = f"{W}ruby"
_INSERTION: Final = f"{W}ins"
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

    @cached_property
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
    style = child(paragraph, _PARAGRAPH_PROPERTIES, f"{W}pStyle") if hiding_styles else None
    hidden = style is not None and style.get(f"{W}val") in hiding_styles
    return Passage(tuple(piece for _, piece in _pieces(paragraph, hidden=hidden, hiding_styles=hiding_styles)))


def readings(paragraph: etree._Element) -> list[tuple[etree._Element, str]]:
    """The elements that read as something, in order, each with what it reads as; together they are the text."""
    return [(element, piece.text) for element, piece in _pieces(paragraph) if piece.text]


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
    mark = child(paragraph, _PARAGRAPH_PROPERTIES, _RUN_PROPERTIES)
    return mark is not None and (child(mark, f"{W}del") is not None or child(mark, f"{W}moveFrom") is not None)


def _pieces(
    paragraph: etree._Element, *, hidden: bool = False, hiding_styles: Collection[str] = ()
) -> list[tuple[etree._Element, Piece]]:
    """Every piece of a paragraph with its element, in order."""
    found: list[tuple[etree._Element, Piece]] = []

    def look_into(element: etree._Element, *, counted: bool, inserted: bool, hidden: bool) -> None:
        if element.tag == _RUN:
            hidden = _is_hidden(element, hiding_styles, otherwise=hidden)
        for inner in element:
            tag = inner.tag
            if tag == _TEXT:
                text = inner.text or ""
                found.append((inner, Piece(text, _utf16(text) if counted else 0, hidden)))
            elif tag in _UNREAD or not isinstance(tag, str):
                # Of a text box in a tracked insertion the engine counts every form into the paragraph that anchors it.
                units = sum(_utf16(it.text or "") for it in inner.iter(_TEXT)) if inserted else 0
                found.append((inner, Piece("", units)))
            elif tag == _MATH_TEXT:
                found.append((inner, Piece(inner.text or "", 0, hidden)))
            elif tag == _BREAK:
                # A page or column break is layout; the text blob has none. [N-13]
                text = "\n" if inner.get(f"{W}type", "textWrapping") == "textWrapping" else ""
                found.append((inner, Piece(text, 0, hidden)))
            elif tag in _STANDS_FOR:
                found.append((inner, Piece(_STANDS_FOR[tag], 0, hidden)))
            else:
                look_into(
                    inner, counted=counted and tag != _RUBY, inserted=inserted or tag == _INSERTION, hidden=hidden
                )

    look_into(paragraph, counted=True, inserted=False, hidden=hidden)
    return found


def _is_hidden(run: etree._Element, hiding_styles: Collection[str], *, otherwise: bool) -> bool:
    """Whether a run's words are hidden: by itself, else by its style, else as its paragraph's are."""
    properties = child(run, _RUN_PROPERTIES)
    if properties is None:
        return otherwise
    vanish = child(properties, f"{W}vanish")
    if vanish is not None:
        return is_on(vanish)
    style = child(properties, f"{W}rStyle") if hiding_styles else None
    return otherwise or (style is not None and style.get(f"{W}val") in hiding_styles)


def is_on(toggle: etree._Element) -> bool:
    """Whether a property that is on or off is on; without a value it is."""
    return toggle.get(f"{W}val", "1") not in {"0", "false", "off"}


def _utf16(text: str) -> int:
    """The length of a text as the engine counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
