"""Properties in the markup of a document, each in the place where the schema wants it."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from lxml import etree

from lattice_wordcraft.blocks import ENGINE_ID
from lattice_wordcraft.xml import W


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_PARAGRAPH: Final = _names(
    "pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs "
    "suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd "
    "snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment "
    "textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange"
)
_WORDS: Final = _names(
    "ins del moveFrom moveTo rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint "
    "noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText "
    "vertAlign rtl cs em lang eastAsianLayout specVanish oMath rPrChange"
)
_SECTION: Final = _names(
    "headerReference footerReference footnotePr endnotePr type pgSz pgMar paperSrc pgBorders lnNumType pgNumType cols "
    "formProt vAlign noEndnote titlePg textDirection bidi rtlGutter docGrid printerSettings sectPrChange"
)
ORDER: Final[Mapping[str, Sequence[str]]] = {
    f"{W}pPr": _PARAGRAPH,
    f"{W}rPr": _WORDS,
    f"{W}sectPr": _SECTION,
    f"{W}pBdr": _names("top left bottom right between bar"),
    f"{W}numPr": _names("ilvl numId numberingChange ins"),
}
"""In which order the schema wants the properties; Word calls another order unreadable."""


def first_of(parent: etree._Element, name: str) -> etree._Element:
    """The properties of a paragraph or a run, which stand first in it; made where there are none."""
    found = parent.find(W + name)
    if found is None:
        found = etree.Element(W + name)
        parent.insert(0, found)
    return found


def put(properties: etree._Element, name: str, **attributes: str | int) -> etree._Element:
    """Set one property, in its place; the one of that name that was there is gone, with its attributes."""
    drop(properties, name)
    return placed(properties, etree.Element(W + name, {W + key: str(value) for key, value in attributes.items()}))


def amend(properties: etree._Element, name: str, **attributes: str | int | None) -> None:
    """Set some attributes of a property and leave its others; None takes one away."""
    element = properties.find(W + name)
    if element is None:
        element = placed(properties, etree.Element(W + name))
    for key, value in attributes.items():
        if value is None:
            without(element, W + key)
        else:
            element.set(W + key, str(value))


def drop(properties: etree._Element, *names: str) -> None:
    """Take properties away, where they are there."""
    for name in names:
        for element in properties.findall(W + name):
            properties.remove(element)


def placed(properties: etree._Element, element: etree._Element) -> etree._Element:
    """Insert a property where the schema wants it."""
    order = ORDER[properties.tag]
    rank = order.index(etree.QName(element).localname)
    before = [it for it in properties.iterchildren("*") if _rank(order, it) <= rank]
    properties.insert(properties.index(before[-1]) + 1 if before else 0, element)
    return element


def _rank(order: Sequence[str], element: etree._Element) -> int:
    name = etree.QName(element).localname
    # What the schema does not know (an extension of a newer Word) stands where it stood: before the change.
    return order.index(name) if name in order else len(order) - 2


def without(element: etree._Element, name: str) -> None:
    """Take an attribute away, where it is there."""
    if name in element.attrib:
        del element.attrib[name]


def as_copies(elements: Iterable[etree._Element]) -> None:
    """Take from copied elements what only their originals may have: the engine's ids, and those of changes."""
    for element in elements:
        without(element, ENGINE_ID)
        if f"{W}author" in element.attrib:
            element.set(f"{W}id", new_id())


def new_id() -> str:
    """An id of a tracked change: below the most that Word takes, and above what the engine counts from."""
    return str(secrets.randbelow(2**30 - 2**24) + 2**24)
