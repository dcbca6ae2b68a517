"""Parsing and comparing XML parts: no entities, no network, bounded depth.

The parser keeps lxml's own limit on depth (256) on.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final, cast

from lxml import etree

from lattice_wordcraft import deadline
from lattice_wordcraft.refusals import FileRefused

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""The namespace of WordprocessingML, as a prefix of lxml's names."""

MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
"""The namespace of markup compatibility."""

_STRICT: Final = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
_TRANSITIONAL: Final = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def parsed(name: str, part: bytes) -> etree._Element:
    """The root of an XML part.

    Raises:
        FileRefused: it is not well-formed (guard "malformed_xml"), or nested too deep ("xml_depth").
        AppTimeout: the time of the job is over.
    """
    return _parsed(name, part, etree.XMLParser(**_SAFE))


def check(name: str, part: bytes) -> None:
    """Refuse a part as `parsed` does, without making a tree of it; an undeclared prefix passes."""
    _parsed(name, part, etree.XMLParser(**_SAFE, target=cast("Any", _Nothing())))


def parsed_story(name: str, part: bytes) -> etree._Element:
    """The root of a part that holds text, in the transitional namespace even where the part is Strict.

    Raises:
        FileRefused: as `parsed`, or it is not WordprocessingML (guard "not_a_document"), so that no word
            of it would be read.
    """
    root = parsed(name, part.replace(_STRICT, _TRANSITIONAL) if is_strict(part) else part)
    if not root.tag.startswith(W):
        raise FileRefused(guard="not_a_document", why=f"{name} begins with {root.tag}, not with a part of Word's")
    return root


def child(element: etree._Element, *path: str) -> etree._Element | None:
    """The first child of this name, or its first child of the next; a tenth of the time of `find` with a path."""
    found: etree._Element | None = element
    for name in path:
        if found is None:
            return None
        found = next(found.iterchildren(name), None)
    return found


class _Nothing:
    """What is made of a part that is only checked; without methods for its elements the parser calls none."""

    def close(self) -> None:
        """What a parser answers at the end."""


_SAFE: Final[Mapping[str, Any]] = {"resolve_entities": False, "no_network": True, "load_dtd": False}


def _parsed(name: str, part: bytes, parser: etree.XMLParser) -> etree._Element:
    deadline.check()
    try:
        return etree.fromstring(part, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        if getattr(error, "code", None) == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
            raise FileRefused(guard="xml_depth", why=f"{name} nests its elements too deep") from error
        raise FileRefused(guard="malformed_xml", why=f"{name} is not well-formed: {error}") from error


def is_strict(part: bytes) -> bool:
    """Whether a main part is Strict OOXML."""
    return _STRICT in part[:4096]


def written(root: etree._Element) -> bytes:
    """The bytes of a part, as Word declares them."""
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def canonical(root: etree._Element) -> bytes:
    """The canonical form (C14N) of an XML part; two parts with equal forms say the same."""
    form = BytesIO()
    root.getroottree().write_c14n(form)
    return form.getvalue()
