"""Commands on images. An image's bytes come with the command; nothing is ever fetched."""

import base64
import binascii
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, Field, model_validator

from lattice_wordcraft.catalogue.command import EVERYWHERE, Command, Job, Quote, Within
from lattice_wordcraft.package import RELATIONSHIP_ROLES, TEXT_ROLES, Role
from lattice_wordcraft.refusals import CommandRefused

_LONGEST: Final = 4 * 2**20 * 4 // 3 + 4
"""Characters of an image of 4 MiB in base64."""

_CANDIDATES: Final = 5

_SIGNATURES: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")

_WITH_MEDIA: Final = TEXT_ROLES | RELATIONSHIP_ROLES | {Role.MEDIA, Role.CONTENT_TYPES}


def _image(encoded: str) -> str:
    try:
        content = base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise ValueError("is not base64") from error
    if not content.startswith(_SIGNATURES):
        raise ValueError("is neither a PNG nor a JPEG nor a GIF image")
    return encoded


Image = Annotated[
    str,
    Field(
        max_length=_LONGEST,
        description="The bytes of a PNG, JPEG or GIF image, at most 4 MiB, as base64; never an address.",
    ),
    AfterValidator(_image),
]
ImageNumber = Annotated[
    int | None,
    Field(ge=1, le=10_000, description="Which image of the document, from 1, where the others do not tell it."),
]
AltText = Annotated[str, Field(max_length=1_000, description="What the image shows, for who cannot see it.")]
Points = Annotated[float | None, Field(ge=1, le=1584, description="Points.")]

_PIXEL: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"  # one red pixel
)


