"""What the client of native files answers: plain values, read from the contract's messages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal, Self

from lattice.files.v1 import native_files_service_pb2 as native_pb

ReviewType = Literal["comment", "tracked_change", "external_target"]

_REVIEW_TYPES: Final[Mapping[int, ReviewType]] = {
    native_pb.REVIEW_ITEM_TYPE_COMMENT: "comment",
    native_pb.REVIEW_ITEM_TYPE_TRACKED_CHANGE: "tracked_change",
    native_pb.REVIEW_ITEM_TYPE_EXTERNAL_TARGET: "external_target",
}


@dataclass(frozen=True, kw_only=True)
class App:
    """An app of native files as it stands in one workspace."""

    integration: str
    enabled: bool
    kinds: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class CheckOut:
    """A person's right to write a native file until `until`; the token proves it at check-in."""

    artifact_id: str
    token: int
    base_version: int
    until: datetime

    @classmethod
    def of(cls, artifact_id: str, message: native_pb.CheckOut) -> Self:
        """Read from the contract's message."""
        return cls(
            artifact_id=artifact_id,
            token=message.token,
            base_version=message.base_version,
            until=message.expire_time.ToDatetime(UTC),
        )


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command of a file's app; `arguments` is the JSON text of an object."""

    id: str
    arguments: str = "{}"


@dataclass(frozen=True, kw_only=True)
class FoundCommand:
    """A command as the app's catalogue describes it; schema and example are JSON text."""

    id: str
    label: str
    description: str
    arguments_schema: str
    example: str
    enabled: bool

    @classmethod
    def of(cls, message: native_pb.FoundCommand) -> Self:
        """Read from the contract's message."""
        return cls(
            id=message.id,
            label=message.label,
            description=message.description,
            arguments_schema=message.arguments_schema_json,
            example=message.example_json,
            enabled=message.enabled,
        )


@dataclass(frozen=True, kw_only=True)
class TextPage:
    """Some of a file's words; `next_start` is where to read on, None at the end. Offsets are characters [F-16]."""

    version: int
    text: str
    next_start: int | None
    total_chars: int


@dataclass(frozen=True, kw_only=True)
class ReviewItem:
    """A comment, a tracked change or an external target, as the app gives it; untold is empty [AMB-24]."""

    id: str
    type: ReviewType
    author: str = ""
    date: str = ""
    text: str = ""
    anchored_text: str = ""
    state: str = ""
    parent_id: str = ""

    @classmethod
    def of(cls, message: native_pb.ReviewItem) -> Self:
        """Read from the contract's message."""
        return cls(
            id=message.id,
            type=_REVIEW_TYPES[message.type],
            author=message.author,
            date=message.date,
            text=message.text,
            anchored_text=message.anchored_text,
            state=message.state,
            parent_id=message.parent_id,
        )


@dataclass(frozen=True, kw_only=True)
class ReviewPage:
    """Some items of a file's review; `next_start` is where to read on, None at the end."""

    version: int
    items: tuple[ReviewItem, ...]
    next_start: int | None
    total_items: int


@dataclass(frozen=True, kw_only=True)
class PageImage:
    """One page as a PNG image of `width` times `height` pixels; the document has `page_count` pages."""

    version: int
    page: int
    page_count: int
    png: bytes
    width: int
    height: int
