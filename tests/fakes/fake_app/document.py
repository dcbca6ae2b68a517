"""The made-up format "fake": a JSON text with paragraphs, comments and tracked changes [N-26].

    {"paragraphs": ["One.", "Two."], "comments": [], "changes": [], "next_id": 1}

Review ids are the format's own: `fk-1`, `fk-2`, never given out twice. A tracked change is applied
and remembered beside the paragraphs, so the text is the final view; `original` keeps the paragraphs of before the
first one. `padding` is a text that
nobody reads; it makes files large. `fault` names what the app does wrong with the file: "hang" or
"crash" when it reads it, "page" when it draws a page.
"""

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Self

from fakes.fake_app.refusals import FileRefused

PARAGRAPHS_A_PAGE: Final = 10
"""How many paragraphs a page holds; an empty document has one page."""

_REFUSED_PREFIX: Final = b"BAD"


@dataclass(kw_only=True)
class Comment:
    """A comment on some words of a paragraph."""

    id: str
    author: str
    date: str
    text: str
    anchored_text: str


@dataclass(kw_only=True)
class Change:
    """A tracked change: what it did, and the text that it added or removed."""

    id: str
    author: str
    date: str
    text: str
    state: str


@dataclass(kw_only=True)
class Document:
    """A file of the format, open for editing."""

    paragraphs: list[str] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    next_id: int = 1
    original: list[str] | None = None
    padding: str = ""
    fault: str = ""

    @classmethod
    def parse(cls, content: bytes) -> Self:
        """Open a file.

        Raises:
            FileRefused: by the guard `prefix` for a content that begins with BAD, before it is parsed;
                by the guard `syntax` for one that is no file of this format.
        """
        if content.startswith(_REFUSED_PREFIX):
            raise FileRefused(guard="prefix")
        try:
            parts: dict[str, Any] = json.loads(content)
            comments = [Comment(**it) for it in parts.pop("comments", [])]
            changes = [Change(**it) for it in parts.pop("changes", [])]
            return cls(comments=comments, changes=changes, **parts)
        except (ValueError, TypeError, AttributeError) as error:
            raise FileRefused(guard="syntax") from error

    def to_bytes(self) -> bytes:
        """The file."""
        return json.dumps(asdict(self), ensure_ascii=False).encode()

    @property
    def text(self) -> str:
        """The words, a line a paragraph."""
        return "\n".join(self.paragraphs)

    @property
    def original_text(self) -> str:
        """The words before the first tracked change."""
        return self.text if self.original is None else "\n".join(self.original)

    @property
    def review(self) -> list[dict[str, str]]:
        """Comments, then tracked changes, each with the format's own id [N-14]."""
        comments = [{"type": "comment", "state": "open", **asdict(it)} for it in self.comments]
        return comments + [{"type": "tracked_change", **asdict(it)} for it in self.changes]

    @property
    def page_count(self) -> int:
        """How many pages the document has, at least one."""
        return max(1, -(-len(self.paragraphs) // PARAGRAPHS_A_PAGE))

    def new_id(self) -> str:
        """A review id that this document never gave out before."""
        identifier = f"fk-{self.next_id}"
        self.next_id += 1
        return identifier
