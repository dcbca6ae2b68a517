"""What files needs of the outside: the switches, the app workers, the blob store.

Each port may be used by any number of tasks of one event loop at once. None is called while a
database transaction is open. All values are of the domain; adapters translate and check.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from lattice_files.domain.apps import App, Apps, Batch, CatalogueCommand, Derived, Format, PageImage, Produced, TextView
from lattice_files.domain.content import Content
from lattice_files.domain.workspaces import WorkspaceKey


@dataclass(frozen=True, kw_only=True)
class SwitchState:
    """Whether an integration is on in a workspace, and the revision of the switch that says so."""

    enabled: bool
    revision: int
    """0 where nobody set the switch."""


class Switches(Protocol):
    """Answers whether an integration is on, as it stands now: an answer is never kept for a later question [I-07].

    A cancel abandons the question, which changes nothing.
    """

    async def check(self, scope: WorkspaceKey, key: str) -> SwitchState:
        """The state of `key` in the workspace, within a second.

        Raises:
            PeerUnavailable: integrations cannot be reached or is late; the write is refused then [AMB-04].
            UnknownIntegration: the registry does not declare the key; it is never on [I-17].
        """
        ...


class Worker(Protocol):
    """One app worker, held by one caller that makes one call at a time; its calls have no effects of their own.

    Each call has the app's time limit, 20 s by default. What a call makes lies in the folder `into`, which the caller
    owns and deletes, also after a failure. Sizes and digests are checked against what the worker declares, and what
    does not fit its declaration or its type is AppCrashed. A cancel ends the call; the worker is not used again then.

    Raises, each of them but find_commands:
        FileRefused: a guard of the app refuses the file.
        FileTooLarge: the file is too large for the app, or what it made exceeds the limits of files.
        ValidationFailed: the app does not take the call's arguments.
        AppTimeout: the call took too long.
        AppCrashed: the worker died, or answered what the contract does not allow.
    """

    async def extract(
        self, content: Content, file_format: Format, into: Path, view: TextView = TextView.FINAL
    ) -> Derived:
        """The text, in a view, and the review of a file."""
        ...

    async def apply_batch(self, content: Content, file_format: Format, batch: Batch, into: Path) -> Produced:
        """The file that the batch makes of `content`, with its text and review.

        Raises:
            AppRefused: a command cannot be applied, or nothing would change [F-08, F-10].
        """
        ...

    async def render_page(
        self, content: Content, file_format: Format, page: int, long_side: int, into: Path
    ) -> PageImage:
        """A page, counted from 1, with at most `long_side` pixels on its long side.

        Raises:
            PageOutOfRange: the document has fewer pages [F-14].
        """
        ...

    async def find_commands(self, query: str, limit: int) -> Sequence[CatalogueCommand]:
        """At most `limit` commands that fit the query, best first; for an empty query the first ones [F-17]."""
        ...


class AppWorkers(Protocol):
    """The workers of every app of the deployment."""

    @property
    def apps(self) -> Apps:
        """The apps, as they described themselves when the service started."""
        ...

    def slot(self, app: App, *, within: timedelta) -> AbstractAsyncContextManager[Worker]:
        """A free worker of an app, nobody else's until the block is left; after a crash or a cancel it is replaced.

        A cancel while waiting takes none.

        Raises:
            PeerUnavailable: none was free or could be started `within` that time [L-05].
        """
        ...


class BlobStore(Protocol):
    """Immutable blobs, named by their SHA-256 within one workspace and never shared beyond it [B-02].

    It knows nothing of references: what a blob's row in the database promises is the caller's to keep [B-06].

    Raises, each of them:
        PeerUnavailable: the store cannot be reached; its `peer` is `blobs`.
    """

    async def put(self, scope: WorkspaceKey, content: Content) -> None:
        """Store the content under its digest; durable on return, also against a crash of the machine [B-03].

        Storing again what is there is harmless. A cancel or a failure leaves the whole blob or none.
        """
        ...

    def read(self, scope: WorkspaceKey, digest: str) -> AsyncGenerator[bytes, None]:
        """The content in chunks of at most 64 KiB; whoever stops early closes the iterator.

        Raises:
            BlobMissing: there is no such blob in this workspace.
        """
        ...

    async def fetch(self, scope: WorkspaceKey, digest: str, into: Path) -> Content:
        """A local copy in the folder `into`, its digest checked.

        Raises:
            BlobMissing: there is no such blob, or its content is not what its name says.
        """
        ...

    async def delete(self, scope: WorkspaceKey, digest: str) -> None:
        """Remove a blob; one that is not there is no error."""
        ...
