"""A comment keeps its words, or stands at those that took their place, wherever an edit begins and ends."""

from itertools import combinations, product

import pytest
from lattice_wordcraft.wordcraft import WordCraft
from service.wordcraft.conftest import Edits
from service.wordcraft.documents import with_body

pytestmark = pytest.mark.documents

WORDS = ("one", "two", "three", "four", "five", "six", "seven")
COMMENTED = (2, 5)
"""The comment is on "three four five"."""
KINDS = ("replace", "delete", "before", "after")
EDITS = list(product(KINDS, combinations(range(len(WORDS) + 1), 2)))
"""What is done to every run of words: before the comment, touching it, into it, within, over it, and behind it."""
NEW = "new"


def words(number: int, first: int, last: int) -> str:
    return " ".join(f"{word}{number:03}" for word in WORDS[first:last])


def command(number: int, kind: str, first: int, last: int) -> tuple[str, dict[str, str]]:
    quote = words(number, first, last)
    match kind:
        case "replace":
            return "replace_text", {"quote": quote, "replacement": NEW}
        case "delete":
            return "delete_text", {"quote": quote}
        case _:
            return "insert_text", {"quote": quote, "text": NEW, "position": kind}


def expected(number: int, kind: str, first: int, last: int) -> str:
    """The words of the comment afterwards: what is left of its own, and what took the place of the others."""
    text, commented, edited = words(number, 0, len(WORDS)), words(number, *COMMENTED), words(number, first, last)
    start, begin = text.index(commented), text.index(edited)
    end, over = start + len(commented), begin + len(edited)
    if kind in ("before", "after"):
        begin = over = begin if kind == "before" else over
        return text[start:begin] + NEW + text[over:end] if start < begin <= end else commented
    new = NEW if kind == "replace" else ""
    kept = text[start : max(start, begin)], text[min(end, over) : end]
    if over <= start or end <= begin:
        return commented
    return new.join(kept) if begin >= start or not kept[1] else kept[1]


@pytest.fixture(scope="module")
async def commented(edits: Edits) -> bytes:
    """A paragraph for every edit, each with a comment of Nadia's."""
    lines = (words(number, 0, len(WORDS)) for number in range(len(EDITS)))
    content = with_body("".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in lines))
    comments = [
        ("add_comment", {"quote": words(number, *COMMENTED), "text": f"Why {number}?"}) for number in range(len(EDITS))
    ]
    return (await edits(content, *comments, author="Nadia")).content


async def anchored(app: WordCraft, content: bytes) -> list[str]:
    review = (await app.extract(content)).review
    comments = {it["text"]: it["anchored_text"] for it in review if it["type"] == "comment"}
    return [comments[f"Why {number}?"] for number in range(len(EDITS))]


@pytest.mark.parametrize("tracked", [True, False], ids=["tracked", "direct"])
async def test_a_comment_is_not_orphaned_when_words_around_or_in_it_change(
    app: WordCraft, edits: Edits, commented: bytes, tracked: bool
) -> None:
    """F-09: accepted, too; and rejected it has all of its words again."""
    calls = [command(number, kind, *run) for number, (kind, run) in enumerate(EDITS)]
    edited = (await edits(commented, *calls, tracked=tracked)).content
    after = [expected(number, kind, *run) for number, (kind, run) in enumerate(EDITS)]
    assert await anchored(app, edited) == after
    if tracked:
        assert await anchored(app, (await edits(edited, ("accept_all_changes", {}))).content) == after
        rejected = await anchored(app, (await edits(edited, ("reject_all_changes", {}))).content)
        for number, text in enumerate(rejected):
            assert words(number, *COMMENTED) in text
