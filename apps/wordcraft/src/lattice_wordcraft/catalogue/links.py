"""Commands on links; documents have no tracked change for a link, so all are made directly."""

from typing import Annotated, Any, ClassVar, Final

from pydantic import Field, model_validator

from lattice_wordcraft.blocks import Block
from lattice_wordcraft.catalogue.command import EVERYWHERE, Command, Job, Quote, Within
from lattice_wordcraft.package import RELATIONSHIP_ROLES, TEXT_ROLES, Role
from lattice_wordcraft.quotes import Place, clipped
from lattice_wordcraft.refusals import CommandRefused

Address = Annotated[
    str | None,
    Field(
        max_length=2_000,
        # Nothing that runs, and no file of the reader's machine.
        pattern=r"^(https?://[^\s<>\"]+|mailto:[^\s<>\"]+@[^\s<>\"]+)$",
        description="A web address, or mailto: and a mail address.",
    ),
]
Bookmark = Annotated[
    str | None, Field(min_length=1, max_length=40, description="A bookmark of the document to link to.")
]


class _Target(Command):
    address: Address = None
    bookmark: Bookmark = None

    @model_validator(mode="after")
    def _names_one(self) -> "_Target":
        if (self.address is None) == (self.bookmark is None):
            raise ValueError("name either an address or a bookmark")
        return self

    def target(self) -> dict[str, Any]:
        """The target as the engine takes it."""
        return {"kind": "internal" if self.address is None else "external", "target": self.address or self.bookmark}


class AddLink(_Target):
    """Link quoted words."""

    id: ClassVar[str] = "add_link"
    label: ClassVar[str] = "Add link"
    description: ClassVar[str] = (
        "Makes the quoted words a link to a web or mail address, or to a bookmark of the document. Refused where they "
        "are linked already. Made directly, also by agents."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "make a hyperlink", "link this word to a website", "insert url", "web address", "jump to another section",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "in Berlin", "address": "https://www.example.org/berlin"}
    changes: ClassVar[frozenset[Role]] = TEXT_ROLES | RELATIONSHIP_ROLES

    quote: Quote
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Link them."""
        place = await job.quotes.only(self.quote, self.within)
        if await _links_at(job, place):
            raise CommandRefused(f"{clipped(self.quote)} is linked already; change its link instead")
        span = place.span
        await job.edit_directly(
            "add_hyperlink",
            anchorId=place.block.anchor,
            startOffset=span.start,
            length=span.length,
            **self.target(),
        )


class ChangeLink(_Target):
    """Let a link lead elsewhere."""

    id: ClassVar[str] = "change_link"
    label: ClassVar[str] = "Change link"
    description: ClassVar[str] = (
        "Lets the link at the quoted words lead to another address or bookmark. Refused when there is none, or more "
        "than one. Made directly, also by agents."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "fix a broken link", "update the url", "the link leads to the wrong page", "edit hyperlink",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Acme pays", "address": "https://www.example.org/acme"}
    changes: ClassVar[frozenset[Role]] = TEXT_ROLES | RELATIONSHIP_ROLES

    quote: Quote
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Change its target."""
        link = await _link_at(job, await job.quotes.only(self.quote, self.within))
        await job.edit_directly("update_hyperlink", hyperlinkId=link, **self.target())


class RemoveLink(Command):
    """Make a link plain words again."""

    id: ClassVar[str] = "remove_link"
    label: ClassVar[str] = "Remove link"
    description: ClassVar[str] = (
        "Takes the link at the quoted words away; the words stay. Refused when there is none, or more than one. Made "
        "directly, also by agents."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "unlink", "delete hyperlink", "only text instead of a link", "the link should go",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Acme pays"}
    changes: ClassVar[frozenset[Role]] = TEXT_ROLES | RELATIONSHIP_ROLES

    quote: Quote
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Take it away."""
        link = await _link_at(job, await job.quotes.only(self.quote, self.within))
        await job.edit_directly("remove_hyperlink", hyperlinkId=link)


COMMANDS: Final = (AddLink, ChangeLink, RemoveLink)
"""In the order of the catalogue."""


async def is_in_link(job: Job, block: Block, offset: int) -> bool:
    """Whether the engine's offset is within a link of a paragraph, and not at its edge."""
    return any(start < offset < end for _, start, end in await _links(job, block))


async def _links_at(job: Job, place: Place) -> list[str]:
    """The engine's ids of the links that share a character with a place."""
    first, last = place.span.start, place.span.start + place.span.length
    return [link for link, start, end in await _links(job, place.block) if start < last and first < end]


async def _links(job: Job, block: Block) -> list[tuple[str, int, int]]:
    """The links of a paragraph: the engine's id, and from which of its offsets to before which."""
    return [
        (link["id"], link["span"]["start"], link["span"]["start"] + link["span"]["length"])
        for link in await job.document.ask("list_hyperlinks", scope=EVERYWHERE)
        if link["anchorId"] == block.anchor
    ]


async def _link_at(job: Job, place: Place) -> str:
    links = await _links_at(job, place)
    if len(links) != 1:
        raise CommandRefused(f"there are {len(links)} links at {clipped(place.text)}; quote words of just one")
    return links[0]
