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


class EditComment(Command):
    """Change what one's own comment says."""

    id: ClassVar[str] = "edit_comment"
    label: ClassVar[str] = "Edit comment"
    description: ClassVar[str] = (
        "Replaces the words of a comment by others; its place, time, replies and state stay. Refused for a comment of "
        "another author, which would say what they did not."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "correct a comment", "reword a comment", "change the text of a remark", "fix a typo in a comment",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"comment_id": "comment-4", "text": "Who signs, and when?"}
    changes: ClassVar[frozenset[Role]] = COMMENT_PARTS

    comment_id: CommentId
    text: Lines

    async def apply(self, job: Job) -> None:
        """Replace its words."""
        comment = await _comment(job, self.comment_id)
        if comment.get("author") != job.author:
            raise CommandRefused(f"the comment is by {comment.get('author')}; reply to it instead")
        await job.edit("update_comment", commentAnchorId=comment["anchorId"], markdown=literal(self.text))


class CommentOnChange(Command):
    """Comment on a tracked change."""

    id: ClassVar[str] = "comment_on_change"
    label: ClassVar[str] = "Comment on change"
    description: ClassVar[str] = (
        "Adds a comment on the words of a tracked change; its author is who edits. It stays when the change is "
        "accepted or rejected."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "ask why something was changed", "explain an edit", "justify a suggestion", "remark on a revision",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"change_id": "rev2-0a1b2c3d4e5f60718293", "text": "As agreed on the phone."}
    changes: ClassVar[frozenset[Role]] = COMMENT_PARTS

    change_id: str = Field(min_length=1, description="The id of a tracked change as the review lists it.")
    text: Lines

    async def apply(self, job: Job) -> None:
        """Comment on it."""
        await job.edit("add_comment", revisionId=self.change_id, **_signed(job, self.text))


class ResolveAllComments(Command):
    """Mark every open comment as resolved."""

    id: ClassVar[str] = "resolve_all_comments"
    label: ClassVar[str] = "Resolve all comments"
    description: ClassVar[str] = (
        "Marks every open comment and its replies as resolved, or only those that one author began; nothing is "
        "removed. Refused when none is open."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "close all comments", "mark every comment as done", "all remarks are settled", "finish the review",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"author": "Nadia Haddad"}
    changes: ClassVar[frozenset[Role]] = COMMENT_PARTS

    author: str | None = Field(default=None, description="Only the comments of this author; all authors where unset.")

    async def apply(self, job: Job) -> None:
        """Mark them as resolved, thread by thread."""
        comments = [
            it
            for it in await job.document.ask("list_comments")
            if not it.get("parentAnchorId") and not it.get("resolved") and self.author in (None, it.get("author"))
        ]
        if not comments:
            raise CommandRefused(f"there are no open comments{f' by {self.author}' if self.author else ''}")
        for comment in comments:
            await job.edit("set_comment_resolved", commentAnchorId=comment["anchorId"], resolved=True)


COMMANDS: Final = (
    AddComment,
    ReplyToComment,
    ResolveComment,
    ReopenComment,
    DeleteComment,
    EditComment,
    CommentOnChange,
    ResolveAllComments,
)
"""In the order of the catalogue."""


async def _anchor(job: Job, wanted: str) -> str:
    """The engine's anchor of a comment of the review."""
    anchor: str = (await _comment(job, wanted))["anchorId"]
    return anchor


async def _comment(job: Job, wanted: str) -> dict[str, Any]:
    """A comment of the review as the engine lists it."""
    comments = {comment_id(it): it for it in await job.document.ask("list_comments")}
    if wanted not in comments:
        raise CommandRefused(f"there is no comment {wanted!r}; the document has {len(comments)}: {', '.join(comments)}")
    comment: dict[str, Any] = comments[wanted]
    return comment


def _signed(job: Job, text: str) -> dict[str, str]:
    return {"author": job.author, "initials": job.initials, "date": job.time, "markdown": literal(text)}
