"""Commands on the look of words."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal

from lxml import etree
from pydantic import Field, model_validator

from lattice_wordcraft.catalogue.command import Command, Job, Quote, Within
from lattice_wordcraft.catalogue.markup import words_changed
from lattice_wordcraft.catalogue.paragraphs import style_id
from lattice_wordcraft.catalogue.properties import amend, drop, put
from lattice_wordcraft.quotes import Place
from lattice_wordcraft.xml import W

_SWITCHES: Final[Mapping[str, tuple[str, ...]]] = {
    "bold": ("b", "bCs"),
    "italic": ("i", "iCs"),
    "strike": ("strike",),
    "caps": ("caps",),
    "smallCaps": ("smallCaps",),
}
"""Properties that are on or off, by the engine's name, each with its form for right-to-left text."""

_HEX: Final = "^[0-9A-Fa-f]{6}$"


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
    color: str | None = Field(default=None, pattern=_HEX, description="Red, green and blue as six hex digits.")
    highlight: (
        Literal["yellow", "green", "cyan", "magenta", "blue", "red", "darkYellow", "lightGray", "none"] | None
    ) = None
    size: float | None = Field(default=None, ge=1, le=400, description="Points.")

    @model_validator(mode="after")
    def _names_something(self) -> "FormatText":
        if not self.model_dump(exclude={"quote", "within"}, exclude_none=True):
            raise ValueError("name at least one of bold, italic, underline, strike, color, highlight, size")
        return self

    async def apply(self, job: Job) -> None:
        """Format the words in every form of their paragraph."""
        place = await job.quotes.only(self.quote, self.within)
        styled = await _styled(job, place)
        switches = {"bold": self.bold, "italic": self.italic, "strike": self.strike}

        def change(properties: etree._Element) -> None:
            for name, value in switches.items():
                if value is not None:
                    _switch(properties, name, value=value, styled=styled)
            if self.underline is not None:
                _underline(properties, "single" if self.underline else "none", styled)
            if self.color is not None:
                put(properties, "color", val=self.color.upper())
            if self.highlight is not None:
                _put_or_drop(properties, "highlight", None if self.highlight == "none" else self.highlight)
            if self.size is not None:
                _put_size(properties, self.size)

        await words_changed(job, place, change)


class SetFont(Command):
    """Give quoted words a font."""

    id: ClassVar[str] = "set_font"
    label: ClassVar[str] = "Set font"
    description: ClassVar[str] = (
        "Gives the quoted words a font by its name, for every script, and a size in points where `size` says one. "
        "The font is not embedded: where a reader has none of that name another is shown."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "change the font", "typeface", "font family", "use Arial", "Times New Roman", "monospace font",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "font": "Georgia"}

    quote: Quote
    font: str = Field(min_length=1, max_length=31, pattern=r"^[^\x00-\x1f]+$")
    size: float | None = Field(default=None, ge=1, le=400, description="Points.")
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Set the font in every form of the paragraph."""

        def change(properties: etree._Element) -> None:
            put(properties, "rFonts", ascii=self.font, hAnsi=self.font, eastAsia=self.font, cs=self.font)
            if self.size is not None:
                _put_size(properties, self.size)

        await words_changed(job, await job.quotes.only(self.quote, self.within), change)


class SetScript(Command):
    """Raise or lower quoted words."""

    id: ClassVar[str] = "set_script"
    label: ClassVar[str] = "Superscript or subscript"
    description: ClassVar[str] = "Makes the quoted words superscript, subscript or, with baseline, neither."
    also_known_as: ClassVar[tuple[str, ...]] = (
        "superscript", "subscript", "raise a number", "exponent", "squared", "chemical formula", "index below",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "1200", "script": "superscript"}

    quote: Quote
    script: Literal["superscript", "subscript", "baseline"]
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Set it in every form of the paragraph."""
        value = None if self.script == "baseline" else self.script
        place = await job.quotes.only(self.quote, self.within)
        await words_changed(job, place, lambda properties: _put_or_drop(properties, "vertAlign", value))


