"""Commands on tracked changes."""

from typing import Annotated, Any, ClassVar, Final

from pydantic import Field

from lattice_wordcraft.catalogue.command import Command, Job
from lattice_wordcraft.package import TEXT_ROLES, Role
from lattice_wordcraft.refusals import CommandRefused

ChangeId = Annotated[str, Field(min_length=1, description="The id of a tracked change as the review lists it.")]
Author = Annotated[str | None, Field(description="Only the changes of this author; all authors where unset.")]

_RESOLVING: frozenset[Role] = TEXT_ROLES | {Role.COMMENTS}


class AcceptChange(Command):
    """Accept one tracked change."""

    id: ClassVar[str] = "accept_change"
    label: ClassVar[str] = "Accept change"
    description: ClassVar[str] = "Accepts one tracked change, so that it becomes ordinary text; comments at it stay."
    also_known_as: ClassVar[tuple[str, ...]] = (
        "approve an edit", "accept a revision", "keep this insertion", "take over a suggestion", "agree to a change",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"change_id": "rev2-0a1b2c3d4e5f60718293"}
    changes: ClassVar[frozenset[Role]] = _RESOLVING

    change_id: ChangeId

    async def apply(self, job: Job) -> None:
        """Accept it."""
        await _resolve(job, "accept_revision", revisionId=self.change_id)


class RejectChange(Command):
    """Reject one tracked change."""

    id: ClassVar[str] = "reject_change"
    label: ClassVar[str] = "Reject change"
    description: ClassVar[str] = (
        "Rejects one tracked change, so that the text is as it was before; comments at it stay."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "decline an edit", "undo a revision", "refuse a suggestion", "restore deleted text", "revert one change",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"change_id": "rev2-0a1b2c3d4e5f60718293"}
    changes: ClassVar[frozenset[Role]] = _RESOLVING

    change_id: ChangeId

    async def apply(self, job: Job) -> None:
        """Reject it."""
        await _resolve(job, "reject_revision", revisionId=self.change_id)


class AcceptAllChanges(Command):
    """Accept every tracked change, or every one of an author."""

    id: ClassVar[str] = "accept_all_changes"
    label: ClassVar[str] = "Accept all changes"
    description: ClassVar[str] = "Accepts every tracked change of the document, or only those of one author."
    also_known_as: ClassVar[tuple[str, ...]] = (
        "approve all edits", "accept everything", "finalize the document", "clean copy", "accept all of an author",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"author": "Nadia Haddad"}
    changes: ClassVar[frozenset[Role]] = _RESOLVING

    author: Author = None

    async def apply(self, job: Job) -> None:
        """Accept them."""
        await _resolve_all(job, "accept", self.author)


class RejectAllChanges(Command):
    """Reject every tracked change, or every one of an author."""

    id: ClassVar[str] = "reject_all_changes"
    label: ClassVar[str] = "Reject all changes"
    description: ClassVar[str] = "Rejects every tracked change of the document, or only those of one author."
    also_known_as: ClassVar[tuple[str, ...]] = (
        "decline all edits", "undo everything", "back to the original", "throw away all suggestions", "revert all",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {}
    changes: ClassVar[frozenset[Role]] = _RESOLVING

    author: Author = None

    async def apply(self, job: Job) -> None:
        """Reject them."""
        await _resolve_all(job, "reject", self.author)


COMMANDS: Final = (AcceptChange, RejectChange, AcceptAllChanges, RejectAllChanges)
"""In the order of the catalogue."""


async def _resolve(job: Job, operation: str, **arguments: object) -> None:
    """Resolve changes; paragraphs may merge or vanish, so every quote is read anew."""
    await job.document.edit(operation, **arguments)
    job.quotes.forget()


async def _resolve_all(job: Job, verb: str, author: str | None) -> None:
    pending = await _pending(job, author)
    if not pending:
        raise CommandRefused(f"there are no tracked changes{f' by {author}' if author else ''}")
    if author is None:
        await _resolve(job, f"{verb}_all_revisions")
        return
    # Resolving one change may take others with it: a list made before would name what is gone.
    while pending:
        await _resolve(job, f"{verb}_revision", revisionId=pending[0])
        pending = await _pending(job, author)


async def _pending(job: Job, author: str | None) -> list[str]:
    revisions = await job.document.ask("list_revisions")
    return [it["id"] for it in revisions if author is None or it.get("author") == author]
