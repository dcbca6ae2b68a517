"""What a document says, whatever its markup looks like: for comparing two ways to the same result."""

from copy import deepcopy

from lattice_wordcraft import guards, package, xml
from lattice_wordcraft.package import Role
from lattice_wordcraft.xml import W
from lxml import etree

_STORIES = (Role.MAIN, Role.HEADER, Role.FOOTER, Role.FOOTNOTES, Role.ENDNOTES)
_IGNORED = ("proofErr", "lastRenderedPageBreak", "bookmarkStart", "bookmarkEnd", "headerReference", "footerReference")


def said_by(content: bytes) -> list[tuple[str, ...]]:
    """The paragraphs and sections of a document in order: their properties, and their words with theirs.

    Left out are revision-save ids, empty properties, how words are cut into runs, parts without a word, and which
    part holds a header.
    """
    read = package.opened(content, guards.Limits())
    said = []
    for role in _STORIES:
        for name in read.named(role):
            root = xml.parsed(name, read.parts[name])
            paragraphs = [it for it in root.iter(f"{W}p") if not _separates(it)]
            lines = [_paragraph(it) for it in paragraphs] + [_properties(it) for it in root.iter(f"{W}sectPr")]
            said += [(role.name, *line) for line in lines] if any(len(line) > 1 for line in lines) else []
    return said


def _separates(paragraph: etree._Element) -> bool:
    """Whether it is the line between the text and the notes, which comes with the first note."""
    return any(paragraph.find(f"{W}r/{W}{it}") is not None for it in ("separator", "continuationSeparator"))


def _paragraph(paragraph: etree._Element) -> tuple[str, ...]:
    properties = paragraph.find(f"{W}pPr")
    line = list(_properties(properties)) if properties is not None else [""]
    before = None
    for run in paragraph.iter(f"{W}r"):
        look = "".join(_properties(run.find(f"{W}rPr")))
        for content in run:
            if content.tag in (f"{W}rPr", *(W + it for it in _IGNORED)):
                continue
            if content.tag in (f"{W}t", f"{W}delText") and before == look:
                line[-1] += content.text or ""
            elif content.tag in (f"{W}t", f"{W}delText"):
                line += [look, content.text or ""]
                before = look
            else:
                line += [look, etree.QName(content).localname]
                before = None
    return tuple(line)


def _properties(properties: etree._Element | None) -> tuple[str, ...]:
    if properties is None:
        return ("",)
    properties = deepcopy(properties)
    for name in ("rPr", "sectPr", *_IGNORED):
        for element in properties.findall(W + name):
            properties.remove(element)
    return ("|".join(_canonical(it) for it in properties),)


def _canonical(element: etree._Element) -> str:
    attributes = sorted((str(key), str(value)) for key, value in element.items() if "rsid" not in str(key))
    inner = "".join(_canonical(it) for it in element)
    return f"{etree.QName(element).localname}{[(key.rpartition('}')[2], value) for key, value in attributes]}{inner}"
