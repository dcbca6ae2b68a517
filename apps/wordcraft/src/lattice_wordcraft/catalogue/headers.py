"""Commands on headers, footers and page numbers."""

from typing import Annotated, Any, ClassVar, Final, Literal

from lxml import etree
from pydantic import Field, model_validator

from lattice_wordcraft.catalogue.command import Command, Job, Lines, literal
from lattice_wordcraft.catalogue.markup import element_of, sections_changed
from lattice_wordcraft.catalogue.page_setup import SectionQuote
from lattice_wordcraft.catalogue.properties import amend, drop, put
from lattice_wordcraft.catalogue.sections import section_info, sections_of
from lattice_wordcraft.package import Role
from lattice_wordcraft.passages import passage
from lattice_wordcraft.ports import Answer
from lattice_wordcraft.refusals import CommandRefused
from lattice_wordcraft.xml import W

Pages = Annotated[
    Literal["default", "first", "even"],
    Field(description="The pages that show it: all that have no other, the first of the section, or even ones."),
]

_STORIES: Final = frozenset(
    {Role.MAIN, Role.HEADER, Role.FOOTER, Role.SETTINGS, Role.MAIN_RELATIONSHIPS, Role.CONTENT_TYPES}
)
"""What a header may change: a new one brings its part, one for even pages the setting that shows it."""

_PER_STORY: Final = (
    "Without a quote it is that of the first section, which later ones show too, and of each later one that has its "
    "own; with a quote, of the section that holds the words. For even pages, that odd and even ones differ is switched "
    "on directly, also by agents, since it has no tracked form."
)


class SetHeader(Command):
    """Set the text of the header."""

    id: ClassVar[str] = "set_header"
    label: ClassVar[str] = "Set header"
    description: ClassVar[str] = f"Replaces the whole header by plain text; each line is a paragraph. {_PER_STORY}"
    also_known_as: ClassVar[tuple[str, ...]] = (
        "page header", "text at the top of every page", "add a header", "running head", "header of the first page",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"text": "Launch plan, draft"}
    changes: ClassVar[frozenset[Role]] = _STORIES

    text: Lines
    pages: Pages = "default"
    quote: SectionQuote = None

    async def apply(self, job: Job) -> None:
        """Set it in the sections."""
        await _set_story(job, "header", self.pages, self.text, self.quote)


class SetFooter(Command):
    """Set the text of the footer."""

    id: ClassVar[str] = "set_footer"
    label: ClassVar[str] = "Set footer"
    description: ClassVar[str] = f"Replaces the whole footer by plain text; each line is a paragraph. {_PER_STORY}"
    also_known_as: ClassVar[tuple[str, ...]] = (
        "page footer", "text at the bottom of every page", "add a footer", "footer of the first page",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"text": "Confidential", "pages": "first"}
    changes: ClassVar[frozenset[Role]] = _STORIES

    text: Lines
    pages: Pages = "default"
    quote: SectionQuote = None

    async def apply(self, job: Job) -> None:
        """Set it in the sections."""
        await _set_story(job, "footer", self.pages, self.text, self.quote)


class SetDifferentFirstPage(Command):
    """Say whether first pages have headers and footers of their own."""

    id: ClassVar[str] = "set_different_first_page"
    label: ClassVar[str] = "Different first page"
    description: ClassVar[str] = (
        "Switches headers and footers of their own on or off for the first page of the section that holds the quoted "
        "words, or of every section. Their text stays when they are off. Refused where it is so already."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "no header on the first page", "title page", "first page header", "cover page without footer",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"different": True}
    changes: ClassVar[frozenset[Role]] = frozenset({Role.MAIN})

    different: bool
    quote: SectionQuote = None

    async def apply(self, job: Job) -> None:
        """Switch it in the sections."""

        def change(section: etree._Element) -> None:
            if self.different:
                put(section, "titlePg")
            else:
                drop(section, "titlePg")

        await sections_changed(job, await sections_of(job, self.quote), change)


