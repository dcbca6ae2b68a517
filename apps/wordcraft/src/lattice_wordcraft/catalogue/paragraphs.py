"""Commands on whole paragraphs."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field

from lattice_wordcraft.blocks import Block
from lattice_wordcraft.catalogue.command import (
    COMMENT_PARTS,
    WITH_COMMENTS,
    Command,
    Job,
    Line,
    Quote,
    Through,
    Within,
    literal,
)
from lattice_wordcraft.catalogue.markup import cut, element_of, paragraphs_edited
from lattice_wordcraft.catalogue.text import rewrite
from lattice_wordcraft.package import TEXT_ROLES, Role
from lattice_wordcraft.refusals import CommandRefused
from lattice_wordcraft.xml import W


class InsertParagraph(Command):
    """Insert a paragraph beside a quoted one."""

    id: ClassVar[str] = "insert_paragraph"
    label: ClassVar[str] = "Insert paragraph"
    description: ClassVar[str] = (
        "Inserts a new paragraph after (or before) the paragraph that holds the quoted words, in plain text. "
        "It has the document's default style unless `style` names one."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "add a paragraph", "new paragraph", "add a section heading", "write a new line of text", "append text",
        "add a bullet point", "add a list item", "insert text below", "add a sentence as a paragraph",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {
        "quote": "Launch plan", "text": "This plan is a draft.", "position": "after",
    }  # fmt: skip

    quote: Quote
    text: Line = Field(min_length=1)
    position: Literal["after", "before"] = "after"
    style: str | None = Field(default=None, description="The id or the name of a paragraph style of the document.")

    async def apply(self, job: Job) -> None:
        """Insert the paragraph, then style it."""
        await _insert(job, await job.quotes.paragraph(self.quote), [self.text], self.position, self.style)


class InsertParagraphs(Command):
    """Insert several paragraphs beside a quoted one."""

    id: ClassVar[str] = "insert_paragraphs"
    label: ClassVar[str] = "Insert paragraphs"
    description: ClassVar[str] = (
        "Inserts several new paragraphs, in their order, after (or before) the paragraph that holds the quoted words, "
        "in plain text. They have the document's default style unless `style` names one."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "add several paragraphs", "add a whole section", "insert many lines", "paste text of several lines",
        "add items at once",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {
        "quote": "Closing words", "texts": ["First remark.", "Second remark."], "position": "before",
    }  # fmt: skip

    quote: Quote
    texts: list[Annotated[Line, Field(min_length=1)]] = Field(min_length=1, max_length=100)
    position: Literal["after", "before"] = "after"
    style: str | None = Field(default=None, description="The id or the name of a paragraph style of the document.")

    async def apply(self, job: Job) -> None:
        """Insert them, then style them."""
        await _insert(job, await job.quotes.paragraph(self.quote), self.texts, self.position, self.style)


class ReplaceParagraph(Command):
    """Give a quoted paragraph other words."""

    id: ClassVar[str] = "replace_paragraph"
    label: ClassVar[str] = "Replace paragraph"
    description: ClassVar[str] = (
        "Replaces all words of the paragraph that holds the quoted words; its style stays and only the words that "
        "differ are changed. Refused where what differs holds a tab, a line break or an equation."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "rewrite a paragraph", "rewrite the whole clause", "new wording of a paragraph", "redraft",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing", "text": "Closing remarks."}

    quote: Quote
    text: Line = Field(min_length=1)

    async def apply(self, job: Job) -> None:
        """Replace what differs."""
        await rewrite(job, await job.quotes.paragraph(self.quote), self.text)


class DeleteParagraph(Command):
    """Delete a quoted paragraph."""

    id: ClassVar[str] = "delete_paragraph"
    label: ClassVar[str] = "Delete paragraph"
    description: ClassVar[str] = (
        "Deletes the whole paragraph that holds the quoted words, or all from there through another. Of the last "
        "paragraph of a cell, a header, a note or the document the words go and the paragraph stays, since one must."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "remove a paragraph", "drop a line", "delete a bullet point", "take out a clause", "remove a heading",
        "delete this section's paragraph",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Second point"}
    changes: ClassVar[frozenset[Role]] = WITH_COMMENTS

    quote: Quote
    through: Through = None

    async def apply(self, job: Job) -> None:
        """Delete the paragraphs in every form of them, from the last to the first."""
        await job.quotes.in_order()
        blocks = await job.quotes.paragraphs(self.quote, self.through)
        if not await _stays(job, blocks):
            await _empty(job, blocks[0])
            blocks = blocks[1:]
        for block in reversed(blocks):
            for anchor in block.anchors:
                await job.edit("delete_block", anchorId=anchor)


class SplitParagraph(Command):
    """Split a paragraph at quoted words."""

    id: ClassVar[str] = "split_paragraph"
    label: ClassVar[str] = "Split paragraph"
    description: ClassVar[str] = (
        "Splits a paragraph in two before (or after) the quoted words, which must occur exactly once; both keep its "
        "style. Refused at the very start or end of a paragraph, and right at a tab or a line break."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "break a paragraph in two", "start a new paragraph here", "divide", "new line from here", "press enter",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Acme again", "position": "before"}

    quote: Quote
    position: Literal["before", "after"] = "before"
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Split at the one place of the quote, in every form of the paragraph."""
        place = await job.quotes.only(self.quote, self.within)
        text, at = place.block.passage.text, place.start if self.position == "before" else place.end
        if not text[:at].strip() or not text[at:].strip():
            raise CommandRefused("one of the two paragraphs would be empty")
        await cut(job, place.block, at)
        for anchor in place.block.anchors:
            await job.edit("split_paragraph", anchorId=anchor, characterOffset=place.block.passage.span(at, at).start)
        blocks = await job.quotes.in_order()
        first = next(index for index, block in enumerate(blocks) if block.anchor == place.block.anchor)
        if [it.passage.text for it in blocks[first : first + 2]] != [text[:at], text[at:]]:
            raise CommandRefused("a tab, a line break or an equation stands right there; quote words beside it")


