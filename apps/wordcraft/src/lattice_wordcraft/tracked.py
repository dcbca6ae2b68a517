"""Tracked changes in the XML of a story: what it was before them.

Only for reading: formatting and properties stay as they are, and the result is never written.
"""

from typing import Final

from lxml import etree

from lattice_wordcraft.xml import W

_ADDED: Final = frozenset({f"{W}ins", f"{W}moveTo"})
_TAKEN_AWAY: Final = frozenset({f"{W}del", f"{W}moveFrom"})
_CONTENT: Final = frozenset({f"{W}{name}" for name in ("p", "r", "tbl", "tr", "tc", "sdt", "hyperlink", "smartTag")})
_TEXT_OF: Final = {f"{W}delText": f"{W}t", f"{W}delInstrText": f"{W}instrText"}


def reject(root: etree._Element) -> None:
    """Turn a story into what it reads as with every tracked change rejected."""
    for row in list(root.iter(f"{W}tr")):
        _reject_in(row, f"{W}trPr", f"{W}ins", f"{W}del")
    for cell in list(root.iter(f"{W}tc")):
        _reject_in(cell, f"{W}tcPr", f"{W}cellIns", f"{W}cellDel")
    for paragraph in root.iter(f"{W}p"):
        _swap_mark(paragraph)
    for element in list(root.iter(*_ADDED)):
        if _holds_content(element):
            _remove(element)
    for element in list(root.iter(*_TAKEN_AWAY)):
        if _holds_content(element):
            element.tag = f"{W}smartTag"  # a container that means nothing
    for element in root.iter(*_TEXT_OF):
        element.tag = _TEXT_OF[element.tag]


def _reject_in(element: etree._Element, properties: str, added: str, taken_away: str) -> None:
    """Take a row or cell out that was added, and forget that one was taken away."""
    if element.find(f"{properties}/{added}") is not None:
        _remove(element)
        return
    mark = element.find(f"{properties}/{taken_away}")
    if mark is not None:
        _remove(mark)


def _swap_mark(paragraph: etree._Element) -> None:
    """A paragraph's end that was added joins its words with the next one's; one that was deleted stands again."""
    mark = paragraph.find(f"{W}pPr/{W}rPr")
    if mark is None:
        return
    added = [it for it in mark if it.tag in _ADDED]
    for each in [it for it in mark if it.tag in _ADDED | _TAKEN_AWAY]:
        mark.remove(each)
    if added:
        etree.SubElement(mark, f"{W}del")


def _holds_content(element: etree._Element) -> bool:
    """Whether a mark stands around content, rather than in the properties of something."""
    return any(child.tag in _CONTENT for child in element)


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
