"""What a batch would change, told without making it."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

_LONGEST: Final = 2_000
"""Characters of either side of a change that are told."""


@dataclass(frozen=True, kw_only=True)
class TextChange:
    """Lines of a text that would read otherwise, as they read now and as they would."""

    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class EditPreview:
    """What would be different after an edit."""

    changed_parts: tuple[str, ...]
    text_changes: Sequence[TextChange]
    review_count: int
    """How many items the review would have."""


def text_changes(before: str, after: str) -> list[TextChange]:
    """Where two texts differ, by whole lines, in their order."""
    old, new = before.splitlines(), after.splitlines()
    return [
        TextChange(before=_told(old[first:last]), after=_told(new[begin:end]))
        for kind, first, last, begin, end in SequenceMatcher(None, old, new).get_opcodes()
        if kind != "equal"
    ]


def _told(lines: Sequence[str]) -> str:
    return "\n".join(lines)[:_LONGEST]
