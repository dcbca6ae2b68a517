"""The text of a document: its words as plain text, without page breaks [N-13].

The body comes first; then headers, footers, footnotes and endnotes, each under a line in brackets.
A paragraph is a line. A table row is a line with its cells between bars. Tracked changes read as if
accepted, or in the original view as if rejected. Hidden words read in brackets that say so; field
results read, field codes and comments do not.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lxml import etree

from lattice_wordcraft import deadline, passages, tracked, xml
from lattice_wordcraft.package import Package, Role
from lattice_wordcraft.refusals import FileRefused
from lattice_wordcraft.xml import W

_HEADINGS: Final = {
    Role.HEADER: "[header]",
    Role.FOOTER: "[footer]",
    Role.FOOTNOTES: "[footnote]",
    Role.ENDNOTES: "[endnote]",
}
_CONTAINERS: Final = frozenset(W + name for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"))
_MARKS_OF_HIDING: Final = (b"vanish", b"\x00")
"""What the bytes of styles hold wherever one hides words; in UTF-16 as well."""


class View(StrEnum):
    """As if every tracked change were accepted, or rejected."""

    FINAL = "final"
    ORIGINAL = "original"


def text_of(package: Package, view: View = View.FINAL) -> str:
    """The whole text of a document.

    Raises:
        FileRefused: as `lines_of`.
    """
    return "".join(f"{line}\n" for line in lines_of(package, view))


def lines_of(package: Package, view: View = View.FINAL) -> Iterator[str]:
    """The lines of its text, one after the other, so that who needs the first ones reads no others.

    Raises:
        FileRefused: a part that holds text is not well-formed, or no text of a document.
    """
    main = _story(package, package.main, view)
    if main.find(f"{W}body") is None:
        raise FileRefused(guard="not_a_document", why=f"{package.main} has no body")
    reader = _Reader(hiding_styles=_hiding_styles(package), notes=frozenset(_referenced(main)))
    yield from reader.body(main)
    for role, heading in _HEADINGS.items():
        for name in package.named(role):
            yield from reader.marked(heading, _story(package, name, view))


def shown_rows(table: etree._Element) -> Iterator[etree._Element]:
    """The rows of a table that read: all but deleted ones."""
    for row in _flattened(table):
        if row.tag == f"{W}tr" and xml.child(row, f"{W}trPr", f"{W}del") is None:
            yield row


def shown_cells(row: etree._Element) -> Iterator[etree._Element]:
    """The cells of a row that read: all but deleted ones."""
    for cell in _flattened(row):
        if cell.tag == f"{W}tc" and xml.child(cell, f"{W}tcPr", f"{W}cellDel") is None:
            yield cell


def cell_text(cell: etree._Element) -> str:
    """The words of a cell, its paragraphs joined by spaces."""
    return _Reader().cell(cell)


def _story(package: Package, name: str, view: View) -> etree._Element:
    root = xml.parsed_story(name, package.parts[name])
    if view is View.ORIGINAL:
        tracked.reject(root)
    return root


def _referenced(main: etree._Element) -> Iterator[tuple[str, str]]:
    """The kind and id of each note that the body refers to; others are on no page."""
    for kind in ("footnote", "endnote"):
        for reference in main.iter(f"{W}{kind}Reference"):
            if next(reference.iterancestors(f"{W}del", f"{W}moveFrom"), None) is None:
                yield kind, reference.get(f"{W}id", "")


def _hiding_styles(package: Package) -> frozenset[str]:
    """The ids of the styles that hide words, by themselves or by a style that they are based on."""
    hiding: dict[str, bool] = {}
    based_on: dict[str, str] = {}
    for name in package.named(Role.STYLES):
        if not any(mark in package.parts[name] for mark in _MARKS_OF_HIDING):
            continue
        for style in xml.parsed_story(name, package.parts[name]).iter(f"{W}style"):
            key, vanish, base = style.get(f"{W}styleId", ""), style.find(f"{W}rPr/{W}vanish"), style.find(f"{W}basedOn")
            if vanish is not None:
                hiding[key] = passages.is_on(vanish)
            elif base is not None:
                based_on[key] = base.get(f"{W}val", "")
    for key in based_on:
        chain: dict[str, None] = {}
        at = key
        while at not in hiding and at not in chain and at in based_on:
            chain[at] = None
            at = based_on[at]
        hiding |= dict.fromkeys(chain, hiding.get(at, False))
    return frozenset(key for key, hides in hiding.items() if hides)


@dataclass(frozen=True, kw_only=True)
class _Reader:
    """Reads the stories of one document."""

    hiding_styles: frozenset[str] = frozenset()
    notes: frozenset[tuple[str, str]] = frozenset()
    """The kind and id of each note to read."""

    def body(self, root: etree._Element) -> Iterator[str]:
        body = root.find(f"{W}body")
        return iter(()) if body is None else self._lines(body)

    def marked(self, heading: str, root: etree._Element) -> Iterator[str]:
        """The lines of a header or footer, or of each note, under its heading; nothing where it has no words."""
        is_notes = root.tag in (f"{W}footnotes", f"{W}endnotes")
        for story in root.iterchildren(f"{W}footnote", f"{W}endnote") if is_notes else [root]:
            if is_notes and (story.tag.removeprefix(W), story.get(f"{W}id", "")) not in self.notes:
                continue
            lines = list(self._lines(story))
            if any(line.strip() for line in lines):
                yield heading
                yield from lines

    def _words(self, paragraph: etree._Element) -> str:
        return passages.passage(paragraph, self.hiding_styles).marked

    def _lines(self, blocks: Iterable[etree._Element]) -> Iterator[str]:
        """The lines of block-level content in document order; a deleted paragraph mark joins two."""
        pending: str | None = None
        for block in _flattened(blocks):
            deadline.check()
            if block.tag == f"{W}p":
                line = (pending or "") + self._words(block)
                pending = line if passages.mark_is_deleted(block) else None
                if pending is None:
                    yield line
                yield from map(self._words, passages.text_box_paragraphs(block))
            elif block.tag == f"{W}tbl":
                if pending:
                    yield pending
                pending = None
                yield from self._rows(block)
        if pending:
            yield pending

    def _rows(self, table: etree._Element) -> Iterator[str]:
        for row in shown_rows(table):
            yield " | ".join(self.cell(cell) for cell in shown_cells(row))

    def cell(self, cell: etree._Element) -> str:
        return " ".join(line for line in self._lines(cell) if line)


def _flattened(blocks: Iterable[etree._Element]) -> Iterator[etree._Element]:
    for block in blocks:
        if block.tag in _CONTAINERS:
            yield from _flattened(block)
        else:
            yield block
