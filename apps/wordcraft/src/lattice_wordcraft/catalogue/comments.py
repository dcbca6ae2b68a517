"""Commands on comments."""

from typing import Annotated, Any, ClassVar, Final

from pydantic import Field

from lattice_wordcraft.catalogue.command import COMMENT_PARTS, Command, Job, Lines, Quote, Within, literal
from lattice_wordcraft.package import Role
from lattice_wordcraft.refusals import CommandRefused
from lattice_wordcraft.review import comment_id

CommentId = Annotated[str, Field(min_length=1, description="The id of a comment as the review lists it.")]


class AddComment(Command):
    """Comment on quoted words."""

    id: ClassVar[str] = "add_comment"
    label: ClassVar[str] = "Add comment"
    description: ClassVar[str] = (
        "Adds a comment on the quoted words of the body; its author is who edits. Words in headers, footers and notes "
        "take no comments."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "leave a note", "ask a question in the margin", "annotate", "comment on a sentence", "remark",
        "flag for review", "note to the author",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "in Berlin", "text": "Is the venue booked?"}
    changes: ClassVar[frozenset[Role]] = COMMENT_PARTS

    quote: Quote
    text: Lines
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Comment on the one place of the quote."""
        place = await job.quotes.only(self.quote, self.within)
        await job.edit(
            "add_comment",
            anchorId=place.block.anchor,
            span={"start": place.span.start, "length": place.span.length},
            **_signed(job, self.text),
        )


class ReplyToComment(Command):
    """Reply to a comment."""

    id: ClassVar[str] = "reply_to_comment"
    label: ClassVar[str] = "Reply to comment"
    description: ClassVar[str] = "Adds a reply to a comment, in the same thread; its author is who edits."
    also_known_as: ClassVar[tuple[str, ...]] = (
        "answer a comment", "respond to a question in the margin", "continue the thread", "discuss a comment",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"comment_id": "comment-1", "text": "Yes, since Friday."}
    changes: ClassVar[frozenset[Role]] = COMMENT_PARTS

    comment_id: CommentId
    text: Lines

    async def apply(self, job: Job) -> None:
        """Reply in the comment's thread."""
        anchor = await _anchor(job, self.comment_id)
        await job.edit("add_comment_reply", commentAnchorId=anchor, **_signed(job, self.text))


class ResolveComment(Command):
    """Mark a comment as resolved."""

    id: ClassVar[str] = "resolve_comment"
    label: ClassVar[str] = "Resolve comment"
    description: ClassVar[str] = "Marks a comment and its replies as resolved; nothing is removed."
    also_known_as: ClassVar[tuple[str, ...]] = (
        "close a comment", "mark as done", "comment is settled", "finish the thread", "tick off a comment",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"comment_id": "comment-1"}
    changes: ClassVar[frozenset[Role]] = COMMENT_PARTS

    comment_id: CommentId

    async def apply(self, job: Job) -> None:
        """Mark it as resolved."""
        await job.edit("set_comment_resolved", commentAnchorId=await _anchor(job, self.comment_id), resolved=True)


class ReopenComment(Command):
    """Mark a resolved comment as open again."""

    id: ClassVar[str] = "reopen_comment"
    label: ClassVar[str] = "Reopen comment"
    description: ClassVar[str] = "Marks a resolved comment as open again."
    also_known_as: ClassVar[tuple[str, ...]] = ("unresolve a comment", "open the thread again", "not done yet")
    example: ClassVar[dict[str, Any]] = {"comment_id": "comment-3"}
    changes: ClassVar[frozenset[Role]] = COMMENT_PARTS

    comment_id: CommentId

    async def apply(self, job: Job) -> None:
        """Mark it as open."""
        await job.edit("set_comment_resolved", commentAnchorId=await _anchor(job, self.comment_id), resolved=False)


class DeleteComment(Command):
    """Delete a comment."""

    id: ClassVar[str] = "delete_comment"
    label: ClassVar[str] = "Delete comment"
    description: ClassVar[str] = "Deletes one comment and its marks in the text; the words it stands at stay."
    also_known_as: ClassVar[tuple[str, ...]] = ("remove a comment", "take back a note", "erase a remark")
    example: ClassVar[dict[str, Any]] = {"comment_id": "comment-3"}
    changes: ClassVar[frozenset[Role]] = COMMENT_PARTS

    comment_id: CommentId

    async def apply(self, job: Job) -> None:
        """Delete it."""
        await job.edit("remove_comment", commentAnchorId=await _anchor(job, self.comment_id))


COMMANDS: Final = (AddComment, ReplyToComment, ResolveComment, ReopenComment, DeleteComment)
"""In the order of the catalogue."""


async def _anchor(job: Job, wanted: str) -> str:
    """The engine's anchor of a comment of the review."""
    comments = {comment_id(it): it["anchorId"] for it in await job.document.ask("list_comments")}
    if wanted not in comments:
        raise CommandRefused(f"there is no comment {wanted!r}; the document has {len(comments)}: {', '.join(comments)}")
    anchor: str = comments[wanted]
    return anchor


def _signed(job: Job, text: str) -> dict[str, str]:
    return {"author": job.author, "initials": job.initials, "date": job.time, "markdown": literal(text)}
