"""The review of a document: its comments, tracked changes and external targets, as a list of items [N-14, SE-09].

Comments come first, in the order of their part, then changes in document order. An item's id is
valid as an argument of the commands: `comment-` and the comment's number, or the engine's id of a
change, which stays over saving and opening again while the change is in the document. What the
document names outside itself comes last, under ids that no command takes.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NotRequired, TypedDict

from lxml import etree

from lattice_wordcraft import deadline, xml
from lattice_wordcraft.externals import ExternalTarget, external_targets
from lattice_wordcraft.package import TEXT_ROLES, Package, Role
from lattice_wordcraft.ports import Document
from lattice_wordcraft.xml import MC, W

_CHANGES: Final[Mapping[tuple[str, str], str]] = {
    ("insert", "content_insert"): "insertion",
    ("delete", "content_delete"): "deletion",
    ("insert", "paragraph_mark"): "paragraph_insertion",
    ("delete", "paragraph_mark"): "paragraph_deletion",
    ("insert", "row_insert"): "row_insertion",
    ("delete", "row_delete"): "row_deletion",
    ("insert", "cell_insert"): "cell_insertion",
    ("delete", "cell_delete"): "cell_deletion",
}
_COMMENT: Final = "comment-"
_MOST_ANCHORED_CHARS: Final = 1_000
"""Comments may lie over each other: each with all its words would be the document many times over."""
_UNREAD: Final = (f"{W}del", f"{W}moveFrom", f"{MC}Fallback")


class Item(TypedDict):
    """One of the review; `date` is as the document writes it, and empty where it has none."""

    id: str
    type: Literal["comment", "tracked_change", "external_target"]
    author: str
    date: str
    text: str
    """The words; of an external target its address, or the field that has it."""
    state: str
    """Of a comment `open` or `resolved`; of a change what it does, such as `insertion`, `formatting`, `move`;
    of an external target what it is for, such as `image`, `attachedTemplate`, `INCLUDETEXT`."""
    anchored_text: NotRequired[str]
    """Of a comment: the words it stands at, at most 1,000 characters of them; a reply may stand at its parent's."""
    parent_id: NotRequired[str]
    """Of a reply: the id of the comment it answers."""


async def review_of(document: Document, package: Package) -> list[Item]:
    """The items of an open document; `package` holds the same bytes.

    Raises:
        FileRefused: a part that holds text is not well-formed.
    """
    # The engine builds its whole index to list none.
    comments = await document.ask("list_comments") if _may_have_comments(package) else []
    anchored = _anchored_texts(package) if comments else {}
    ids = {it["anchorId"]: comment_id(it) for it in comments}
    changes = await document.ask("list_revisions")
    targets = await asyncio.to_thread(external_targets, package)
    return [
        *(_comment(it, ids, anchored) for it in comments),
        *(_change(it) for it in changes),
        *(_external(number, it) for number, it in enumerate(targets, start=1)),
    ]


def comment_id(comment: Mapping[str, Any]) -> str:
    """The id under which the review lists a comment of the engine."""
    return f"{_COMMENT}{comment['id']}"


def _may_have_comments(package: Package) -> bool:
    """Whether the main part is related to one of comments, as far as its relationships' bytes tell."""
    relations = [package.parts.get(name, b"") for name in package.named(Role.MAIN_RELATIONSHIPS)]
    return any(mark in part for part in relations for mark in (b"/comments", b"\x00"))


def _comment(comment: Mapping[str, Any], ids: Mapping[str, str], anchored: Mapping[str, str]) -> Item:
    item = Item(
        id=comment_id(comment),
        type="comment",
        author=comment.get("author") or "",
        date=comment.get("date") or "",
        text=comment.get("text") or "",
        state="resolved" if comment.get("resolved") else "open",
        anchored_text=anchored.get(str(comment["id"]), ""),
    )
    parent = ids.get(comment.get("parentAnchorId") or "")
    if parent:
        item["parent_id"] = parent
        item["anchored_text"] = item["anchored_text"] or anchored.get(parent.removeprefix(_COMMENT), "")
    return item


def _change(revision: Mapping[str, Any]) -> Item:
    kind, family = revision.get("type", ""), revision.get("family", "")
    return Item(
        id=revision["id"],
        type="tracked_change",
        author=revision.get("author") or "",
        date=revision.get("date") or "",
        text=revision.get("text") or "",
        state=_CHANGES.get((kind, family)) or {"format": "formatting"}.get(kind, kind or family),
    )


def _external(number: int, target: ExternalTarget) -> Item:
    return Item(
        id=f"external-{number}",
        type="external_target",
        author="",
        date="",
        text=target.address,
        state=target.kind,
    )


def _anchored_texts(package: Package) -> dict[str, str]:
    """The first words between the marks of each comment, by its number; paragraphs are lines."""
    texts: dict[str, str] = {}
    for name in package.named(*TEXT_ROLES):
        words: list[str] = []
        began: dict[str, int] = {}
        for element in xml.parsed_story(name, package.parts[name]).iter():
            key = element.get(f"{W}id", "")
            if element.tag == f"{W}commentRangeStart":
                began.setdefault(key, len(words))
            elif element.tag == f"{W}commentRangeEnd" and key in began:
                texts[key] = texts.get(key, "") + _joined(words, began.pop(key))
            elif began and (word := _words(element)):
                words.append(word)
        texts |= {key: texts.get(key, "") + _joined(words, start) for key, start in began.items()}
    return {key: text.strip("\n") for key, text in texts.items()}


def _joined(words: Sequence[str], start: int) -> str:
    deadline.check()
    return "".join(words[start : start + _MOST_ANCHORED_CHARS])[:_MOST_ANCHORED_CHARS]


def _words(element: etree._Element) -> str:
    """What one element itself adds to the words around it."""
    if element.tag == f"{W}p":
        return "\n"
    if element.tag in (f"{W}br", f"{W}cr"):
        return " "
    if element.tag == f"{W}t" and next(element.iterancestors(*_UNREAD), None) is None:
        return element.text or ""
    return ""
