"""A DOCX package: its parts, what each is for, and what of it a batch may change.

Parts are known by their content types, not by their names: a main part may have any name. Bytes are
those of the original wherever a command had no leave to change them, or where the engine only wrote
them in another way.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from lxml import etree

from lattice_wordcraft import guards, xml
from lattice_wordcraft.packing import archive_of, deflated, entries_of
from lattice_wordcraft.refusals import FileRefused

CONTENT_TYPES: Final = "[Content_Types].xml"

RELATIONSHIP: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
"""The element of one relationship, as lxml names it."""

_TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_WORD: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_MACROS: Final = ("macroenabled", "vbaproject", "vbadata")
_MAIN_RELATIONS: Final = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument",
    "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument",
)
_GIST: Final = etree.XPath("concat(count(//*), ' ', /)")
"""How many elements a part has, and its words."""

_OF_THE_ENGINE: Final = guards.Limits(file=2**28, entry=2**28, xml_entry=2**28, inflated=2**29, macros=True)
"""Ids at every element make a package many times as large as it was."""


class Role(StrEnum):
    """What a part is for; the value is the pattern of its usual name."""

    MAIN = "word/document.xml"
    HEADER = "word/header*.xml"
    FOOTER = "word/footer*.xml"
    FOOTNOTES = "word/footnotes.xml"
    ENDNOTES = "word/endnotes.xml"
    COMMENTS = "word/comments*.xml"
    STYLES = "word/styles.xml"
    NUMBERING = "word/numbering.xml"
    SETTINGS = "word/settings.xml"
    MAIN_RELATIONSHIPS = "word/_rels/document.xml.rels"
    STORY_RELATIONSHIPS = "word/_rels/*.xml.rels"
    """Those of headers, footers and notes."""
    MEDIA = "*media/*"
    CONTENT_TYPES = "[Content_Types].xml"


RELATIONSHIP_ROLES: Final = frozenset({Role.MAIN_RELATIONSHIPS, Role.STORY_RELATIONSHIPS})
"""The parts that say what the document's words refer to: links, images."""

TEXT_ROLES: Final = frozenset({Role.MAIN, Role.HEADER, Role.FOOTER, Role.FOOTNOTES, Role.ENDNOTES})
"""The parts that hold the document's words."""

_ROLE_OF_TYPE: Final[Mapping[str, Role]] = {
    f"{_WORD}document.main+xml": Role.MAIN,
    "application/vnd.ms-word.document.macroEnabled.main+xml": Role.MAIN,
    f"{_WORD}header+xml": Role.HEADER,
    f"{_WORD}footer+xml": Role.FOOTER,
    f"{_WORD}footnotes+xml": Role.FOOTNOTES,
    f"{_WORD}endnotes+xml": Role.ENDNOTES,
    f"{_WORD}comments+xml": Role.COMMENTS,
    f"{_WORD}commentsExtended+xml": Role.COMMENTS,
    f"{_WORD}commentsIds+xml": Role.COMMENTS,
    f"{_WORD}commentsExtensible+xml": Role.COMMENTS,
    f"{_WORD}styles+xml": Role.STYLES,
    f"{_WORD}numbering+xml": Role.NUMBERING,
    f"{_WORD}settings+xml": Role.SETTINGS,
}


@dataclass(frozen=True)
class Package:
    """The parts of a guarded package by name, in the order of the archive, and the roles of some."""

    parts: Mapping[str, bytes]
    roles: Mapping[str, Role]
    main: str
    """The name of the main part."""
    markup: Collection[str]
    """The names of the parts that are XML, by suffix or by type."""
    content: bytes
    """The package itself."""

    def named(self, *roles: Role) -> list[str]:
        """The names of the parts of these roles, in the order of the archive."""
        return [name for name, role in self.roles.items() if role in roles]

    @property
    def is_strict(self) -> bool:
        """Whether the document is Strict OOXML, which the engine can only write as transitional."""
        return xml.is_strict(self.parts[self.main])


def opened(content: bytes, limits: guards.Limits, known: Mapping[str, bytes] = MappingProxyType({})) -> Package:
    """The package in these bytes, once every guard let it pass.

    `known` are parts that were opened before: the same bytes are not parsed again.

    Raises:
        FileTooLarge: the file is over its limit.
        FileRefused: a guard refuses it.
    """
    read = _read(content, limits, known)
    for name in read.markup:
        if known.get(name) != read.parts[name]:  # the engine shall not be the first to parse it
            check = xml.parsed_story if read.roles.get(name) in TEXT_ROLES else xml.check
            check(name, read.parts[name])
    return read


def reopened(saved: bytes, known: Mapping[str, bytes] = MappingProxyType({})) -> Package:
    """The package that the engine made of one that was opened; whoever reads a part of it parses it.

    `known` are the parts of that one.

    Raises:
        FileRefused: a guard refuses it, for the document may have taken the engine over.
    """
    return _read(saved, _OF_THE_ENGINE, known)


