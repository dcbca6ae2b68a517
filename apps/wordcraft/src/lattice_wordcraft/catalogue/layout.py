"""Commands on the look of paragraphs."""

from abc import abstractmethod
from typing import Any, ClassVar, Final, Literal

from lxml import etree
from pydantic import Field, model_validator

from lattice_wordcraft.catalogue.command import Command, Job, Quote, Through, twips
from lattice_wordcraft.catalogue.markup import paragraphs_changed
from lattice_wordcraft.catalogue.properties import amend, drop, put

_MOST_POINTS: Final = 1584
"""The longest indent or space that Word takes: 22 inches."""

_HEX: Final = "^[0-9A-Fa-f]{6}$"
_SINGLE: Final = 240
"""A single line as documents write it."""


class LayoutCommand(Command):
    """A command that sets some properties of paragraphs and leaves the others."""

    quote: Quote
    through: Through = None

    async def apply(self, job: Job) -> None:
        """Set the properties in every form of the paragraphs."""
        await paragraphs_changed(job, await job.quotes.paragraphs(self.quote, self.through), self._change)

    @model_validator(mode="after")
    def _names_something(self) -> "LayoutCommand":
        if not self.model_dump(exclude={"quote", "through"}, exclude_none=True):
            raise ValueError("name at least one property")
        return self

    @abstractmethod
    def _change(self, properties: etree._Element) -> None:
        """Set the properties in a `w:pPr`."""


class AlignParagraph(LayoutCommand):
    """Align quoted paragraphs."""

    id: ClassVar[str] = "align_paragraph"
    label: ClassVar[str] = "Align paragraph"
    description: ClassVar[str] = (
        "Aligns the paragraph that holds the quoted words, or all from there through another, left, centered, right "
        "or justified."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "center this", "right-align", "justify text", "left align", "centre the heading", "alignment",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "alignment": "center"}

    alignment: Literal["left", "center", "right", "justify"]

    def _change(self, properties: etree._Element) -> None:
        put(properties, "jc", val="both" if self.alignment == "justify" else self.alignment)


class IndentParagraph(LayoutCommand):
    """Indent quoted paragraphs."""

    id: ClassVar[str] = "indent_paragraph"
    label: ClassVar[str] = "Indent paragraph"
    description: ClassVar[str] = (
        "Indents the paragraph that holds the quoted words, or all from there through another, in points from the "
        "margins. `first_line` is further in than the other lines, below zero further out (hanging). What is not "
        "named stays."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "increase indent", "decrease indent", "hanging indent", "first line indent", "block quote", "move text right",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "left": 36, "first_line": -18}

    left: float | None = Field(default=None, ge=-_MOST_POINTS, le=_MOST_POINTS, description="Points.")
    right: float | None = Field(default=None, ge=-_MOST_POINTS, le=_MOST_POINTS, description="Points.")
    first_line: float | None = Field(default=None, ge=-_MOST_POINTS, le=_MOST_POINTS, description="Points.")

    def _change(self, properties: etree._Element) -> None:
        if self.left is not None:
            amend(properties, "ind", left=twips(self.left), start=None, leftChars=None, startChars=None)
        if self.right is not None:
            amend(properties, "ind", right=twips(self.right), end=None, rightChars=None, endChars=None)
        if self.first_line is not None:
            first, hanging = (None, twips(-self.first_line)) if self.first_line < 0 else (twips(self.first_line), None)
            amend(properties, "ind", firstLine=first, hanging=hanging, firstLineChars=None, hangingChars=None)


class SpaceParagraph(LayoutCommand):
    """Set the space around quoted paragraphs."""

    id: ClassVar[str] = "space_paragraph"
    label: ClassVar[str] = "Space before and after"
    description: ClassVar[str] = (
        "Sets the space before and after the paragraph that holds the quoted words, or all from there through "
        "another, in points. What is not named stays."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "space between paragraphs", "paragraph spacing", "gap above", "gap below", "remove the space after",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "before": 12, "after": 0}

    before: float | None = Field(default=None, ge=0, le=_MOST_POINTS, description="Points.")
    after: float | None = Field(default=None, ge=0, le=_MOST_POINTS, description="Points.")

    def _change(self, properties: etree._Element) -> None:
        if self.before is not None:
            amend(properties, "spacing", before=twips(self.before), beforeLines=None, beforeAutospacing=None)
        if self.after is not None:
            amend(properties, "spacing", after=twips(self.after), afterLines=None, afterAutospacing=None)


