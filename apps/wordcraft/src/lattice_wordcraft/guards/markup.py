"""XML as bytes: what is refused before a parser sees it.

A doctype is all that entity expansion and external entities need, and no writer of DOCX makes one.
Everything else here is told by counting marks, which takes a tenth of the time of parsing.
"""

import re
from collections.abc import Mapping
from typing import Final

from lattice_wordcraft.guards.limits import Limits
from lattice_wordcraft.refusals import FileRefused

_SUFFIXES: Final = (".xml", ".rels", ".vml", ".svg")
_DECLARED_ENCODING: Final = re.compile(rb"""^<\?xml[^>]*?\bencoding\s*=\s*["']([^"']*)["']""")
_ENCODINGS: Final = {
    "utf-8": frozenset({"utf-8", "utf8", "us-ascii", "ascii"}),
    "utf-16": frozenset({"utf-16", "utf-16le", "utf-16be"}),
}
_ATTRIBUTE: Final = rb"""\s*+[^\s=<>"'/]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+')"""
_LEAST_ATTRIBUTE: Final = len('a=""')


def is_xml(name: str) -> bool:
    """Whether a part of this name is XML by its suffix."""
    return name.lower().endswith(_SUFFIXES)


def check(name: str, part: bytes, limits: Limits) -> None:
    """Refuse XML that declares a document type or hides one behind an encoding, or is longer than it may be."""
    text = _decoded(name, part)
    if b"<!DOCTYPE" in text:
        raise FileRefused(guard="doctype", why=f"{name} declares a document type")
    most = limits.xml_attributes
    # Only a run from one tag to the next that is long enough can hold too many attributes.
    for run in re.finditer(rb"<[^<]{%d,}+" % (most * _LEAST_ATTRIBUTE), text):
        if run.end() - run.start() > limits.xml_length:
            raise FileRefused(
                guard="xml_length",
                why=f"{name} has a text, or attributes of one element, of more than {limits.xml_length:,} bytes",
            )
        if re.match(rb"""<[^\s<>/!?"'=]++(?:%s){%d}""" % (_ATTRIBUTE, most + 1), run[0]):
            raise FileRefused(guard="xml_attributes", why=f"{name} has an element of more than {most} attributes")


def check_elements(parts: Mapping[str, bytes], limits: Limits) -> None:
    """Refuse parts that have too many elements between them: a tree takes many times the bytes of its text."""
    # End tags, comments and the like begin with the mark too; in UTF-16 as well, beside a zero byte.
    elements = sum(
        part.count(b"<") - part.count(b"</") - (part.count(b"<\x00/") if b"\x00" in part else 0)
        for part in parts.values()
    )
    if elements > limits.xml_elements:
        raise FileRefused(
            guard="xml_elements", why=f"its parts have {elements:,} elements; {limits.xml_elements:,} may be"
        )


def _decoded(name: str, part: bytes) -> bytes:
    """The text in UTF-8, once its encoding is beyond doubt."""
    family = "utf-16" if part[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    text = part.removeprefix(b"\xef\xbb\xbf")
    if family == "utf-16":
        text = part.decode("utf-16", errors="replace").encode(errors="replace")
    text = text.lstrip(b" \t\r\n")
    declared = _DECLARED_ENCODING.match(text)
    # UTF-16 and UTF-32 without their mark begin with a zero byte beside the first character, EBCDIC with no "<".
    starts_as_xml = text[:1] == b"<" and b"\x00" not in text[:4]
    encoding = declared[1].decode("latin-1").lower() if declared else family
    if text and not (starts_as_xml and encoding in _ENCODINGS[family]):
        raise FileRefused(guard="xml_encoding", why=f"{name} is neither UTF-8 nor UTF-16 with its mark")
    return text
