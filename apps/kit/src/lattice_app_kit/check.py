"""A check: one claim of the contract, and what it needs."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from lattice_app_kit.app import App, Document


@dataclass(frozen=True, kw_only=True)
class Trial:
    """The app on trial, and what whoever runs the kit brought along."""

    app: App
    documents: Sequence[Document]
    """At least one; each opens."""
    batch: Sequence[tuple[str, str]]
    """Commands that change the first document, each an id and its arguments as JSON text; none where nothing is known
    that does."""

    @property
    def document(self) -> Document:
        """The document that most checks use."""
        return self.documents[0]


Run: TypeAlias = Callable[[Trial], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Check:
    """A claim, and how it is tried."""

    id: str
    claim: str
    """A sentence that is true of an app that keeps the contract."""
    run: Run
    """Raises Broken where the claim is not true, NotTried where it cannot be told."""


class Checks:
    """The checks of a subject, in the order in which they are written."""

    def __init__(self, subject: str) -> None:
        self._subject: Final = subject
        self.all: list[Check] = []

    def add(self, run: Run) -> Run:
        """Make a function a check: its name is the check's, its docstring the claim."""
        claim = (run.__doc__ or "").strip().removesuffix(".")
        self.all.append(Check(id=f"{self._subject}.{run.__name__}", claim=claim, run=run))
        return run