class InsertImage(Command):
    """Insert an image beside quoted words."""

    id: ClassVar[str] = "insert_image"
    label: ClassVar[str] = "Insert image"
    description: ClassVar[str] = (
        "Inserts an image into the line, after (or before) the quoted words. With one side given the other keeps its "
        "proportion; with none the image has its own size. Its bytes come with the command; none is fetched."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "add a picture", "place a logo", "place a photo", "insert a figure", "graphic", "screenshot",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {
        "quote": "Closing words", "image": _PIXEL, "alt_text": "A red square", "width": 36,
    }  # fmt: skip
    changes: ClassVar[frozenset[Role]] = _WITH_MEDIA

    quote: Quote
    image: Image
    alt_text: AltText
    place: Literal["after", "before"] = "after"
    width: Points = None
    height: Points = None
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Insert it."""
        place = await job.quotes.only(self.quote, self.within)
        options: dict[str, Any] = {"placement": "inline", "altText": self.alt_text, **_size(self.width, self.height)}
        await job.edit(
            "insert_image",
            anchorId=place.block.anchor,
            characterOffset=place.span.start + (place.span.length if self.place == "after" else 0),
            imageBase64=self.image,
            options=options,
        )


class _OneImage(Command):
    """A command on an image there is: the one in the quoted paragraph, or with this description, or of this number."""

    quote: Quote | None = Field(default=None, description="Words of the paragraph that the image stands in.")
    described_as: str | None = Field(
        default=None, min_length=1, max_length=1_000, description="The image's description (alternative text)."
    )
    number: ImageNumber = None

    async def image_id(self, job: Job, operation: str) -> str:
        """The engine's id of the one image that is meant; refused with those there are, or where it cannot be done."""
        images = list(enumerate(await job.document.ask("list_images", scope=EVERYWHERE), start=1))
        meant = images
        if self.quote is not None:
            anchors = (await job.quotes.paragraph(self.quote)).anchors
            meant = [it for it in meant if it[1]["anchorId"] in anchors]
        if self.described_as is not None:
            meant = [it for it in meant if (it[1].get("altText") or "") == self.described_as]
        if self.number is not None:
            meant = [it for it in meant if it[0] == self.number]
        if len(meant) != 1:
            some = (meant or images)[:_CANDIDATES]
            listed = "; ".join(f"{number} {it.get('altText') or 'without a description'}" for number, it in some)
            raise CommandRefused(f"{len(meant)} images are meant, of {len(images)} in the document: {listed or 'none'}")
        image = meant[0][1]
        support = next((it for it in image.get("operations", ()) if it["operation"] == operation), None)
        if support is not None and not support["canMutate"]:
            raise CommandRefused(f"the image cannot be changed so: {support.get('reason') or 'no reason given'}")
        found: str = image["id"]
        return found


class ReplaceImage(_OneImage):
    """Show another image in the same place and size."""

    id: ClassVar[str] = "replace_image"
    label: ClassVar[str] = "Replace image"
    description: ClassVar[str] = (
        "Puts another image in the place of one there is, in the same size and with the same description. The image "
        "is named by words of its paragraph, its description or its number; refused when that is not just one."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "swap the picture", "new version of the logo", "update the photo", "exchange a figure",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"described_as": "A blue bar", "image": _PIXEL}
    changes: ClassVar[frozenset[Role]] = _WITH_MEDIA

    image: Image

    async def apply(self, job: Job) -> None:
        """Replace it."""
        await job.edit("replace_image", imageId=await self.image_id(job, "replace"), imageBase64=self.image)


class ResizeImage(_OneImage):
    """Change an image's size."""

    id: ClassVar[str] = "resize_image"
    label: ClassVar[str] = "Resize image"
    description: ClassVar[str] = (
        "Shows an image wider or narrower, higher or lower; with one side given the other keeps its proportion. The "
        "image is named by words of its paragraph, its description or its number; refused when that is not just one."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "picture is too large", "make the photo smaller", "enlarge the figure", "scale the logo",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"described_as": "A blue bar", "width": 120}

    width: Points = None
    height: Points = None

    @model_validator(mode="after")
    def _names_a_side(self) -> "ResizeImage":
        if self.width is None and self.height is None:
            raise ValueError("name a width or a height")
        return self

    async def apply(self, job: Job) -> None:
        """Resize it."""
        image = await self.image_id(job, "set_dimensions")
        await job.edit("set_image_dimensions", imageId=image, dimensions=_size(self.width, self.height))


class SetAltText(_OneImage):
    """Describe an image."""

    id: ClassVar[str] = "set_alt_text"
    label: ClassVar[str] = "Set alternative text"
    description: ClassVar[str] = (
        "Describes an image for who cannot see it. The image is named by words of its paragraph, its present "
        "description or its number; refused when that is not just one."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "describe a picture", "alt text", "accessibility of pictures", "image description",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"described_as": "A blue bar", "alt_text": "The logo: a blue bar"}

    alt_text: AltText

    async def apply(self, job: Job) -> None:
        """Describe it."""
        image = await self.image_id(job, "set_metadata")
        await job.edit("set_image_metadata", imageId=image, altText=self.alt_text, title=None)


class RemoveImage(_OneImage):
    """Remove an image."""

    id: ClassVar[str] = "remove_image"
    label: ClassVar[str] = "Remove image"
    description: ClassVar[str] = (
        "Removes an image from the text. The image is named by words of its paragraph, its description or its number; "
        "refused when that is not just one."
    )
    also_known_as: ClassVar[tuple[str, ...]] = ("delete the picture", "take out the logo", "drop a photo")
    example: ClassVar[dict[str, Any]] = {"number": 1}
    changes: ClassVar[frozenset[Role]] = _WITH_MEDIA

    async def apply(self, job: Job) -> None:
        """Remove it."""
        await job.edit("remove_image", imageId=await self.image_id(job, "remove"))


COMMANDS: Final = (InsertImage, ReplaceImage, ResizeImage, SetAltText, RemoveImage)
"""In the order of the catalogue."""


def _size(width: float | None, height: float | None) -> dict[str, Any]:
    """The sides that are named; the engine works out the other one."""
    named = {"widthPoints": width, "heightPoints": height}
    return {"preserveAspect": width is None or height is None} | {
        side: points for side, points in named.items() if points is not None
    }
