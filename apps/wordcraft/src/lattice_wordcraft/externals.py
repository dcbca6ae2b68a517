"""What a document names outside itself: kept in it, never fetched, and told in its review [SE-09].

Relationships of the external kind (pictures, templates, frames, linked objects, sub-documents, mail
merge sources), fields that read a file or ask another program, and pictures of VML by their address.
A hyperlink is followed by a person who clicks it, so it is none of these.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lxml import etree

from lattice_wordcraft import xml
from lattice_wordcraft.package import RELATIONSHIP, TEXT_ROLES, Package
from lattice_wordcraft.xml import W

_VML: Final = "{urn:schemas-microsoft-com:vml}"
_OFFICE: Final = "{urn:schemas-microsoft-com:office:office}"
_VML_ADDRESSES: Final = ("src", f"{_OFFICE}href", f"{_OFFICE}althref")
_FIELD: Final = re.compile(
    r"\s*(DATABASE|DDE|DDEAUTO|IMPORT|INCLUDE|INCLUDEPICTURE|INCLUDETEXT|LINK|RD)\b", re.IGNORECASE
)
_HINTS: Final = (b"instr", b"src", b"href", b"\x00")
"""What the bytes of a part hold wherever it has a field or an address; most large parts have neither."""

_MOST_CHARS: Final = 2_000


@dataclass(frozen=True)
class ExternalTarget:
    """Something outside: what names it, such as `attachedTemplate` or `INCLUDEPICTURE`, and the address as it stands.

    Of a field the address is the whole instruction. One of more than 2,000 characters is cut off.
    """

    kind: str
    address: str


def external_targets(package: Package) -> list[ExternalTarget]:
    """Each target once, in the order of the package's parts.

    Raises:
        FileRefused: a part is not well-formed.
    """
    found: dict[ExternalTarget, None] = {}
    for name in package.parts:
        if name.endswith(".rels"):
            found |= dict.fromkeys(_related(xml.parsed(name, package.parts[name])))
    for name in package.named(*TEXT_ROLES):
        if any(hint in package.parts[name] for hint in _HINTS):
            found |= dict.fromkeys(_written(xml.parsed_story(name, package.parts[name])))
    return [ExternalTarget(it.kind, it.address[:_MOST_CHARS]) for it in found]


def _related(relations: etree._Element) -> Iterator[ExternalTarget]:
    for relation in relations.iter(RELATIONSHIP):
        kind = relation.get("Type", "").rpartition("/")[2]
        if relation.get("TargetMode", "").lower() == "external" and kind != "hyperlink":
            yield ExternalTarget(kind, relation.get("Target", ""))


def _written(story: etree._Element) -> Iterator[ExternalTarget]:
    """The fields of a part, and its pictures of VML."""
    for instruction in _instructions(story):
        if field := _FIELD.match(instruction):
            yield ExternalTarget(field[1].upper(), instruction.strip())
    for element in story.iter(f"{_VML}*"):
        for address in _VML_ADDRESSES:
            if element.get(address):
                yield ExternalTarget(etree.QName(element).localname, element.get(address, ""))


def _instructions(story: etree._Element) -> Iterator[str]:
    """The instruction of each field; a field may lie within another's instruction, and span paragraphs."""
    open_fields: list[list[str]] = []
    for element in story.iter(f"{W}fldSimple", f"{W}fldChar", f"{W}instrText", f"{W}delInstrText"):
        if element.tag == f"{W}fldSimple":
            yield element.get(f"{W}instr", "")
        elif element.tag != f"{W}fldChar":
            if open_fields:
                open_fields[-1].append(element.text or "")
        elif element.get(f"{W}fldCharType") == "begin":
            open_fields.append([])
        elif element.get(f"{W}fldCharType") == "end" and open_fields:
            yield "".join(open_fields.pop())
    yield from map("".join, open_fields)
