"""The text of a document: its words as plain text, without page breaks [N-13].

The body comes first; then headers, footers, footnotes and endnotes, each under a line in brackets.
A paragraph is a line. A table row is a line with its cells between bars. Tracked changes read as if
accepted, hidden words and field results read, field codes and comments do not.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from lxml import etree

from lattice_wordcraft import passages, xml
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
_SEPARATORS: Final = frozenset({"separator", "continuationSeparator", "continuationNotice"})


def text_of(package: Package) -> str:
    """The whole text of a document.

    Raises:
        FileRefused: a part that holds text is not well-formed, or no text of a document.
    """
    root = xml.parsed_story(package.main, package.parts[package.main])
    body = root.find(f"{W}body")
    if body is None:
        raise FileRefused(guard="not_a_document", why=f"{package.main} has no body")
    lines = list(_lines(body))
    for role, heading in _HEADINGS.items():
        for name in package.named(role):
            lines += _marked_lines(heading, xml.parsed_story(name, package.parts[name]))
    return "\n".join(lines) + "\n" if lines else ""


def _marked_lines(heading: str, root: etree._Element) -> Iterator[str]:
    """The lines of a header or footer, or of each note, under its heading; nothing where it has no words."""
    notes = [note for note in root if note.tag in (f"{W}footnote", f"{W}endnote")]
    for story in notes or [root]:
        if story.get(f"{W}type") in _SEPARATORS:
            continue
        lines = list(_lines(story))
        if any(line.strip() for line in lines):
            yield heading
            yield from lines


def _lines(blocks: Iterable[etree._Element]) -> Iterator[str]:
    """The lines of block-level content in document order; a deleted paragraph mark joins two."""
    pending: str | None = None
    for block in _flattened(blocks):
        if block.tag == f"{W}p":
            line = (pending or "") + passages.passage(block).text
            pending = line if passages.mark_is_deleted(block) else None
            if pending is None:
                yield line
            yield from (passages.passage(inner).text for inner in passages.text_box_paragraphs(block))
        elif block.tag == f"{W}tbl":
            if pending:
                yield pending
            pending = None
            yield from _rows(block)
    if pending:
        yield pending


def _flattened(blocks: Iterable[etree._Element]) -> Iterator[etree._Element]:
    for block in blocks:
        if block.tag in _CONTAINERS:
            yield from _flattened(block)
        else:
            yield block


def _rows(table: etree._Element) -> Iterator[str]:
    for row in _flattened(table):
        if row.tag == f"{W}tr" and row.find(f"{W}trPr/{W}del") is None:
            yield " | ".join(_cell(cell) for cell in _flattened(row) if _is_shown(cell))


def _is_shown(cell: etree._Element) -> bool:
    return cell.tag == f"{W}tc" and cell.find(f"{W}tcPr/{W}cellDel") is None


def _cell(cell: etree._Element) -> str:
    return " ".join(line for line in _lines(cell) if line)
