"""Commands on bookmarks and on references to them; bookmarks have no tracked change."""

from typing import Annotated, Any, ClassVar, Final, Literal

from lxml import etree
from pydantic import Field

from lattice_wordcraft.catalogue.command import EVERYWHERE, Command, Job, Quote, Within
from lattice_wordcraft.catalogue.links import is_in_link
from lattice_wordcraft.catalogue.markup import element_of, put_back
from lattice_wordcraft.catalogue.properties import new_id
from lattice_wordcraft.catalogue.ranges import enclose
from lattice_wordcraft.refusals import CommandRefused
from lattice_wordcraft.xml import W

NewName = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z][A-Za-z0-9_]*$",
        max_length=40,
        description="Letters, digits and underscores, beginning with a letter.",
    ),
]
Name = Annotated[str, Field(min_length=1, max_length=40, description="The name of a bookmark of the document.")]


class AddBookmark(Command):
    """Name quoted words."""

    id: ClassVar[str] = "add_bookmark"
    label: ClassVar[str] = "Add bookmark"
    description: ClassVar[str] = (
        "Gives the quoted words a bookmark, to which links and references can lead. Refused when the name is taken. "
        "Made directly, also by agents."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "mark a place", "name a passage to refer to it", "set an anchor", "target for a link",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "in Berlin", "name": "Venue"}

    quote: Quote
    name: NewName
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Set it."""
        if self.name.casefold() in map(str.casefold, await _names(job)):
            raise CommandRefused(f"there is a bookmark {self.name!r} already")
        place = await job.quotes.only(self.quote, self.within)
        paragraph = await element_of(job, place.block.anchor)
        opening = etree.Element(f"{W}bookmarkStart", {f"{W}id": new_id(), f"{W}name": self.name})
        closing = etree.Element(f"{W}bookmarkEnd", {f"{W}id": opening.get(f"{W}id", "")})
        if not enclose(paragraph, place.start, place.end, opening, closing):
            raise CommandRefused("an equation or ruby text takes no bookmark; quote words beside it")
        await put_back(job, place.block.anchor, paragraph)


class RenameBookmark(Command):
    """Rename a bookmark."""

    id: ClassVar[str] = "rename_bookmark"
    label: ClassVar[str] = "Rename bookmark"
    description: ClassVar[str] = (
        "Gives a bookmark another name. Refused with the names there are when none has this one. Made directly, also "
        "by agents."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("another name for the bookmark", "change a bookmark's name")
    example: ClassVar[dict[str, Any]] = {"name": "Payer", "new_name": "Sponsor"}

    name: Name
    new_name: NewName

    async def apply(self, job: Job) -> None:
        """Rename it."""
        names = await _known(job, self.name)
        if self.new_name.casefold() in map(str.casefold, names):
            raise CommandRefused(f"there is a bookmark {self.new_name!r} already")
        await job.edit_directly("rename_bookmark", name=self.name, newName=self.new_name)
        job.quotes.forget()


class RemoveBookmark(Command):
    """Remove a bookmark."""

    id: ClassVar[str] = "remove_bookmark"
    label: ClassVar[str] = "Remove bookmark"
    description: ClassVar[str] = (
        "Removes a bookmark; the words it stands at stay, and references to it lead nowhere. Refused with the names "
        "there are when none has this one. Made directly, also by agents."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("delete a bookmark", "take away an anchor", "drop the bookmark")
    example: ClassVar[dict[str, Any]] = {"name": "Payer"}

    name: Name

    async def apply(self, job: Job) -> None:
        """Remove it."""
        await _known(job, self.name)
        await job.edit_directly("remove_bookmark", name=self.name)
        job.quotes.forget()


class AddCrossReference(Command):
    """Refer to a bookmark."""

    id: ClassVar[str] = "add_cross_reference"
    label: ClassVar[str] = "Add cross reference"
    description: ClassVar[str] = (
        "Inserts a reference to a bookmark before or after the quoted words: its words, the number of its paragraph, "
        "or whether it stands above or below. Programs that write documents bring it up to date."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "refer to a heading", "see section", "reference to a heading", "cross-reference", "see above",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "bookmark": "Payer"}

    quote: Quote
    bookmark: Name
    shows: Literal["words", "number", "position"] = "words"
    place: Literal["after", "before"] = "after"
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Insert it."""
        await _known(job, self.bookmark)
        place = await job.quotes.only(self.quote, self.within)
        offset = place.span.start + (place.span.length if self.place == "after" else 0)
        if await is_in_link(job, place.block, offset):
            raise CommandRefused("a reference within a link would part it; quote its first or last words")
        for anchor in place.block.anchors:
            await job.edit(
                "insert_cross_reference",
                anchorId=anchor,
                characterOffset=offset,
                bookmarkName=self.bookmark,
                options={
                    "hyperlink": True,
                    "referenceNumber": self.shows == "number",
                    "includePosition": self.shows == "position",
                },
            )


COMMANDS: Final = (AddBookmark, RenameBookmark, RemoveBookmark, AddCrossReference)
"""In the order of the catalogue."""


async def _names(job: Job) -> list[str]:
    return [it["name"] for it in await job.document.ask("list_bookmarks", scope=EVERYWHERE)]


async def _known(job: Job, name: str) -> list[str]:
    """The names of all bookmarks; refused where this is none of them."""
    names = await _names(job)
    if name not in names:
        raise CommandRefused(f"there is no bookmark {name!r}; there are: {', '.join(sorted(names)) or 'none'}")
    return names
