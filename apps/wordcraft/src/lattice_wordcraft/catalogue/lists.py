"""Commands on lists."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Literal, TypeAlias

from lxml import etree
from pydantic import Field, field_validator

from lattice_wordcraft.blocks import Block
from lattice_wordcraft.catalogue.command import Command, Job, Quote, Through
from lattice_wordcraft.catalogue.markup import marked, paragraphs_changed, paragraphs_edited, pasts
from lattice_wordcraft.catalogue.properties import placed, put
from lattice_wordcraft.package import TEXT_ROLES, Role
from lattice_wordcraft.refusals import CommandRefused
from lattice_wordcraft.xml import W

Membership: TypeAlias = dict[str, Any]
"""What the engine says of a list item: `numId`, `level` from 0, `format` and more."""

_NUMBERING: Final = TEXT_ROLES | {Role.NUMBERING, Role.MAIN_RELATIONSHIPS, Role.CONTENT_TYPES}
"""What a list may change: the first one brings the part that defines it."""


class MakeList(Command):
    """Make list items of quoted paragraphs."""

    id: ClassVar[str] = "make_list"
    label: ClassVar[str] = "Make list"
    description: ClassVar[str] = (
        "Makes the paragraph that holds the quoted words, or all from there through another, items of a bullet or "
        "numbered list, or gives the items of a list another kind. A numbered list begins at 1 unless it continues "
        "the items right before it. What defines the list is made directly; the paragraphs are tracked."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "bullet list", "bulleted list", "numbered list", "numbering", "bullets", "enumerate", "lettered list",
        "roman numerals list", "turn lines into a list",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Name:", "through": "Closing words", "kind": "decimal"}
    changes: ClassVar[frozenset[Role]] = _NUMBERING

    quote: Quote
    through: Through = None
    kind: Literal[
        "bullet",
        "decimal",
        "lowerLetter",
        "upperLetter",
        "lowerRoman",
        "upperRoman",
        "decimalParenthesis",
        "lowerLetterParenthesis",
    ] = "bullet"

    async def apply(self, job: Job) -> None:
        """Make them items of one list, in every form of them."""
        order = await job.quotes.in_order()
        blocks = await job.quotes.paragraphs(self.quote, self.through)
        first = order.index(blocks[0])
        items = await _items(job, order)
        if all(_is_of_kind(items.get(block.anchor), self.kind) for block in blocks):
            raise CommandRefused("they are such items already")
        await paragraphs_edited(job, blocks, "apply_list_format", listFormat=self.kind)
        if self.kind == "bullet":
            return
        made = await _item(job, blocks[0])
        lists = [items[it.anchor]["numId"] for it in order[:first] if it.anchor in items]
        follows_on = first > 0 and items.get(order[first - 1].anchor, {}).get("numId") == made["numId"]
        if made["numId"] in lists and not follows_on:
            await _restart(job, blocks[0], 1)


class RemoveFromList(Command):
    """Take quoted paragraphs out of their list."""

    id: ClassVar[str] = "remove_from_list"
    label: ClassVar[str] = "Remove from list"
    description: ClassVar[str] = (
        "Takes the paragraph that holds the quoted words, or all from there through another, out of its list: the "
        "words stay, the bullet or number goes. Refused where it is in none."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "remove bullet", "remove the number", "no list", "plain paragraph instead of a bullet", "unlist",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "First point"}

    quote: Quote
    through: Through = None

    async def apply(self, job: Job) -> None:
        """Take them out in every form of them."""
        blocks = await job.quotes.paragraphs(self.quote, self.through)
        await paragraphs_edited(job, blocks, "remove_list_membership")


class ChangeListLevel(Command):
    """Move list items to another level."""

    id: ClassVar[str] = "change_list_level"
    label: ClassVar[str] = "Change list level"
    description: ClassVar[str] = (
        "Moves the list item that holds the quoted words, or all from there through another, levels down (further in) "
        "or, below zero, up. Refused where it is no list item, and beyond the nine levels there are. Where the list "
        "has no such level yet it is made directly; the paragraphs are tracked."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "demote a bullet", "promote a list item", "sub-bullet", "nested list", "indent list item", "sublist",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Second point", "by": 1}
    changes: ClassVar[frozenset[Role]] = _NUMBERING

    quote: Quote
    through: Through = None
    by: int = Field(ge=-8, le=8, description="How many levels further in; not 0.")

    @field_validator("by")
    @classmethod
    def _moves(cls, value: int) -> int:
        if value == 0:
            raise ValueError("0 moves nothing")
        return value

    async def apply(self, job: Job) -> None:
        """Move them in every form of them."""
        blocks = await job.quotes.paragraphs(self.quote, self.through)
        for block in blocks:
            await _item(job, block)
        await paragraphs_edited(job, blocks, "set_list_level", levelDelta=self.by)


class RestartNumbering(Command):
    """Begin a numbered list anew."""

    id: ClassVar[str] = "restart_numbering"
    label: ClassVar[str] = "Restart numbering"
    description: ClassVar[str] = (
        "Lets the numbered item that holds the quoted words begin at a number; the items after it in its list count "
        "on from there. Refused where it is in no numbered list. The number is kept with what defines the list, which "
        "is made directly; the paragraphs are tracked."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "start numbering at 1", "set numbering value", "begin the list again", "number from", "reset the numbers",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Step two", "start": 5}
    changes: ClassVar[frozenset[Role]] = _NUMBERING

    quote: Quote
    start: int = Field(default=1, ge=0, le=32_767)

    async def apply(self, job: Job) -> None:
        """Restart at the item."""
        block = await job.quotes.paragraph(self.quote)
        _check_numbered(await _item(job, block))
        await _restart(job, block, self.start)


class ContinueNumbering(Command):
    """Let a numbered list go on from the one before."""

    id: ClassVar[str] = "continue_numbering"
    label: ClassVar[str] = "Continue numbering"
    description: ClassVar[str] = (
        "Lets the numbered item that holds the quoted words, with those after it in its list, go on from the numbered "
        "list before it. Refused where it is in no numbered list, and where there is no other one of its level before."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "continue the list", "join two lists", "number on from before", "one numbering over both lists",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Other step"}

    quote: Quote

    async def apply(self, job: Job) -> None:
        """Make it and its followers items of the list before."""
        block = await job.quotes.paragraph(self.quote)
        order = [it for it in await job.quotes.in_order() if it.holder == block.holder]
        item = await _item(job, block)
        _check_numbered(item)
        at = order.index(block)
        items = await _items(job, order)
        earlier = _earlier([items[it.anchor] for it in order[:at] if it.anchor in items], item)
        followers = [it for it in order[at:] if items.get(it.anchor, {}).get("numId") == item["numId"]]

        def change(properties: etree._Element) -> None:
            level = properties.find(f"{W}numPr/{W}ilvl")
            value = item["level"] if level is None else level.get(f"{W}val", "0")
            numbering = put(properties, "numPr")
            for name, number in (("ilvl", value), ("numId", earlier["numId"])):
                placed(numbering, etree.Element(W + name, {f"{W}val": str(number)}))

        await paragraphs_changed(job, followers, change)


COMMANDS: Final = (MakeList, RemoveFromList, ChangeListLevel, RestartNumbering, ContinueNumbering)
"""In the order of the catalogue."""


async def _items(job: Job, blocks: Sequence[Block]) -> dict[str, Membership]:
    """Those of the paragraphs that are list items, by their anchors."""
    found = await job.document.ask("get_block_metadatas", anchorIds=[block.anchor for block in blocks])
    return {anchor: block["list"] for anchor, block in found.items() if block and block.get("list")}


async def _item(job: Job, block: Block) -> Membership:
    found = (await _items(job, [block])).get(block.anchor)
    if found is None:
        raise CommandRefused(f'the paragraph "{block.passage.text[:80]}" is in no list')
    return found


def _check_numbered(item: Membership) -> None:
    if item["format"] in ("bullet", "none"):
        raise CommandRefused("the list has bullets, not numbers")


def _is_of_kind(item: Membership | None, kind: str) -> bool:
    if item is None or item["format"] != kind.removesuffix("Parenthesis"):
        return False
    return kind == "bullet" or str(item.get("levelText", "")).startswith("(") == kind.endswith("Parenthesis")


def _earlier(before: Sequence[Membership], item: Membership) -> Membership:
    """The nearest item before that is of another numbered list and of the same level."""
    for found in reversed(before):
        is_other = found["numId"] != item["numId"] and found["level"] == item["level"]
        if is_other and found["format"] not in ("bullet", "none"):
            return found
    raise CommandRefused("there is no other numbered list before it to go on from")


async def _restart(job: Job, block: Block, start: int) -> None:
    past = await pasts(job, list(await _items(job, await job.quotes.in_order())))
    edited = await job.edit_directly("set_list_start_override", anchorId=block.anchor, startValue=start)
    await marked(job, edited, past)
