"""What the commands need of an engine, and the worker of a renderer."""

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

Answer: TypeAlias = Any
"""JSON as the engine answers it; its shape depends on the operation."""


@dataclass(frozen=True, kw_only=True)
class Edited:
    """Which blocks an edit touched, by the engine's anchors."""

    created: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Document(Protocol):
    """One document open in the engine, for one job and one task at a time.

    Every method raises `AppCrashed` when the engine died. After any other exception than
    `CommandRefused`, and after a cancel, the document is lost with its engine.
    """

    async def ask(self, operation: str, **arguments: object) -> Answer:
        """The answer of an operation that changes nothing."""
        ...

    async def edit(self, operation: str, **arguments: object) -> Edited:
        """Carry out an operation; refused with `CommandRefused`, it changed nothing."""
        ...

    async def track(self, *, tracked: bool) -> None:
        """Record what follows as tracked changes, or make it directly."""
        ...

    async def saved(self, *, anchored: bool = False) -> bytes:
        """The package as it stands; `anchored`, each block carries its id (see `quotes`)."""
        ...

    async def reopen(self, anchored: bytes) -> None:
        """Go on with what was made of an anchored package; its blocks keep their anchors.

        Refused with `CommandRefused` where the engine cannot open it.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class Page:
    """One rendered page; width and height in pixels."""

    png: bytes
    width: int
    height: int
    page_count: int


class Renderer(Protocol):
    """Draws pages. Calls may run side by side; a cancel ends the drawing program."""

    name: str
    """Part of the app's version: images of two renderers differ."""

    async def page(self, document: bytes, number: int, long_side: int) -> Page:
        """Page `number`, from 1, at most `long_side` pixels on its longer side and 1 MiB.

        Raises:
            PageOutOfRange: there are fewer pages, or `number` is not positive.
            FileRefused: the document cannot be drawn.
            AppTimeout, AppCrashed: the drawing program took too long, or died.
        """
        ...
