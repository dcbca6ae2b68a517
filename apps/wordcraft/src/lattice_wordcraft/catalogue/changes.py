"""Commands on tracked changes."""

import asyncio
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from pydantic import Field

from lattice_wordcraft.blocks import Block
from lattice_wordcraft.catalogue.command import WITH_COMMENTS, Command, Job, Quote
from lattice_wordcraft.package import Role, reopened
from lattice_wordcraft.reading import View, text_of
from lattice_wordcraft.refusals import CommandRefused

ChangeId = Annotated[str, Field(min_length=1, description="The id of a tracked change as the review lists it.")]
Author = Annotated[str | None, Field(description="Only the changes of this author; all authors where unset.")]

_Verb: TypeAlias = Literal["accept", "reject"]

_IN_PASSAGE: Final = (
    "every tracked change in the paragraph that holds the quoted words, or only those of one author; "
    "refused when it has none. Rows and cells are resolved one by one."
)


class _Resolving(Command):
    verb: ClassVar[_Verb]
    changes: ClassVar[frozenset[Role]] = WITH_COMMENTS


class _OneChange(_Resolving):
    example: ClassVar[dict[str, Any]] = {"change_id": "rev2-0a1b2c3d4e5f60718293"}

    change_id: ChangeId

    async def apply(self, job: Job) -> None:
        """Resolve it."""
        await _part_twins(job)
        await _resolve(job, f"{self.verb}_revision", revisionId=job.renamed.get(self.change_id, self.change_id))


class AcceptChange(_OneChange):
    """Accept one tracked change."""

    id: ClassVar[str] = "accept_change"
    label: ClassVar[str] = "Accept change"
    description: ClassVar[str] = "Accepts one tracked change, so that it becomes ordinary text; comments at it stay."
    also_known_as: ClassVar[tuple[str, ...]] = (
        "approve an edit", "accept a revision", "keep this insertion", "take over a suggestion", "agree to a change",
    )  # fmt: skip
    verb: ClassVar[_Verb] = "accept"


class RejectChange(_OneChange):
    """Reject one tracked change."""

    id: ClassVar[str] = "reject_change"
    label: ClassVar[str] = "Reject change"
    description: ClassVar[str] = (
        "Rejects one tracked change, so that the text is as it was before; comments at it stay."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "decline an edit", "undo a revision", "refuse a suggestion", "restore deleted text", "revert one change",
    )  # fmt: skip
    verb: ClassVar[_Verb] = "reject"


class _AllChanges(_Resolving):
    author: Author = None

    async def apply(self, job: Job) -> None:
        """Resolve them."""
        await _resolve_all(job, self.verb, self.author)


class AcceptAllChanges(_AllChanges):
    """Accept every tracked change, or every one of an author."""

    id: ClassVar[str] = "accept_all_changes"
    label: ClassVar[str] = "Accept all changes"
    description: ClassVar[str] = "Accepts every tracked change of the document, or only those of one author."
    also_known_as: ClassVar[tuple[str, ...]] = (
        "approve all edits", "accept everything", "finalize the document", "clean copy", "accept all of an author",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"author": "Nadia Haddad"}
    verb: ClassVar[_Verb] = "accept"


class RejectAllChanges(_AllChanges):
    """Reject every tracked change, or every one of an author."""

    id: ClassVar[str] = "reject_all_changes"
    label: ClassVar[str] = "Reject all changes"
    description: ClassVar[str] = "Rejects every tracked change of the document, or only those of one author."
    also_known_as: ClassVar[tuple[str, ...]] = (
        "decline all edits", "undo everything", "back to the original", "throw away all suggestions", "revert all",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {}
    verb: ClassVar[_Verb] = "reject"


class _ChangesInPassage(_Resolving):
    example: ClassVar[dict[str, Any]] = {"quote": "A point between"}

    quote: Quote
    author: Author = None

    async def apply(self, job: Job) -> None:
        """Resolve them."""
        await _resolve_all(job, self.verb, self.author, await job.quotes.paragraph(self.quote))


class AcceptChangesInPassage(_ChangesInPassage):
    """Accept the tracked changes of a quoted paragraph."""

    id: ClassVar[str] = "accept_changes_in_passage"
    label: ClassVar[str] = "Accept changes in a passage"
    description: ClassVar[str] = f"Accepts {_IN_PASSAGE}"
    also_known_as: ClassVar[tuple[str, ...]] = (
        "approve the edits of a paragraph", "keep all suggestions of this passage", "accept the section's revisions",
    )  # fmt: skip
    verb: ClassVar[_Verb] = "accept"


class RejectChangesInPassage(_ChangesInPassage):
    """Reject the tracked changes of a quoted paragraph."""

    id: ClassVar[str] = "reject_changes_in_passage"
    label: ClassVar[str] = "Reject changes in a passage"
    description: ClassVar[str] = f"Rejects {_IN_PASSAGE}"
    also_known_as: ClassVar[tuple[str, ...]] = (
        "decline the edits of a paragraph", "undo all suggestions of this passage", "revert the paragraph",
    )  # fmt: skip
    verb: ClassVar[_Verb] = "reject"


COMMANDS: Final = (
    AcceptChange,
    RejectChange,
    AcceptAllChanges,
    RejectAllChanges,
    AcceptChangesInPassage,
    RejectChangesInPassage,
)
"""In the order of the catalogue."""


async def _resolve(job: Job, operation: str, **arguments: object) -> None:
    """Resolve changes; paragraphs may merge or vanish, so every quote is read anew."""
    await job.document.edit(operation, **arguments)
    job.quotes.forget()


async def _resolve_all(job: Job, verb: _Verb, author: str | None, within: Block | None = None) -> None:
    await _part_twins(job)
    pending = await _pending(job, author, within)
    if not pending:
        where = " in that paragraph" if within else ""
        raise CommandRefused(f"there are no tracked changes{where}{f' by {author}' if author else ''}")
    if author is None and within is None:
        expected = await _text(job, View.FINAL if verb == "accept" else View.ORIGINAL)
        await _resolve(job, f"{verb}_all_revisions")
        if await _text(job, View.FINAL) != expected:  # of words that were moved and then deleted it brings back none
            raise CommandRefused(f"the engine would change other words with it: {verb} the changes one by one")
        return
    # Resolving one change may take others with it: a list made before would name what is gone.
    while pending:
        await _resolve(job, f"{verb}_revision", revisionId=pending[0])
        pending = await _pending(job, author, within)


async def _part_twins(job: Job) -> None:
    """Give changes that share one id in the markup ids of their own; the engine would resolve none of them."""
    shared = [it for it in await job.document.ask("list_revision_repairs") if it["kind"] == "assign_identity"]
    if not shared:
        return
    before = [it["id"] for it in await job.document.ask("list_revisions")]
    repairs = [{"revisionId": it["revisionId"], "kind": it["kind"]} for it in shared if it["repairable"]]
    await job.document.edit("repair_revisions", repairs=repairs)
    after = [it["id"] for it in await job.document.ask("list_revisions")]
    job.renamed.update((old, new) for old, new in zip(before, after, strict=True) if old != new)
    job.quotes.forget()


async def _text(job: Job, view: View) -> str:
    """The whole text of the document as it stands."""
    content = await job.document.saved()
    return await asyncio.to_thread(lambda: text_of(reopened(content), view))


async def _pending(job: Job, author: str | None, within: Block | None) -> list[str]:
    return [
        it["id"]
        for it in await job.document.ask("list_revisions")
        if author in (None, it.get("author")) and (within is None or it.get("anchorId") in within.anchors)
    ]
