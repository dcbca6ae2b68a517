"""Finding the sections that a command means."""

from lattice_wordcraft.catalogue.command import Job
from lattice_wordcraft.ports import Answer
from lattice_wordcraft.refusals import CommandRefused


async def sections_of(job: Job, quote: str | None) -> list[str]:
    """The anchors of the section that holds a quote, or of every section without one; in document order.

    Raises:
        CommandRefused: the quote is missing or ambiguous, or stands outside the body.
    """
    sections = await _all(job)
    if not sections:
        # A document may say nothing of its pages. What is said now is what Word takes where nothing is said.
        body = next(it for it in await job.quotes.in_order() if it.is_of_body)
        letter = {"pageWidthTwips": 12240, "pageHeightTwips": 15840}
        await job.edit_directly("set_page_setup", anchorId=body.anchor, op=letter)
        sections = await _all(job)
    if quote is None:
        return sections
    block = await job.quotes.paragraph(quote)
    if not block.is_of_body:
        raise CommandRefused("a header, footer or note is of no section of its own; quote words of the body")
    return [f"sec:body:{(await section_info(job, block.anchor))['sectionUnid']}"]


async def section_info(job: Job, anchor: str) -> Answer:
    """What the engine says of the section of a block of the body: its sizes, margins, headers and footers."""
    return await job.document.ask("get_section_info", anchorId=anchor)


async def _all(job: Job) -> list[str]:
    projection = await job.document.ask("project")
    return [anchor for anchor in projection["anchorIndex"] if anchor.startswith("sec:")]
