"""What a command is: arguments with a schema, words to find it by, and what it does to a document."""

import re
from abc import abstractmethod
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from lattice_wordcraft.package import TEXT_ROLES, Role
from lattice_wordcraft.ports import Document, Edited
from lattice_wordcraft.quotes import Quotes
from lattice_wordcraft.refusals import CommandRefused

_NOT_IN_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKDOWN: Final = re.compile(r"([!-/:-@\[-`{-~])")

COMMENT_PARTS: Final = frozenset({Role.MAIN, Role.COMMENTS, Role.STYLES, Role.MAIN_RELATIONSHIPS, Role.CONTENT_TYPES})
"""What a command on comments may change: the first comment brings its part and its styles."""

WITH_COMMENTS: Final = TEXT_ROLES | {Role.COMMENTS}
"""What a command may change that takes words away: comments go with the words around them."""


EVERYWHERE: Final = 63
"""Where the engine lists things: body, headers, footers, notes and comments."""


def _one_line(text: str) -> str:
    if re.search(r"[\t\n\r\v\f]", text):
        raise ValueError("takes no tab and no line break; one paragraph a command")
    return _writable(text)


def _writable(text: str) -> str:
    if _NOT_IN_XML.search(text):
        raise ValueError("has a character that a document cannot hold")
    return text


Line = Annotated[str, Field(max_length=20_000), AfterValidator(_one_line)]
"""Text without tabs and line breaks."""

Lines = Annotated[str, Field(min_length=1, max_length=20_000), AfterValidator(_writable)]
"""Text of one line or more."""

Quote = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2_000,
        description="Words of the document as it reads now, within one paragraph; they must occur exactly once.",
    ),
]
Within = Annotated[
    str | None,
    Field(
        max_length=4_000,
        description="A longer passage that occurs exactly once; for a quote that is unique only within it.",
    ),
]

Through = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=2_000,
        description="Words of the last paragraph, where several in a row are meant; nothing but paragraphs between.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Job:
    """One batch at work on one open document, in the name and at the time of its author."""

    document: Document
    quotes: Quotes
    author: str
    time: str
    """As a document writes it: UTC to the second, RFC 3339."""
    tracked: bool
    renamed: dict[str, str] = field(default_factory=dict)
    """The ids of changes as the review lists them, and those that the batch gave them instead."""

    async def edit(self, operation: str, **arguments: object) -> Edited:
        """Carry out an operation of the engine and keep the quotes up with it."""
        edited = await self.document.edit(operation, **arguments)
        await self.quotes.keep_up(edited)
        return edited

    async def edit_directly(self, operation: str, **arguments: object) -> Edited:
        """Carry out an operation that has no tracked form; no change is recorded of it."""
        await self.document.track(tracked=False)
        edited = await self.edit(operation, **arguments)
        await self.document.track(tracked=self.tracked)
        return edited

    @property
    def initials(self) -> str:
        """The author's initials, as Word shows them beside a comment."""
        return "".join(word[0] for word in self.author.split())[:3].upper()


class Command(BaseModel):
    """The arguments of one command; each subclass is a command of the catalogue."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: ClassVar[str]
    label: ClassVar[str]
    description: ClassVar[str]
    also_known_as: ClassVar[tuple[str, ...]]
    """What people say when they mean it; for finding only."""
    example: ClassVar[dict[str, Any]]
    changes: ClassVar[frozenset[Role]] = TEXT_ROLES
    """The parts that it may change; of all others the original bytes stay."""

    @abstractmethod
    async def apply(self, job: Job) -> None:
        """Make the change.

        Raises:
            CommandRefused: it cannot be made, and why.
        """


def written_time(time: datetime) -> str:
    """A time as documents write it."""
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"


def twips(points: float) -> int:
    """A length in points as documents write it: in twentieths."""
    return round(points * 20)


def literal(text: str) -> str:
    """Plain text for an operation that reads Markdown: every mark is escaped, each line is a paragraph."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise CommandRefused("the text is empty")
    return "\n\n".join(_MARKDOWN.sub(r"\\\1", line) for line in lines)
