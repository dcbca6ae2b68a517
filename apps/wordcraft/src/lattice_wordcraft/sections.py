"""Finding the sections that a command means."""

from lattice_wordcraft.ports import Answer, Document
from lattice_wordcraft.quotes import Quotes
from lattice_wordcraft.refusals import CommandRefused


async def sections_of(document: Document, quotes: Quotes, quote: str | None) -> list[str]:
    """The anchors of the section that holds a quote, or of every section without one; in document order.

    Raises:
        CommandRefused: the quote is missing or ambiguous, or stands outside the body.
    """
    if quote is None:
        projection = await document.ask("project")
        return [anchor for anchor in projection["anchorIndex"] if anchor.startswith("sec:")]
    block = await quotes.paragraph(quote)
    if not block.is_of_body:
        raise CommandRefused("a header, footer or note is of no section of its own; quote words of the body")
    return [f"sec:body:{(await section_info(document, block.anchor))['sectionUnid']}"]


async def section_info(document: Document, anchor: str) -> Answer:
    """What the engine says of the section of a block of the body: its sizes, margins, headers and footers."""
    return await document.ask("get_section_info", anchorId=anchor)
