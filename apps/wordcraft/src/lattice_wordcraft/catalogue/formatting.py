"""Commands on the look of words."""

from typing import Any, ClassVar, Final, Literal

from pydantic import Field, model_validator

from lattice_wordcraft.catalogue.command import Command, Job, Quote, Within


class FormatText(Command):
    """Change the character formatting of quoted words."""

    id: ClassVar[str] = "format_text"
    label: ClassVar[str] = "Format text"
    description: ClassVar[str] = (
        "Makes the quoted words bold, italic, underlined or struck through (or takes that away with false), or gives "
        "them a color, a highlight or a size in points. What is not named stays as it is."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "make this bold", "italicize", "italics", "underline", "strike through", "highlight in yellow",
        "change the font color", "font size", "bigger text", "emphasize words", "remove bold",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "in Berlin", "bold": True}

    quote: Quote
    within: Within = None
    bold: bool | None = None
    italic: bool | None = None
    underline: bool | None = None
    strike: bool | None = None
    color: str | None = Field(
        default=None, pattern="^[0-9A-Fa-f]{6}$", description="Red, green and blue as six hex digits."
    )
    highlight: (
        Literal["yellow", "green", "cyan", "magenta", "blue", "red", "darkYellow", "lightGray", "none"] | None
    ) = None
    size: float | None = Field(default=None, ge=1, le=400, description="Points.")

    @model_validator(mode="after")
    def _names_something(self) -> "FormatText":
        if not self._format():
            raise ValueError("name at least one of bold, italic, underline, strike, color, highlight, size")
        return self

    async def apply(self, job: Job) -> None:
        """Format the words in every form of their paragraph."""
        place = await job.quotes.only(self.quote, self.within)
        span = {"start": place.span.start, "length": place.span.length}
        for anchor in place.block.anchors:
            await job.edit("apply_format", anchorId=anchor, span=span, format=self._format())

    def _format(self) -> dict[str, Any]:
        named = self.model_dump(exclude={"quote", "within"}, exclude_none=True)
        return {("fontSizePts" if name == "size" else name): value for name, value in named.items()}


COMMANDS: Final = (FormatText,)
"""In the order of the catalogue."""
