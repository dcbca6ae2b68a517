"""What Word wants of a document beyond well-formed XML; without it a file is "unreadable"."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator

from lattice_wordcraft import guards, package, xml
from lattice_wordcraft.catalogue.properties import ORDER
from lattice_wordcraft.package import Package, Role
from lattice_wordcraft.xml import W
from lxml import etree

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_CHANGES = ("ins", "del", "moveFrom", "moveTo", "rPrChange", "pPrChange", "sectPrChange")


def faults_of(content: bytes) -> list[str]:
    """What is wrong with a document; empty where it is sound."""
    read = package.opened(content, guards.Limits())
    return [
        f"{name}: {fault}"
        for name in read.named(*package.TEXT_ROLES, Role.NUMBERING)
        for fault in _faults(read, name, xml.parsed(name, read.parts[name]))
    ]


def _faults(read: Package, name: str, root: etree._Element) -> Iterator[str]:
    yield from _out_of_order(root)
    yield from _unreadable(root)
    changes = Counter(it.get(f"{W}id") for it in root.iter(*(W + tag for tag in _CHANGES)))
    if twice := [key for key, count in changes.items() if count > 1]:
        yield f"tracked changes with one id: {twice}"
    relations = _relations(read, name)
    for element in root.iter("*"):
        for key in (f"{_R}id", f"{_R}embed", f"{_R}link"):
            if element.get(key) and element.get(key) not in relations:
                yield f"{etree.QName(element).localname} refers to nothing: {element.get(key)}"
    yield from _missing_numbering(read, root)
    yield from _missing_comments(read, root)


def _out_of_order(root: etree._Element) -> Iterator[str]:
    for element in root.iter(*ORDER):
        order = ORDER[element.tag]
        # Headers and footers of a section may be named in any order.
        names = [etree.QName(it).localname.replace("footerRef", "headerRef") for it in element.iterchildren("*")]
        known = [order.index(it) for it in names if it in order]
        if known != sorted(known):
            yield f"{etree.QName(element).localname} in another order than the schema's: {names}"


def _unreadable(root: etree._Element) -> Iterator[str]:
    for text in root.iter(f"{W}t", f"{W}delText"):
        if re.search(r"[\n\t]", text.text or ""):
            yield f"a line break or a tab within a text: {text.text!r}"
    for deleted in root.iter(f"{W}del", f"{W}moveFrom"):
        if deleted.find(f"{W}r/{W}t") is not None:
            yield "deleted words that are not marked as deleted text"
    for cell in root.iter(f"{W}tc", f"{W}txbxContent", f"{W}footnote", f"{W}endnote", f"{W}hdr", f"{W}ftr"):
        if not len(cell) or cell[-1].tag not in (f"{W}p", f"{W}sdt"):
            yield f"{etree.QName(cell).localname} does not end with a paragraph"


def _relations(read: Package, name: str) -> set[str]:
    folder, stem = posixpath.split(name)
    part = read.parts.get(f"{folder}/_rels/{stem}.rels")
    return set() if part is None else {it.get("Id", "") for it in xml.parsed(name, part)}


def _missing_numbering(read: Package, root: etree._Element) -> Iterator[str]:
    used = {it.get(f"{W}val") for it in root.iter(f"{W}numId")} - {"0"}
    defined = {
        number.get(f"{W}numId")
        for part in read.named(Role.NUMBERING)
        for number in xml.parsed(part, read.parts[part]).iter(f"{W}num")
    }
    if used - defined:
        yield f"lists that are not defined: {used - defined}"


def _missing_comments(read: Package, root: etree._Element) -> Iterator[str]:
    used = {it.get(f"{W}id") for it in root.iter(f"{W}commentReference")}
    written = {
        comment.get(f"{W}id")
        for part in read.named(Role.COMMENTS)
        for comment in xml.parsed(part, read.parts[part]).iter(f"{W}comment")
    }
    if used - written:
        yield f"comments that are not written: {used - written}"
