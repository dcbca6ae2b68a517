"""Paragraphs as commands find them, and the ids by which the engine knows them.

The ids are laid into a package before the engine opens it, which keeps those that it finds. Its own it
makes from content, so that two paragraphs may share one, and it tells them only in a package that it saves.
"""

import itertools
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from lxml import etree

from lattice_wordcraft import deadline, package, passages, xml
from lattice_wordcraft.package import Package
from lattice_wordcraft.passages import Passage
from lattice_wordcraft.xml import MC, W

ENGINE_ID: Final = "{http://powertools.codeplex.com/2011}Unid"
"""The attribute in which the engine writes a block's id into an anchored package."""

Stories: TypeAlias = Sequence[etree._Element]  # noqa: SLF001  lxml names its element so
"""The parts that hold text, as trees whose paragraphs and cells carry their ids."""


@dataclass(frozen=True)
class Block:
    """A paragraph as it stands; `twin` is its copy in the form of a text box that older programs show."""

    anchor: str
    passage: Passage
    twin: str | None = None
    holder: int = 0
    """What it stands in directly (body, cell, header, note, text box), told apart by numbers."""
    is_deleted: bool = False
    """Whether its end is deleted as a tracked change, so that it goes when that is accepted."""
    is_in_text_box: bool = False
    is_on_page: bool = True
    """Whether it stands in the body itself, and not in a cell, a text box, a header or a note."""
    cell: str | None = None
    """The anchor of the table cell that it stands in."""
    notes: frozenset[tuple[str, str]] = frozenset()
    """The notes that it refers to: "footnote" or "endnote", and the note's number in the document's markup."""
    is_commented: bool = False
    """Whether a comment begins in it."""

    @property
    def scope(self) -> str:
        """Where it stands, as the engine says it: "body", "hdr1", "ftr1", "fn", "en"."""
        return scope_of(self.anchor)

    @property
    def is_of_body(self) -> bool:
        """Whether it stands in the body, its tables and text boxes included."""
        return self.scope == "body"

    @property
    def anchors(self) -> tuple[str, ...]:
        """Every anchor at which an edit of this paragraph must be made."""
        return (self.anchor,) if self.twin is None else (self.anchor, self.twin)


def anchored(original: Package) -> tuple[bytes, Stories]:
    """The package for the engine to open, with an id at each paragraph and cell, and its stories."""
    parts = dict(original.parts)
    stories = []
    prefix, numbers = secrets.token_hex(12), itertools.count()  # no document can hold such an id already
    for name in original.named(*package.TEXT_ROLES):
        story = xml.parsed(name, parts[name])
        for element in story.iter(f"{W}p", f"{W}tc"):
            element.set(ENGINE_ID, f"{prefix}{next(numbers):08x}")
        parts[name] = xml.written(story)
        stories.append(story)
    return package.packed(parts, original, level=1), stories


def stories_of(saved: bytes) -> Stories:
    """The stories of a package that the engine saved with its ids."""
    read = package.reopened(saved)
    return [xml.parsed(name, read.parts[name]) for name in read.named(*package.TEXT_ROLES)]


def blocks_of(stories: Stories) -> dict[str, Block]:
    """The paragraphs by id, in document order, without those shown nowhere; instead of anchors they have bare ids."""
    numbers = itertools.count(1)
    return {key: block for story in stories for key, block in _blocks(story, numbers)}


def addressed(blocks: Mapping[str, Block], known: Iterable[str]) -> dict[str, Block]:
    """The paragraphs that the engine knows, with the anchors by which it does."""
    anchors = {block_id(anchor): anchor for anchor in known}
    return {
        key: replace(
            block,
            anchor=anchors[key],
            twin=anchors.get(block.twin or ""),
            cell=anchors.get(block.cell or ""),
        )
        for key, block in blocks.items()
        if key in anchors
    }


def _blocks(story: etree._Element, numbers: Iterator[int]) -> Iterator[tuple[str, Block]]:
    twins = dict(_twins(story))
    holders: dict[etree._Element | None, int] = {}
    for paragraph in story.iter(f"{W}p"):
        deadline.check()
        if not passages.is_shown(paragraph):
            continue
        key = paragraph.get(ENGINE_ID, "")
        parent, cell = paragraph.getparent(), next(paragraph.iterancestors(f"{W}tc"), None)
        if parent not in holders:
            holders[parent] = next(numbers)
        yield (
            key,
            Block(
                key,
                passages.passage(paragraph),
                twin=twins.get(key),
                holder=holders[parent],
                is_deleted=passages.mark_is_deleted(paragraph),
                is_in_text_box=next(paragraph.iterancestors(f"{W}txbxContent"), None) is not None,
                is_on_page=parent is not None and parent.tag == f"{W}body",
                cell=None if cell is None else cell.get(ENGINE_ID),
                notes=notes_of(paragraph),
                is_commented=is_commented(paragraph),
            ),
        )


def is_commented(paragraph: etree._Element) -> bool:
    """Whether a comment begins in a paragraph."""
    return next(paragraph.iter(f"{W}commentRangeStart"), None) is not None


def notes_of(paragraph: etree._Element) -> frozenset[tuple[str, str]]:
    """The notes that a paragraph refers to; see `Block.notes`."""
    return frozenset(
        (kind, reference.get(f"{W}id", ""))
        for kind in ("footnote", "endnote")
        for reference in paragraph.iter(f"{W}{kind}Reference")
    )


def _twins(root: etree._Element) -> Iterator[tuple[str, str]]:
    """The ids of each paragraph of a text box and of its copy for older programs, where the two forms agree."""
    for either in root.iter(f"{MC}AlternateContent"):
        if next(either.iterancestors(f"{MC}AlternateContent"), None) is not None:
            continue  # those within were compared with it
        choice, fallback = either.find(f"{MC}Choice"), either.find(f"{MC}Fallback")
        if choice is None or fallback is None:
            continue
        shown, copies = list(choice.iter(f"{W}p")), list(fallback.iter(f"{W}p"))
        if [passages.passage(it) for it in shown] == [passages.passage(it) for it in copies]:
            yield from (
                (it.get(ENGINE_ID, ""), copy.get(ENGINE_ID, "")) for it, copy in zip(shown, copies, strict=True)
            )


def scope_of(anchor: str) -> str:
    """The scope of a block, see `Block.scope`."""
    return anchor.split(":")[1]


def block_id(anchor: str) -> str:
    """The id by which the engine knows a block, whatever its kind."""
    return anchor.rpartition(":")[2]
