"""Commands on breaks: of pages, of sections, and rules across the page."""

from copy import deepcopy
from typing import Any, ClassVar, Final, Literal

from lxml import etree

from lattice_wordcraft.blocks import Block
from lattice_wordcraft.catalogue.command import Command, Job, Quote
from lattice_wordcraft.catalogue.markup import element_of, revision, sections_changed
from lattice_wordcraft.catalogue.properties import as_copies, drop, put
from lattice_wordcraft.catalogue.sections import sections_of
from lattice_wordcraft.package import Role
from lattice_wordcraft.refusals import CommandRefused
from lattice_wordcraft.xml import W

Position = Literal["after", "before"]


class InsertPageBreak(Command):
    """Insert a page break beside a quoted paragraph."""

    id: ClassVar[str] = "insert_page_break"
    label: ClassVar[str] = "Insert page break"
    description: ClassVar[str] = (
        "Inserts a page break, in a paragraph of its own, before (or after) the paragraph that holds the quoted words. "
        "Refused in cells, headers, notes and text boxes. For a heading that always begins a page, take keep_paragraph."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "page break", "new page", "start the next page", "force a page break", "next page",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "position": "before"}
    changes: ClassVar[frozenset[Role]] = frozenset({Role.MAIN})

    quote: Quote
    position: Position = "before"

    async def apply(self, job: Job) -> None:
        """Insert it."""
        block = await _paragraph_of_body(job, self.quote)
        run = etree.Element(f"{W}r")
        etree.SubElement(run, f"{W}br", {f"{W}type": "page"})
        await _insert(job, block, self.position, etree.Element(f"{W}pPr"), run)


class InsertSectionBreak(Command):
    """Begin a new section beside a quoted paragraph."""

    id: ClassVar[str] = "insert_section_break"
    label: ClassVar[str] = "Insert section break"
    description: ClassVar[str] = (
        "Ends the section before (or after) the paragraph that holds the quoted words and begins another: on the next "
        "page, the next even or odd page, or on the same page (continuous). Both have the page setup, headers and "
        "footers of the one before. Refused in cells, headers, notes and text boxes."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "section break", "new section", "different page setup from here", "continuous section break",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "kind": "nextPage"}
    changes: ClassVar[frozenset[Role]] = frozenset({Role.MAIN})

    quote: Quote
    kind: Literal["nextPage", "continuous", "evenPage", "oddPage"] = "nextPage"
    position: Position = "before"

    async def apply(self, job: Job) -> None:
        """End a section with a copy of its properties; the one that follows says how it begins."""
        block = await _paragraph_of_body(job, self.quote)
        (section,) = await sections_of(job, self.quote)
        ending = deepcopy(await element_of(job, section))
        as_copies(ending.iter())
        drop(ending, "sectPrChange")
        properties = etree.Element(f"{W}pPr")
        properties.append(ending)
        begins = await element_of(job, section)
        kind = begins.find(f"{W}type")
        if ("nextPage" if kind is None else kind.get(f"{W}val", "nextPage")) != self.kind:
            await sections_changed(job, [section], lambda it: _begin(it, self.kind))
        await _insert(job, block, self.position, properties, None)


class InsertHorizontalRule(Command):
    """Draw a line across the page beside a quoted paragraph."""

    id: ClassVar[str] = "insert_horizontal_rule"
    label: ClassVar[str] = "Insert horizontal rule"
    description: ClassVar[str] = (
        "Inserts an empty paragraph with a line below it, from margin to margin, before (or after) the paragraph that "
        "holds the quoted words; in cells, headers and notes, too."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("horizontal line", "divider", "separator line", "rule across the page")
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "position": "after"}

    quote: Quote
    position: Position = "before"

    async def apply(self, job: Job) -> None:
        """Draw it in every form of the paragraph."""
        block = await job.quotes.paragraph(self.quote)
        for anchor in block.anchors:
            await job.edit("insert_horizontal_rule", anchorId=anchor, position=self.position)
        if block.twin is not None:
            job.quotes.forget()


COMMANDS: Final = (InsertPageBreak, InsertSectionBreak, InsertHorizontalRule)
"""In the order of the catalogue."""


def _begin(section: etree._Element, kind: str) -> None:
    put(section, "type", val=kind)


async def _paragraph_of_body(job: Job, quote: str) -> Block:
    """The paragraph of a quote, which stands in the body itself.

    Raises:
        CommandRefused: it is in a cell, a header, a note or a text box, where no page ends.
    """
    await job.quotes.in_order()
    block = await job.quotes.paragraph(quote)
    if not block.is_on_page:
        raise CommandRefused("a page or a section ends only between paragraphs of the body itself")
    return block


async def _insert(
    job: Job, block: Block, position: Position, properties: etree._Element, run: etree._Element | None
) -> None:
    """Insert a paragraph of these properties with this run, as an insertion where the job is tracked."""
    paragraph = etree.Element(f"{W}p", nsmap={"w": W[1:-1]})
    paragraph.append(properties)
    content = run
    if job.tracked:
        mark = etree.Element(f"{W}rPr")
        etree.SubElement(mark, f"{W}ins", revision(job))
        section = properties.find(f"{W}sectPr")
        if section is None:
            properties.append(mark)
        else:
            section.addprevious(mark)
        if run is not None:
            content = etree.Element(f"{W}ins", revision(job))
            content.append(run)
    if content is not None:
        paragraph.append(content)
    if not len(properties):
        paragraph.remove(properties)
    source = etree.tostring(paragraph, encoding="unicode")
    await job.edit("raw_insert_xml", anchorId=block.anchor, position=position, xml=source)
    job.quotes.forget()