class SetCapitals(Command):
    """Show quoted words in capitals."""

    id: ClassVar[str] = "set_capitals"
    label: ClassVar[str] = "Small capitals or capitals"
    description: ClassVar[str] = (
        "Shows the quoted words in small capitals, in capitals or, with none, as they are written. The letters stay "
        "as they are; to write others, take change_case."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("small caps", "all caps look", "show as capitals", "remove small caps")
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "capitals": "small"}

    quote: Quote
    capitals: Literal["small", "all", "none"]
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Set it in every form of the paragraph."""
        place = await job.quotes.only(self.quote, self.within)
        styled = await _styled(job, place)

        def change(properties: etree._Element) -> None:
            _switch(properties, "smallCaps", value=self.capitals == "small", styled=styled)
            _switch(properties, "caps", value=self.capitals == "all", styled=styled)

        await words_changed(job, place, change)


class UnderlineText(Command):
    """Underline quoted words in some way."""

    id: ClassVar[str] = "underline_text"
    label: ClassVar[str] = "Underline text"
    description: ClassVar[str] = (
        "Underlines the quoted words with a single, double, thick, dotted, dashed or wavy line, words only, or with "
        "none; a color is of the line alone."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "double underline", "wavy underline", "dotted line under words", "underline color", "remove underline",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "in Berlin", "style": "double"}

    quote: Quote
    style: Literal["single", "words", "double", "thick", "dotted", "dash", "wave", "none"]
    color: str | None = Field(default=None, pattern=_HEX, description="Red, green and blue as six hex digits.")
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Underline in every form of the paragraph."""
        place = await job.quotes.only(self.quote, self.within)
        styled = await _styled(job, place)

        def change(properties: etree._Element) -> None:
            _underline(properties, self.style, styled)
            if self.color is not None and self.style != "none":
                amend(properties, "u", color=self.color.upper())

        await words_changed(job, place, change)


class SetCharacterStyle(Command):
    """Give quoted words a character style."""

    id: ClassVar[str] = "set_character_style"
    label: ClassVar[str] = "Set character style"
    description: ClassVar[str] = (
        "Gives the quoted words a character style of the document, by its id or name, such as Strong. Refused with "
        "the styles there are when none has that name."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "apply a character style", "style these words", "emphasis style", "strong style", "style words as code",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "in Berlin", "style": "Strong"}

    quote: Quote
    style: str = Field(min_length=1, description="The id or the name of a character style of the document.")
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Set the style in every form of the paragraph."""
        place = await job.quotes.only(self.quote, self.within)
        style = await style_id(job, self.style, "character")
        await words_changed(job, place, lambda properties: _put_or_drop(properties, "rStyle", style))


class ClearFormatting(Command):
    """Take all direct formatting from quoted words."""

    id: ClassVar[str] = "clear_formatting"
    label: ClassVar[str] = "Clear formatting"
    description: ClassVar[str] = (
        "Takes every direct character formatting and character style from the quoted words, so that they look as "
        "their paragraph's style says; the language of the words stays. Refused where there is none."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "remove formatting", "reset the look", "plain text", "strip the formatting", "undo all formatting",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "on Monday"}

    quote: Quote
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Clear it in every form of the paragraph."""
        kept = {W + name for name in ("ins", "del", "moveFrom", "moveTo", "rPrChange", "lang", "rtl", "cs", "noProof")}

        def change(properties: etree._Element) -> None:
            for element in list(properties):
                if element.tag not in kept:
                    properties.remove(element)

        await words_changed(job, await job.quotes.only(self.quote, self.within), change)


COMMANDS: Final = (FormatText, SetFont, SetScript, SetCapitals, UnderlineText, SetCharacterStyle, ClearFormatting)
"""In the order of the catalogue."""


async def _styled(job: Job, place: Place) -> Mapping[str, Any]:
    """What the style of the place's paragraph says of its words."""
    block = await job.document.ask("get_block_metadata", anchorId=place.block.anchor)
    for style in await job.document.ask("list_styles"):
        is_of_block = style["id"] == block.get("styleId") if block.get("styleId") else style["isDefault"]
        if style["type"] == "paragraph" and is_of_block:
            return style.get("resolvedRun") or {}
    return {}


def _switch(properties: etree._Element, name: str, *, value: bool, styled: Mapping[str, Any]) -> None:
    """Turn a property on or off; what the style turns on is turned off by saying so."""
    there = properties.find(W + _SWITCHES[name][0])
    if value and there is not None and there.get(f"{W}val", "1") not in ("0", "false", "off"):
        return
    for tag in _SWITCHES[name]:
        drop(properties, tag)
        if value:
            put(properties, tag)
        elif styled.get(name):
            put(properties, tag, val=0)


def _underline(properties: etree._Element, style: str, styled: Mapping[str, Any]) -> None:
    _put_or_drop(properties, "u", None if style == "none" and not styled.get("underline") else style)


def _put_or_drop(properties: etree._Element, name: str, value: str | None) -> None:
    if value is None:
        drop(properties, name)
    else:
        put(properties, name, val=value)


def _put_size(properties: etree._Element, points: float) -> None:
    """Set the size, which documents write in half points, for every script."""
    for tag in ("sz", "szCs"):
        put(properties, tag, val=round(points * 2))