class SetLineSpacing(LayoutCommand):
    """Set the spacing of the lines of quoted paragraphs."""

    id: ClassVar[str] = "set_line_spacing"
    label: ClassVar[str] = "Line spacing"
    description: ClassVar[str] = (
        "Sets the line spacing of the paragraph that holds the quoted words, or of all from there through another: "
        "as a multiple of a single line, or exactly or at least so many points. Name one of the three."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "double spacing", "single spaced", "one and a half lines", "line height", "space between lines",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "multiple": 1.5}

    multiple: float | None = Field(default=None, ge=0.5, le=20)
    exactly: float | None = Field(default=None, ge=1, le=_MOST_POINTS, description="Points.")
    at_least: float | None = Field(default=None, ge=1, le=_MOST_POINTS, description="Points.")

    @model_validator(mode="after")
    def _names_one(self) -> "SetLineSpacing":
        if sum(it is not None for it in (self.multiple, self.exactly, self.at_least)) != 1:
            raise ValueError("name one of multiple, exactly, at_least")
        return self

    def _change(self, properties: etree._Element) -> None:
        if self.multiple is not None:
            amend(properties, "spacing", line=round(self.multiple * _SINGLE), lineRule="auto")
        if self.exactly is not None:
            amend(properties, "spacing", line=twips(self.exactly), lineRule="exact")
        if self.at_least is not None:
            amend(properties, "spacing", line=twips(self.at_least), lineRule="atLeast")


class KeepParagraph(LayoutCommand):
    """Say where quoted paragraphs may break over pages."""

    id: ClassVar[str] = "keep_paragraph"
    label: ClassVar[str] = "Page breaks of a paragraph"
    description: ClassVar[str] = (
        "Keeps the paragraph that holds the quoted words, or all from there through another, on one page with the "
        "next, or its lines on one page, or begins it on a new page, or avoids single lines (widow_control); false "
        "takes that away. What is not named stays."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "keep with next", "keep lines together", "page break before", "start on a new page", "widows and orphans",
        "do not split over pages",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "with_next": True, "new_page": True}

    with_next: bool | None = None
    lines: bool | None = None
    new_page: bool | None = None
    widow_control: bool | None = None

    def _change(self, properties: etree._Element) -> None:
        switches = {
            "keepNext": self.with_next,
            "keepLines": self.lines,
            "pageBreakBefore": self.new_page,
            "widowControl": self.widow_control,
        }
        for name, value in switches.items():
            if value is not None:
                # Off is said, since the style may turn it on.
                put(properties, name, **({} if value else {"val": 0}))


class BorderParagraph(LayoutCommand):
    """Draw borders around quoted paragraphs."""

    id: ClassVar[str] = "border_paragraph"
    label: ClassVar[str] = "Paragraph borders"
    description: ClassVar[str] = (
        "Draws lines at the named edges of the paragraph that holds the quoted words, or of all from there through "
        "another, and takes away those at other edges; the style none takes all away."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "box around text", "frame a paragraph", "line below the heading", "border", "remove the border",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "edges": ["top", "bottom"]}

    edges: list[Literal["top", "left", "bottom", "right"]] = Field(
        default=["top", "left", "bottom", "right"], min_length=1, max_length=4
    )
    style: Literal["single", "double", "dotted", "dashed", "thick", "none"] = "single"
    width: float = Field(default=0.5, ge=0.25, le=6, description="Points.")
    color: str | None = Field(default=None, pattern=_HEX, description="Red, green and blue as six hex digits.")

    def _change(self, properties: etree._Element) -> None:
        drop(properties, "pBdr")
        if self.style == "none":
            return
        borders = put(properties, "pBdr")
        for edge in ("top", "left", "bottom", "right"):
            if edge in self.edges:
                color = self.color.upper() if self.color else "auto"
                put(borders, edge, val=self.style, sz=round(self.width * 8), space=1, color=color)


class ShadeParagraph(LayoutCommand):
    """Color the ground of quoted paragraphs."""

    id: ClassVar[str] = "shade_paragraph"
    label: ClassVar[str] = "Paragraph shading"
    description: ClassVar[str] = (
        "Colors the ground behind the paragraph that holds the quoted words, or behind all from there through "
        "another; with none it is clear again."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "background color", "shading", "gray box", "fill color of a paragraph", "remove the background",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "color": "F2F2F2"}

    color: str = Field(pattern="^([0-9A-Fa-f]{6}|none)$", description="Six hex digits, or none.")

    def _change(self, properties: etree._Element) -> None:
        if self.color == "none":
            drop(properties, "shd")
        else:
            put(properties, "shd", val="clear", color="auto", fill=self.color.upper())


COMMANDS: Final = (
    AlignParagraph,
    IndentParagraph,
    SpaceParagraph,
    SetLineSpacing,
    KeepParagraph,
    BorderParagraph,
    ShadeParagraph,
)
"""In the order of the catalogue."""
