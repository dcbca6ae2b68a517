"""Crafting apps: what they are, what is asked of them, and what they give back.

An app serves formats; the artifact kind of a format is `native_` and its name, so which app and
which integration govern a kind is a pure lookup [I-10, N-40].
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from lattice_files.domain.actors import Actor
from lattice_files.domain.content import Content

KIND_PREFIX: Final = "native_"
"""What the kind of a native file begins with."""


@dataclass(frozen=True, kw_only=True)
class Format:
    """A native format, such as docx."""

    name: str
    media_type: str
    extension: str
    """The file name extension in lower case, without the dot."""

    @property
    def kind(self) -> str:
        """The kind of the artifacts that have this format."""
        return KIND_PREFIX + self.name


@dataclass(frozen=True, kw_only=True)
class App:
    """A crafting app as it describes itself; it stays the same while the service runs."""

    name: str
    integration_key: str
    """The integration that governs it, such as `files:wordcraft` [I-03]."""
    version: str
    """Page images are cached by it."""
    formats: tuple[Format, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The artifact kinds that it serves."""
        return tuple(it.kind for it in self.formats)


class TextView(StrEnum):
    """What tracked changes read as in a file's words: as if all were accepted, or rejected."""

    FINAL = "final"
    ORIGINAL = "original"


class Apps:
    """The apps of a deployment, looked up by what they serve.

    Raises:
        ValueError: two apps share a name, a format or an extension, so that a lookup would be ambiguous.
    """

    def __init__(self, apps: Iterable[App]) -> None:
        self._apps = tuple(sorted(apps, key=lambda it: it.name))
        formats = [(app, each) for app in self._apps for each in app.formats]
        self._by_kind = {each.kind: (app, each) for app, each in formats}
        self._by_extension = {each.extension: each for _, each in formats}
        if len({it.name for it in self._apps}) < len(self._apps):
            raise ValueError("two apps have the same name")
        if len(self._by_kind) < len(formats) or len(self._by_extension) < len(formats):
            raise ValueError("two apps serve the same format or extension")

    def __iter__(self) -> Iterator[App]:
        return iter(self._apps)

    def key_of(self, kind: str) -> str | None:
        """The integration that governs writes of a kind; None for a kind that nothing governs [I-10]."""
        app = self.app_of(kind)
        return None if app is None else app.integration_key

    def app_of(self, kind: str) -> App | None:
        """The app that serves a kind, or None."""
        found = self._by_kind.get(kind)
        return None if found is None else found[0]

    def format_of(self, kind: str) -> Format | None:
        """The format of a kind, or None."""
        found = self._by_kind.get(kind)
        return None if found is None else found[1]

    def format_of_file(self, file_name: str) -> Format | None:
        """The format that a file name's extension stands for, or None."""
        return self._by_extension.get(extension_of(file_name))


def extension_of(file_name: str) -> str:
    """What follows the last dot of a name, in lower case; empty unless a name and a dot come before it."""
    return PurePosixPath(file_name).suffix.removeprefix(".").lower()


class ChangeMode(StrEnum):
    """How a batch records what it changes."""

    BY_AUTHOR = "by_author"
    """Tracked for agents, direct for everybody else; the app decides [F-09]."""
    TRACKED = "tracked"
    DIRECT = "direct"


@dataclass(frozen=True, kw_only=True)
class CommandCall:
    """An app command with its arguments as JSON text; empty for none."""

    command: str
    arguments_json: str = ""


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Commands that an app applies to one file, all or nothing [N-17, F-08]."""

    commands: Sequence[CommandCall]
    author: Actor
    """Who is named in tracked changes and comments [F-09]."""
    time: datetime
    """What is written into them, with its zone."""
    mode: ChangeMode = ChangeMode.BY_AUTHOR


@dataclass(frozen=True, kw_only=True)
class Derived:
    """What an app reads out of a file [N-13, N-14].

    Whoever makes one has checked it: the text is UTF-8, the review a JSON list in UTF-8 whose items
    are objects with a text `id` and a `type` that is `comment`, `tracked_change` or `external_target`,
    and the counts were counted here, not taken on trust.
    """

    text: Content
    text_chars: int
    """Its length in Unicode code points."""
    review: Content
    review_count: int


@dataclass(frozen=True, kw_only=True)
class Produced:
    """What a batch made: the new file, what is read out of it, and which package parts differ."""

    native: Content
    derived: Derived
    changed_parts: tuple[str, ...]
    """Sorted."""


@dataclass(frozen=True, kw_only=True)
class PageImage:
    """A rendered page: a PNG of at most 1 MiB [N-41]."""

    png: bytes
    page_count: int
    width: int
    height: int


@dataclass(frozen=True, kw_only=True)
class CatalogueCommand:
    """A command of an app's catalogue, as the app describes it [N-16, F-17]."""

    id: str
    label: str
    description: str
    arguments_schema_json: str
    example_json: str
