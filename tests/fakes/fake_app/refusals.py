"""What the app refuses, by the reasons of its contract."""

from dataclasses import dataclass
from typing import ClassVar


class Refusal(Exception):
    """What the app refuses."""

    reason: ClassVar[str]


@dataclass(kw_only=True, eq=False)
class FileRefused(Refusal):
    """A guard refuses the file before any parser sees it."""

    reason: ClassVar[str] = "FILE_REFUSED"
    guard: str


@dataclass(kw_only=True, eq=False)
class AppRefused(Refusal):
    """The command at `index` of a batch cannot be applied; nothing was."""

    reason: ClassVar[str] = "APP_REFUSED"
    index: int
    command: str
    why: str


@dataclass(kw_only=True, eq=False)
class PageOutOfRange(Refusal):
    """The document has only `count` pages."""

    reason: ClassVar[str] = "PAGE_OUT_OF_RANGE"
    count: int
