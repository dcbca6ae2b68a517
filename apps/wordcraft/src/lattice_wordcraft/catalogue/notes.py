"""Commands on footnotes and endnotes."""

from typing import Any, ClassVar, Final

from lxml import etree
from pydantic import Field

from lattice_wordcraft.blocks import ENGINE_ID, Block, block_id
from lattice_wordcraft.catalogue.command import Command, Job, Line, Lines, Quote, Within, literal
from lattice_wordcraft.catalogue.markup import cut, element_of, put_back, revision
from lattice_wordcraft.catalogue.runs import alone
from lattice_wordcraft.catalogue.text import rewrite
from lattice_wordcraft.package import Role
from lattice_wordcraft.refusals import CommandRefused
from lattice_wordcraft.xml import W

_NOTES: Final = frozenset(
    {
        Role.MAIN,
        Role.FOOTNOTES,
        Role.ENDNOTES,
        Role.STYLES,
        Role.SETTINGS,
        Role.MAIN_RELATIONSHIPS,
        Role.CONTENT_TYPES,
    }
)
"""What a note may change: the first one brings its part, its styles and the setting of its separators."""

_DESCRIPTION: Final = (
    "Adds {} whose mark stands right after the quoted words of the body, which must occur exactly once. "
    "Refused in headers, footers and notes. The part and the styles that the first note needs are made directly."
)


class _AddNote(Command):
    operation: ClassVar[str]
    """The engine's operation that makes a note of the kind."""

    example: ClassVar[dict[str, Any]] = {"quote": "in Berlin", "text": "At the trade fair."}
    changes: ClassVar[frozenset[Role]] = _NOTES

    quote: Quote
    text: Lines
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Add it at the one place of the quote."""
        place = await job.quotes.only(self.quote, self.within)
        if not place.block.is_of_body:
            raise CommandRefused("headers, footers and notes have no notes of their own; quote words of the body")
        if place.block.is_in_text_box:
            raise CommandRefused("a text box has no notes; quote words beside it")
        await cut(job, place.block, place.end)
        offset = place.block.passage.span(place.end, place.end).start
        await job.edit(self.operation, anchorId=place.block.anchor, characterOffset=offset, markdown=literal(self.text))
        # The engine names the note among what it made, which is no paragraph to be read again alone.
        job.quotes.forget()


class AddFootnote(_AddNote):
    """Add a footnote at quoted words."""

    id: ClassVar[str] = "add_footnote"
    label: ClassVar[str] = "Add footnote"
    description: ClassVar[str] = _DESCRIPTION.format("a footnote")
    also_known_as: ClassVar[tuple[str, ...]] = (
        "footnote", "cite a source", "note at the bottom of the page", "insert a reference mark", "annotation below",
    )  # fmt: skip
    operation: ClassVar[str] = "insert_footnote"


class AddEndnote(_AddNote):
    """Add an endnote at quoted words."""

    id: ClassVar[str] = "add_endnote"
    label: ClassVar[str] = "Add endnote"
    description: ClassVar[str] = _DESCRIPTION.format("an endnote")
    also_known_as: ClassVar[tuple[str, ...]] = ("endnote", "note at the end of the document", "reference at the end")
    operation: ClassVar[str] = "insert_endnote"


class EditNote(Command):
    """Give a footnote or endnote other words."""

    id: ClassVar[str] = "edit_note"
    label: ClassVar[str] = "Edit note"
    description: ClassVar[str] = (
        "Replaces the words of the paragraph of a footnote or endnote that holds the quoted words; only those that "
        "differ are changed. Refused where the words are in no note."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("change a footnote", "correct an endnote", "reword a note")
    example: ClassVar[dict[str, Any]] = {"quote": "Prices of May", "text": "Prices of June."}
    changes: ClassVar[frozenset[Role]] = frozenset({Role.FOOTNOTES, Role.ENDNOTES})

    quote: Quote
    text: Line = Field(min_length=1)

    async def apply(self, job: Job) -> None:
        """Replace what differs, and leave the space after the note's mark."""
        block = await _note_paragraph(job, self.quote)
        text = block.passage.text
        await rewrite(job, block, text[: len(text) - len(text.lstrip())] + self.text.strip())


class DeleteNote(Command):
    """Delete a footnote or endnote."""

    id: ClassVar[str] = "delete_note"
    label: ClassVar[str] = "Delete note"
    description: ClassVar[str] = (
        "Deletes the footnote or endnote that holds the quoted words, with its mark in the text; tracked, both stay "
        "until the change is accepted. Refused where the words are in no note."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("remove a footnote", "remove an endnote", "take out the note")
    example: ClassVar[dict[str, Any]] = {"quote": "Prices of May"}
    changes: ClassVar[frozenset[Role]] = frozenset({Role.MAIN, Role.FOOTNOTES, Role.ENDNOTES})

    quote: Quote

    async def apply(self, job: Job) -> None:
        """Delete the note, or mark its reference and its words as deleted."""
        block = await _note_paragraph(job, self.quote)
        kind = "endnote" if block.scope == "en" else "footnote"
        note = await _note_of(job, block, endnotes=kind == "endnote")
        if not job.tracked:
            await job.edit("delete_block", anchorId=note["defAnchorId"])
            job.quotes.forget()
            return
        # Tracked the engine deletes a note without a trace. A deleted reference is what Word records, and takes the
        # note along once it is accepted; its words are deleted, too, so that the final view has none of them.
        definition = await element_of(job, note["defAnchorId"])
        parts = {it.get(ENGINE_ID) for it in definition.iter(f"{W}p")}
        for part in await job.quotes.in_order():
            if block_id(part.anchor) in parts:
                span = part.passage.span(0, len(part.passage.text))
                await job.edit(
                    "replace_text_at_span",
                    anchorId=part.anchor,
                    spanStart=span.start,
                    spanLength=span.length,
                    replace="",
                )
        await _delete_reference(job, kind, note["id"])


COMMANDS: Final = (AddFootnote, AddEndnote, EditNote, DeleteNote)
"""In the order of the catalogue."""


async def _note_paragraph(job: Job, quote: str) -> Block:
    block = await job.quotes.paragraph(quote)
    if block.scope not in ("fn", "en"):
        raise CommandRefused("the words are in no footnote or endnote")
    return block


async def _note_of(job: Job, block: Block, *, endnotes: bool) -> dict[str, str]:
    """The note that a paragraph is of, as the engine lists it."""
    for note in await job.document.ask("list_notes", endnotes=endnotes):
        definition = await element_of(job, note["defAnchorId"])
        if any(it.get(ENGINE_ID) == block_id(block.anchor) for it in definition.iter(f"{W}p")):
            found: dict[str, str] = note
            return found
    raise CommandRefused("nothing in the text refers to the note any more")


async def _delete_reference(job: Job, kind: str, note: str) -> None:
    """Mark the reference to a note as deleted."""
    for block in await job.quotes.in_order():
        if (kind, note) not in block.notes:
            continue
        paragraph = await element_of(job, block.anchor)
        for reference in list(paragraph.iter(f"{W}{kind}Reference")):
            whole = reference.getparent()
            if whole is not None and reference.get(f"{W}id") == note:
                run = alone(whole, reference)
                deletion = etree.Element(f"{W}del", revision(job))
                run.addprevious(deletion)
                deletion.append(run)
        await put_back(job, block.anchor, paragraph)
