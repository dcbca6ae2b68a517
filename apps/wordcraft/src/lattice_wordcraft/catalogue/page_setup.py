"""Commands on pages: their size, orientation, margins and columns."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from lxml import etree
from pydantic import Field, model_validator

from lattice_wordcraft.catalogue.command import Command, Job, twips
from lattice_wordcraft.catalogue.markup import sections_changed
from lattice_wordcraft.catalogue.properties import amend, put
from lattice_wordcraft.catalogue.sections import sections_of
from lattice_wordcraft.package import Role
from lattice_wordcraft.refusals import CommandRefused
from lattice_wordcraft.xml import W

SectionQuote = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=2_000,
        description="Words of the body; the section that holds them is meant. Every section where unset.",
    ),
]

_POINTS_PER_MILLIMETER: Final = 72 / 25.4
_LARGEST: Final = 558.0
"""Millimeters: the longest page that Word takes is 22 inches."""

_LEAST_ROOM: Final = 720
"""Twips that the margins must leave between them: half an inch."""

_SIZES: Final[Mapping[str, tuple[int, int]]] = {
    "A3": (16838, 23811),
    "A4": (11906, 16838),
    "A5": (8391, 11906),
    "B5": (9979, 14175),
    "Letter": (12240, 15840),
    "Legal": (12240, 20160),
    "Tabloid": (15840, 24480),
}
"""Width and height of an upright page, in twips."""

Millimeters = Annotated[float | None, Field(ge=0, le=_LARGEST, description="Millimeters.")]


class SetPageSize(Command):
    """Set the size of the pages."""

    id: ClassVar[str] = "set_page_size"
    label: ClassVar[str] = "Page size"
    description: ClassVar[str] = (
        "Sets the paper size by its name, or by width and height in millimeters, of the section that holds the quoted "
        "words or of every section. With a name, pages that lie across still do. Refused where the margins would "
        "leave no room."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("paper size", "A4", "letter paper", "page format", "page dimensions")
    example: ClassVar[dict[str, Any]] = {"size": "A4"}
    changes: ClassVar[frozenset[Role]] = frozenset({Role.MAIN})

    size: Literal["A3", "A4", "A5", "B5", "Letter", "Legal", "Tabloid"] | None = None
    width: float | None = Field(default=None, ge=25, le=_LARGEST, description="Millimeters.")
    height: float | None = Field(default=None, ge=25, le=_LARGEST, description="Millimeters.")
    quote: SectionQuote = None

    @model_validator(mode="after")
    def _names_one(self) -> "SetPageSize":
        if (self.width is None) != (self.height is None) or (self.size is None) == (self.width is None):
            raise ValueError("name either size, or width and height")
        return self

    async def apply(self, job: Job) -> None:
        """Set it in the sections."""
        await sections_changed(job, await sections_of(job, self.quote), self._change)

    def _change(self, section: etree._Element) -> None:
        if self.width is not None and self.height is not None:
            width, height = (twips(it * _POINTS_PER_MILLIMETER) for it in (self.width, self.height))
            orient = "landscape" if width > height else None
        else:
            width, height = _SIZES[self.size or "A4"]
            orient = "landscape" if _lies_across(section) else None
            if orient:
                width, height = height, width
        amend(section, "pgSz", w=width, h=height, orient=orient, code=None)
        _check_room(section)


class SetOrientation(Command):
    """Turn the pages."""

    id: ClassVar[str] = "set_orientation"
    label: ClassVar[str] = "Page orientation"
    description: ClassVar[str] = (
        "Turns the pages of the section that holds the quoted words, or of every section, to portrait or landscape; "
        "width and height change places, the margins stay at their edges."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("landscape", "portrait", "turn the page sideways", "rotate the page")
    example: ClassVar[dict[str, Any]] = {"orientation": "landscape"}
    changes: ClassVar[frozenset[Role]] = frozenset({Role.MAIN})

    orientation: Literal["portrait", "landscape"]
    quote: SectionQuote = None

    async def apply(self, job: Job) -> None:
        """Turn the sections."""
        await sections_changed(job, await sections_of(job, self.quote), self._change)

    def _change(self, section: etree._Element) -> None:
        across = self.orientation == "landscape"
        if _lies_across(section) != across:
            width, height = _size(section)
            amend(section, "pgSz", w=height, h=width, orient="landscape" if across else None)
            _check_room(section)


class SetMargins(Command):
    """Set the margins of the pages."""

    id: ClassVar[str] = "set_margins"
    label: ClassVar[str] = "Page margins"
    description: ClassVar[str] = (
        "Sets the margins, in millimeters, of the section that holds the quoted words or of every section, and how "
        "far headers and footers stand from the edge. What is not named stays. Refused where no room would be left."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "wider margins", "narrow margins", "space at the edge of the page", "header distance", "binding gutter",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"top": 25, "left": 20, "right": 20}
    changes: ClassVar[frozenset[Role]] = frozenset({Role.MAIN})

    top: Millimeters = None
    bottom: Millimeters = None
    left: Millimeters = None
    right: Millimeters = None
    header: Millimeters = None
    footer: Millimeters = None
    gutter: Millimeters = None
    quote: SectionQuote = None

    @model_validator(mode="after")
    def _names_something(self) -> "SetMargins":
        if not self._named():
            raise ValueError("name at least one margin")
        return self

    async def apply(self, job: Job) -> None:
        """Set them in the sections."""
        await sections_changed(job, await sections_of(job, self.quote), self._change)

    def _change(self, section: etree._Element) -> None:
        if section.find(f"{W}pgMar") is None:
            # The schema wants all of them; these are what Word takes where there are none.
            put(section, "pgMar", top=1440, right=1440, bottom=1440, left=1440, header=720, footer=720, gutter=0)
        amend(section, "pgMar", **self._named())
        _check_room(section)

    def _named(self) -> dict[str, int]:
        named = self.model_dump(exclude={"quote"}, exclude_none=True)
        return {name: twips(value * _POINTS_PER_MILLIMETER) for name, value in named.items()}


class SetColumns(Command):
    """Set the columns of the text."""

    id: ClassVar[str] = "set_columns"
    label: ClassVar[str] = "Text columns"
    description: ClassVar[str] = (
        "Sets the text of the section that holds the quoted words, or of every section, in so many columns of one "
        "width, with a space between in millimeters and a line where `line` says so."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "two columns", "newspaper layout", "one column", "split the page in columns", "line between columns",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"count": 2}
    changes: ClassVar[frozenset[Role]] = frozenset({Role.MAIN})

    count: int = Field(ge=1, le=12)
    space: float = Field(default=12.7, ge=0, le=200, description="Millimeters.")
    line: bool = False
    quote: SectionQuote = None

    async def apply(self, job: Job) -> None:
        """Set them in the sections."""
        await sections_changed(job, await sections_of(job, self.quote), self._change)

    def _change(self, section: etree._Element) -> None:
        columns = section.find(f"{W}cols")
        if self.count == 1 and (columns is None or columns.get(f"{W}num", "1") == "1"):
            return
        more = {"sep": 1} if self.line else {}
        put(section, "cols", num=self.count, space=twips(self.space * _POINTS_PER_MILLIMETER), **more)


COMMANDS: Final = (SetPageSize, SetOrientation, SetMargins, SetColumns)
"""In the order of the catalogue."""


def _size(section: etree._Element) -> tuple[int, int]:
    size, (width, height) = section.find(f"{W}pgSz"), _SIZES["Letter"]  # what Word takes where none is said
    return _length(size, "w", width), _length(size, "h", height)


def _length(element: etree._Element | None, name: str, otherwise: int) -> int:
    """A length of a property in twips; some programs write fractions."""
    written = None if element is None else element.get(W + name)
    try:
        return otherwise if written is None else round(float(written))
    except ValueError as error:
        raise CommandRefused(f"the document's own page setup has no readable length: {name}={written!r}") from error


def _lies_across(section: etree._Element) -> bool:
    width, height = _size(section)
    return width > height


def _check_room(section: etree._Element) -> None:
    """Refuse pages whose margins leave no room for text."""
    width, height = _size(section)
    margins = section.find(f"{W}pgMar")
    across = sum(_length(margins, *it) for it in (("left", 1440), ("right", 1440), ("gutter", 0)))
    # A margin below zero lets the text run into the header: the amount is what counts.
    down = sum(abs(_length(margins, *it)) for it in (("top", 1440), ("bottom", 1440)))
    if width - across < _LEAST_ROOM or height - down < _LEAST_ROOM:
        raise CommandRefused("the margins would leave no room on the page")