class MergeParagraphs(Command):
    """Merge a quoted paragraph with the next."""

    id: ClassVar[str] = "merge_paragraphs"
    label: ClassVar[str] = "Merge paragraphs"
    description: ClassVar[str] = (
        "Joins the paragraph that holds the quoted words with the one after it, with a space between where both have "
        "words, or all from there through another. Refused where the next one is in another cell, or is no paragraph."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "join paragraphs", "combine two lines", "put on one line", "remove the line break between", "unite",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Name:"}

    quote: Quote
    through: Through = None

    async def apply(self, job: Job) -> None:
        """Join each with the one before, from the last to the first, in every form of them."""
        first, *others = await job.quotes.paragraphs(self.quote, self.through)
        if not others:
            blocks = await job.quotes.in_order()
            at = next(index for index, block in enumerate(blocks) if block.anchor == first.anchor)
            first, others = blocks[at], blocks[at + 1 : at + 2]
        if any(other.holder != first.holder for other in others) or not others:
            raise CommandRefused("there is no paragraph after it in the same place")
        pairs = list(zip((first, *others), others, strict=False))
        for one, two in reversed(pairs):
            await _refuse_section_end(job, one)
            for anchor, next_anchor in zip(one.anchors, two.anchors, strict=False):
                await job.edit("merge_paragraphs", anchorId=anchor, secondAnchorId=next_anchor)
        job.quotes.forget()


class MoveParagraph(Command):
    """Move quoted paragraphs."""

    id: ClassVar[str] = "move_paragraph"
    label: ClassVar[str] = "Move paragraph"
    description: ClassVar[str] = (
        "Moves the paragraph that holds the quoted words, or all from there through another, after (or before) the "
        "paragraph that holds the words of `target`. Refused between different cells, headers or notes, and where "
        "one of them ends a section."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "reorder paragraphs", "put this section first", "drag a paragraph", "move up", "move down", "swap the order",
        "cut and paste a paragraph",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Second point", "target": "First point", "position": "before"}
    changes: ClassVar[frozenset[Role]] = TEXT_ROLES | COMMENT_PARTS

    quote: Quote
    through: Through = None
    target: Quote
    position: Literal["after", "before"] = "after"

    async def apply(self, job: Job) -> None:
        """Move them one by one, so that their order stays."""
        await job.quotes.in_order()
        blocks = await job.quotes.paragraphs(self.quote, self.through)
        target = await job.quotes.paragraph(self.target)
        if target in blocks:
            raise CommandRefused("the target is one of the paragraphs to move")
        if target.holder != blocks[0].holder:
            raise CommandRefused("they stand in different places, such as cells; delete here and insert there")
        before = [block.anchor for block in await job.quotes.in_order()]
        for block in blocks:
            await _refuse_section_end(job, block)
        ordered = blocks if self.position == "before" else reversed(blocks)
        if _is_there(before, blocks, target, self.position):
            raise CommandRefused("they stand there already")
        for block in ordered:
            for anchor, beside in zip(block.anchors, target.anchors, strict=False):
                await job.edit("move_block", sourceAnchorId=anchor, targetAnchorId=beside, position=self.position)
        job.quotes.forget()


class SetStyle(Command):
    """Give a quoted paragraph a style."""

    id: ClassVar[str] = "set_style"
    label: ClassVar[str] = "Set paragraph style"
    description: ClassVar[str] = (
        "Gives the paragraph that holds the quoted words a paragraph style of the document, by its id or name, "
        "such as Heading 1, or all from there through another. Refused with the styles there are when none has that "
        "name, and where they have it already."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "make this a heading", "turn into a title", "apply a style", "change the heading level", "format as heading",
        "normal text",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "style": "Heading 2"}

    quote: Quote
    style: str = Field(min_length=1, description="The id or the name of a paragraph style of the document.")
    through: Through = None

    async def apply(self, job: Job) -> None:
        """Set the style in every form of the paragraphs."""
        blocks = await job.quotes.paragraphs(self.quote, self.through)
        style = await style_id(job, self.style, "paragraph")
        await paragraphs_edited(job, blocks, "set_paragraph_style", styleId=style)


COMMANDS: Final = (
    InsertParagraph,
    InsertParagraphs,
    ReplaceParagraph,
    DeleteParagraph,
    SplitParagraph,
    MergeParagraphs,
    MoveParagraph,
    SetStyle,
)
"""In the order of the catalogue."""


async def style_id(job: Job, wanted: str, kind: Literal["paragraph", "character"]) -> str:
    """The id of the style of this id or name.

    Raises:
        CommandRefused: the document has none of that kind.
    """
    styles = [it for it in await job.document.ask("list_styles") if it["type"] == kind]
    for key in ("id", "name"):
        for style in styles:
            if style[key].casefold() == wanted.casefold():
                found: str = style["id"]
                return found
    names = ", ".join(sorted(it["name"] for it in styles))
    raise CommandRefused(f"the document has no {kind} style {wanted!r}; it has: {names}")


async def _insert(job: Job, block: Block, texts: Sequence[str], position: str, style: str | None) -> None:
    """Insert paragraphs, then style them; the style of a new paragraph is no change of its own."""
    style = None if style is None else await style_id(job, style, "paragraph")
    markdown = "\n\n".join(literal(text) for text in texts)
    for anchor in block.anchors:
        edited = await job.edit("insert_paragraph", anchorId=anchor, position=position, markdown=markdown)
        for created in edited.created if style is not None else ():
            await job.edit_directly("set_paragraph_style", anchorId=created, styleId=style)
    if block.twin is not None:
        job.quotes.forget()


async def _empty(job: Job, block: Block) -> None:
    span = block.passage.span(0, len(block.passage.text))
    for anchor in block.anchors:
        await job.edit(
            "replace_text_at_span", anchorId=anchor, spanStart=span.start, spanLength=span.length, replace=""
        )


async def _stays(job: Job, blocks: Sequence[Block]) -> bool:
    """Whether a paragraph stays in the place where these are deleted."""
    others = [it for it in await job.quotes.in_order() if it.holder == blocks[0].holder and it not in blocks]
    return any(not other.is_deleted for other in others)


async def _refuse_section_end(job: Job, block: Block) -> None:
    paragraph = await element_of(job, block.anchor)
    if paragraph.find(f"{W}pPr/{W}sectPr") is not None:
        raise CommandRefused("a section ends with the paragraph; its page setup would go with it")


def _is_there(order: Sequence[str], blocks: Sequence[Block], target: Block, position: str) -> bool:
    """Whether the paragraphs stand right beside the target already."""
    at = order.index(target.anchor)
    beside = order[at - len(blocks) : at] if position == "before" else order[at + 1 : at + 1 + len(blocks)]
    return list(beside) == [block.anchor for block in blocks]