def _read(content: bytes, limits: guards.Limits, known: Mapping[str, bytes]) -> Package:
    parts = guards.guarded_parts(content, limits, known)
    types = _content_types(parts)
    if not limits.macros:
        _check_macros(types)
    typed = {name: parts[name] for name, declared in types.items() if _is_markup(declared, parts[name])}
    guards.check_markup({name: part for name, part in typed.items() if not guards.is_xml(name)}, limits)
    main = _main_part(parts)
    if _ROLE_OF_TYPE.get(types.get(main, "")) is not Role.MAIN:
        raise FileRefused(guard="not_a_document", why=f"its main part is of type {types.get(main)}")
    # A whole document embedded in this one may be declared as a main part too.
    roles = {
        name: role
        for name, declared in types.items()
        if (role := _ROLE_OF_TYPE.get(declared)) and (role is not Role.MAIN or name == main)
    }
    roles |= {name: Role.MEDIA for name, declared in types.items() if declared.startswith("image/")}
    for story in [name for name, role in roles.items() if role in TEXT_ROLES]:
        folder, _, stem = story.rpartition("/")
        own = Role.MAIN_RELATIONSHIPS if story == main else Role.STORY_RELATIONSHIPS
        roles[f"{folder}/_rels/{stem}.rels"] = own
    roles[CONTENT_TYPES] = Role.CONTENT_TYPES
    return Package(parts, roles, main, [name for name in parts if name in typed or guards.is_xml(name)], content)


def restored(original: Package, produced: Package, changeable: Collection[Role]) -> dict[str, bytes]:
    """The parts of a result: the engine's where a command may change them and it did, else the original's.

    A part that is equal in canonical XML keeps its original bytes. A part that the engine added or
    dropped without leave is left out or kept.
    """
    parts: dict[str, bytes] = {}
    for name, before in original.parts.items():
        after = produced.parts.get(name)
        if original.roles.get(name) not in changeable:
            parts[name] = before
        elif after is not None:
            parts[name] = before if _says_the_same(name, before, after) else after
    added = produced.parts.keys() - original.parts.keys()
    return parts | {name: produced.parts[name] for name in sorted(added) if produced.roles.get(name) in changeable}


def changed_parts(original: Package, parts: Mapping[str, bytes]) -> list[str]:
    """The names of the parts that differ from the original, were added or dropped; sorted."""
    names = original.parts.keys() | parts.keys()
    return sorted(name for name in names if original.parts.get(name) != parts.get(name))


def packed(parts: Mapping[str, bytes], original: Package | None = None, *, level: int = 6) -> bytes:
    """A package of these parts; the same parts give the same bytes.

    Args:
        parts: in the order of the archive.
        original: where parts that are also in it lie packed already.
        level: 1 packs the others fastest, 9 smallest.
    """
    known, entries = (original.parts, entries_of(original.content)) if original else ({}, {})
    return archive_of(
        {name: entries[name] if known.get(name) == part else deflated(part, level) for name, part in parts.items()}
    )


def _says_the_same(name: str, before: bytes, after: bytes) -> bool:
    if before == after or not guards.is_xml(name):
        return before == after
    one, other = xml.parsed(name, before), xml.parsed(name, after)
    # A part that a command changed has other words or other elements, which is told much sooner.
    return _GIST(one) == _GIST(other) and xml.canonical(one) == xml.canonical(other)


def _content_types(parts: Mapping[str, bytes]) -> dict[str, str]:
    """The content type of each part that has one."""
    if CONTENT_TYPES not in parts:
        raise FileRefused(guard="missing_part", why=f"there is no {CONTENT_TYPES}")
    root = xml.parsed(CONTENT_TYPES, parts[CONTENT_TYPES])
    defaults = _declared(root.iter(f"{_TYPES}Default"), "Extension")
    overrides = _declared(root.iter(f"{_TYPES}Override"), "PartName")
    declared = {
        name: overrides.get(name.lower()) or defaults.get(name.rpartition(".")[2].lower(), "") for name in parts
    }
    return {name: content_type for name, content_type in declared.items() if content_type}


def _declared(elements: Iterable[etree._Element], key: str) -> dict[str, str]:
    """The content types that elements declare, by extension or name in lower case."""
    types: dict[str, str] = {}
    for element in elements:
        what, declared = element.get(key, "").lstrip("/").lower(), element.get("ContentType", "")
        if types.setdefault(what, declared) != declared:
            raise FileRefused(guard="content_types", why=f"{what} is declared as {types[what]} and as {declared}")
    return types


def _is_markup(declared: str, part: bytes) -> bool:
    # A whole document embedded in this one may be declared as the XML of a main part.
    return declared.lower().endswith(("+xml", "/xml")) and not part.startswith(b"PK\x03\x04")


def _check_macros(types: Mapping[str, str]) -> None:
    for name, declared in types.items():
        if any(mark in declared.lower() or mark in name.lower() for mark in _MACROS):
            raise FileRefused(guard="macros", why=f"{name} may hold macros")


def _main_part(parts: Mapping[str, bytes]) -> str:
    roots = "_rels/.rels"
    if roots not in parts:
        raise FileRefused(guard="missing_part", why=f"there is no {roots}")
    relations = [it for it in xml.parsed(roots, parts[roots]).iter(RELATIONSHIP) if it.get("Type") in _MAIN_RELATIONS]
    if len(relations) > 1 or any(it.get("TargetMode") == "External" for it in relations):
        raise FileRefused(guard="main_part", why="it names more than one main part, or one outside itself")
    name = relations[0].get("Target", "").lstrip("/") if relations else ""
    if name not in parts:
        raise FileRefused(guard="missing_part", why="there is no main document part")
    return name
