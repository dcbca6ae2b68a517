"""What the app refuses and how it fails, as typed exceptions.

Each has a registered reason; its fields become the metadata of the error. All but `AppTimeout` and
`AppCrashed` are refusals: nothing was changed, and the same call will be refused again.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(kw_only=True, eq=False)
class FileRefused(Exception):
    """A guard refuses the package before any parser sees it."""

    reason: ClassVar[str] = "FILE_REFUSED"
    guard: str
    why: str

    def __str__(self) -> str:
        return f"the file is refused ({self.guard}): {self.why}"


@dataclass(kw_only=True, eq=False)
class FileTooLarge(Exception):
    """The file has more bytes than the app takes; sizes are in bytes."""

    reason: ClassVar[str] = "FILE_TOO_LARGE"
    size: int
    limit: int

    def __str__(self) -> str:
        return f"the file has {self.size:,} bytes, more than {self.limit:,}"


@dataclass(kw_only=True, eq=False)
class AppRefused(Exception):
    """A command of a batch cannot be applied, so none of the batch is [R-06, F-08, F-10]."""

    reason: ClassVar[str] = "APP_REFUSED"
    index: int
    """The position of the command in the batch, from 0."""
    command: str
    why: str

    def __str__(self) -> str:
        return f"command {self.index} ({self.command}) is refused: {self.why}"


@dataclass(kw_only=True, eq=False)
class PageOutOfRange(Exception):
    """The document has only `count` pages [F-14]."""

    reason: ClassVar[str] = "PAGE_OUT_OF_RANGE"
    count: int

    def __str__(self) -> str:
        return f"the document has {self.count} pages"


@dataclass(kw_only=True, eq=False)
class AppTimeout(Exception):
    """The engine or the renderer took longer than its time limit and was killed [R-07]."""

    reason: ClassVar[str] = "APP_TIMEOUT"
    what: str

    def __str__(self) -> str:
        return f"the {self.what} took too long"


@dataclass(kw_only=True, eq=False)
class AppCrashed(Exception):
    """The engine or the renderer died at this file; a fresh one serves the next call [R-07]."""

    reason: ClassVar[str] = "APP_CRASHED"
    what: str

    def __str__(self) -> str:
        return f"the {self.what} died"


class CommandRefused(Exception):
    """One command cannot be applied, and why; the batch adds which one it was."""
