"""Commands on whole paragraphs."""

from typing import Any, ClassVar, Final, Literal

from pydantic import Field

from lattice_wordcraft.catalogue.command import Command, Job, Line, Quote, literal
from lattice_wordcraft.refusals import CommandRefused


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
        """Insert the paragraph, then style it; the style of a new paragraph is no change of its own."""
        block = await job.quotes.paragraph(self.quote)
        style = None if self.style is None else await _style_id(job, self.style)
        for anchor in block.anchors:
            edited = await job.edit(
                "insert_paragraph", anchorId=anchor, position=self.position, markdown=literal(self.text)
            )
            if style is not None:
                await job.document.track(tracked=False)
                for created in edited.created:
                    await job.edit("set_paragraph_style", anchorId=created, styleId=style)
                await job.document.track(tracked=job.tracked)


class DeleteParagraph(Command):
    """Delete a quoted paragraph."""

    id: ClassVar[str] = "delete_paragraph"
    label: ClassVar[str] = "Delete paragraph"
    description: ClassVar[str] = (
        "Deletes the whole paragraph that holds the quoted words. Of the only paragraph of a table cell the words go "
        "and the paragraph stays, since a cell needs one."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "remove a paragraph", "drop a line", "delete a bullet point", "take out a clause", "remove a heading",
        "delete this section's paragraph",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Second point"}

    quote: Quote

    async def apply(self, job: Job) -> None:
        """Delete the paragraph in every form of it."""
        block = await job.quotes.paragraph(self.quote)
        for anchor in block.anchors:
            if block.fills_cell:
                span = block.passage.span(0, len(block.passage.text))
                await job.edit(
                    "replace_text_at_span", anchorId=anchor, spanStart=span.start, spanLength=span.length, replace=""
                )
            else:
                await job.edit("delete_block", anchorId=anchor)


class SetStyle(Command):
    """Give a quoted paragraph a style."""

    id: ClassVar[str] = "set_style"
    label: ClassVar[str] = "Set paragraph style"
    description: ClassVar[str] = (
        "Gives the paragraph that holds the quoted words a paragraph style of the document, by its id or name, "
        "such as Heading 1. Refused with the styles there are when none has that name."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "make this a heading", "turn into a title", "apply a style", "change the heading level", "format as heading",
        "make it a list bullet", "normal text",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "style": "Heading 2"}

    quote: Quote
    style: str = Field(min_length=1, description="The id or the name of a paragraph style of the document.")

    async def apply(self, job: Job) -> None:
        """Set the style in every form of the paragraph."""
        block = await job.quotes.paragraph(self.quote)
        style = await _style_id(job, self.style)
        for anchor in block.anchors:
            await job.edit("set_paragraph_style", anchorId=anchor, styleId=style)


class AlignParagraph(Command):
    """Align a quoted paragraph."""

    id: ClassVar[str] = "align_paragraph"
    label: ClassVar[str] = "Align paragraph"
    description: ClassVar[str] = "Aligns the paragraph that holds the quoted words left, centered, right or justified."
    also_known_as: ClassVar[tuple[str, ...]] = (
        "center this", "right-align", "justify text", "left align", "centre the heading", "alignment",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "alignment": "center"}

    quote: Quote
    alignment: Literal["left", "center", "right", "justify"]

    async def apply(self, job: Job) -> None:
        """Align the paragraph in every form of it."""
        block = await job.quotes.paragraph(self.quote)
        for anchor in block.anchors:
            await job.edit("set_paragraph_format", anchorId=anchor, paragraphFormat={"alignment": self.alignment})


COMMANDS: Final = (InsertParagraph, DeleteParagraph, SetStyle, AlignParagraph)
"""In the order of the catalogue."""


async def _style_id(job: Job, wanted: str) -> str:
    """The id of the paragraph style of this id or name."""
    styles = [it for it in await job.document.ask("list_styles") if it["type"] == "paragraph"]
    for key in ("id", "name"):
        for style in styles:
            if style[key].casefold() == wanted.casefold():
                found: str = style["id"]
                return found
    names = ", ".join(sorted(it["name"] for it in styles))
    raise CommandRefused(f"the document has no paragraph style {wanted!r}; it has: {names}")
