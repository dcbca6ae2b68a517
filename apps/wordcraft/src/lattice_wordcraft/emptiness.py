"""An empty text: told of a document only where it has no words.

A document whose words stand where no reader looks, such as outside its paragraphs, would otherwise
pass for an empty one. [N-13]
"""

from typing import Final

from lxml import etree

from lattice_wordcraft import deadline, reading, xml
from lattice_wordcraft.package import TEXT_ROLES, Package
from lattice_wordcraft.refusals import FileRefused
from lattice_wordcraft.xml import W

_RIGHTLY_UNREAD: Final = frozenset(W + name for name in ("del", "moveFrom", "rt"))


def check(package: Package) -> None:
    """Refuse a document that reads as empty, and has words all the same.

    Raises:
        FileRefused: guard "unread_words".
    """
    if any(line.strip() for line in reading.lines_of(package)):
        return
    for name in package.named(*TEXT_ROLES):
        for text in xml.parsed_story(name, package.parts[name]).iter(f"{W}t"):
            deadline.check()
            if (text.text or "").strip() and not _is_rightly_unread(text):
                raise FileRefused(
                    guard="unread_words", why=f"{name} has words in places where no reader looks for them"
                )


def _is_rightly_unread(text: etree._Element) -> bool:
    """Whether the words are deleted or moved away, alone or with their row or cell, or tell how others sound."""
    return any(
        it.tag in _RIGHTLY_UNREAD
        or it.find(f"{W}trPr/{W}del") is not None
        or it.find(f"{W}tcPr/{W}cellDel") is not None
        for it in text.iterancestors()
    )