class SetDifferentOddAndEven(Command):
    """Say whether odd and even pages have headers and footers of their own."""

    id: ClassVar[str] = "set_different_odd_and_even"
    label: ClassVar[str] = "Different odd and even pages"
    description: ClassVar[str] = (
        "Switches headers and footers of their own for even pages on or off, in the whole document. It is a setting "
        "that has no tracked form: made directly, also by agents. Refused where it is so already."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("odd and even headers", "mirrored headers", "left and right pages")
    example: ClassVar[dict[str, Any]] = {"different": True}
    changes: ClassVar[frozenset[Role]] = frozenset({Role.SETTINGS})

    different: bool

    async def apply(self, job: Job) -> None:
        """Switch it."""
        section, *_ = await sections_of(job, None)
        if bool((await section_info(job, section)).get("evenAndOddHeaders")) == self.different:
            raise CommandRefused("it is so already")
        await job.edit_directly("set_header_footer_kind_enabled", anchorId=section, kind="even", enabled=self.different)


class AddPageNumber(Command):
    """Add the page number to a header or footer."""

    id: ClassVar[str] = "add_page_number"
    label: ClassVar[str] = "Add page number"
    description: ClassVar[str] = (
        "Adds a field with the page number at the end of the footer (or header), which is made where there is none: "
        f"the number alone, or as Page X of Y. {_PER_STORY}"
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "page numbers", "number the pages", "page x of y", "insert page number", "number at the bottom of the page",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"place": "footer", "form": "page_of_total"}
    changes: ClassVar[frozenset[Role]] = _STORIES

    place: Literal["header", "footer"] = "footer"
    form: Literal["number", "page_of_total"] = "number"
    pages: Pages = "default"
    quote: SectionQuote = None

    async def apply(self, job: Job) -> None:
        """Add it in the sections."""
        field = "currentPage" if self.form == "number" else "pageOfTotal"
        for section in await _with_story(job, self.place, self.pages, self.quote):
            await _show(job, section, self.pages)
            paragraphs = await _paragraphs(job, section, self.place, self.pages)
            if not paragraphs:
                edited = await job.edit(f"set_{self.place}_text", bodyAnchorId=section, kind=self.pages, markdown="")
                paragraphs = [*edited.created, *edited.modified]
            await job.edit("insert_page_number_field", anchorId=paragraphs[-1], field=field)


class SetPageNumbering(Command):
    """Say how pages are numbered."""

    id: ClassVar[str] = "set_page_numbering"
    label: ClassVar[str] = "Page numbering"
    description: ClassVar[str] = (
        "Sets the number at which the pages of the section that holds the quoted words, or of every section, begin, "
        "and the form of their numbers; `restart` false lets them go on from the section before. What is not named "
        "stays. It shows only where a header or footer has a page number."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "start page numbers at", "roman page numbers", "format page numbers", "restart page numbering", "first page is",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"start": 3, "format": "lowerRoman"}
    changes: ClassVar[frozenset[Role]] = frozenset({Role.MAIN})

    start: int | None = Field(default=None, ge=0, le=32_767)
    restart: Literal[False] | None = Field(default=None, description="False: go on from the section before.")
    format: Literal["decimal", "lowerRoman", "upperRoman", "lowerLetter", "upperLetter"] | None = None
    quote: SectionQuote = None

    @model_validator(mode="after")
    def _names_something(self) -> "SetPageNumbering":
        if self.start is None and self.restart is None and self.format is None:
            raise ValueError("name at least one of start, restart, format")
        if self.start is not None and self.restart is not None:
            raise ValueError("name start, or restart, not both")
        return self

    async def apply(self, job: Job) -> None:
        """Set it in the sections."""

        def change(section: etree._Element) -> None:
            if self.start is not None or (self.restart is False and section.find(f"{W}pgNumType") is not None):
                amend(section, "pgNumType", start=self.start)
            if self.format is not None:
                amend(section, "pgNumType", fmt=self.format)

        await sections_changed(job, await sections_of(job, self.quote), change)


COMMANDS: Final = (SetHeader, SetFooter, SetDifferentFirstPage, SetDifferentOddAndEven, AddPageNumber, SetPageNumbering)
"""In the order of the catalogue."""


async def _set_story(job: Job, place: str, pages: str, text: str, quote: str | None) -> None:
    changed = False
    for section in await _with_story(job, place, pages, quote):
        there = [await element_of(job, it) for it in await _paragraphs(job, section, place, pages)]
        if [passage(it).text for it in there] == [line for line in text.splitlines() if line.strip()]:
            continue
        changed = True
        await _show(job, section, pages)
        await job.edit(f"set_{place}_text", bodyAnchorId=section, kind=pages, markdown=literal(text))
    if not changed:
        raise CommandRefused(f"the {place} reads so already")


async def _with_story(job: Job, place: str, pages: str, quote: str | None) -> list[str]:
    """The section of a quote; without one the first section, and the others that have a story of their own."""
    sections = await sections_of(job, quote)
    later = [it for it in sections[1:] if _story(await section_info(job, it), place, pages)]
    return [*sections[:1], *later]


def _story(info: Answer, place: str, pages: str) -> str | None:
    """The part that holds a section's own header or footer."""
    for reference in info.get(f"{place}Refs") or ():
        if reference["kind"] == pages and not reference.get("inherited"):
            part: str = reference["partUri"]
            return part
    return None


async def _show(job: Job, section: str, pages: str) -> None:
    """Let first pages or even ones differ; the latter has no tracked form, and the engine wants it on before."""
    info = await section_info(job, section)
    if pages == "first" and not info.get("titlePage"):
        await sections_changed(job, [section], _set_apart)
    if pages == "even" and not info.get("evenAndOddHeaders"):
        await job.edit_directly("set_header_footer_kind_enabled", anchorId=section, kind="even", enabled=True)


def _set_apart(section: etree._Element) -> None:
    put(section, "titlePg")


async def _paragraphs(job: Job, section: str, place: str, pages: str) -> list[str]:
    """The paragraphs of a section's own header or footer; none where it has none."""
    part = _story(await section_info(job, section), place, pages)
    index = (await job.document.ask("project"))["anchorIndex"]
    return [it for it, block in index.items() if block["partUri"] == part and block["kind"] in ("p", "h", "li")]
