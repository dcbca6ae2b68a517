"""Commands on words."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar, Final, Literal

from pydantic import Field

from lattice_wordcraft.blocks import Block
from lattice_wordcraft.catalogue.command import Command, Job, Line, Quote, Within
from lattice_wordcraft.catalogue.markup import element_of, put_back, words_inserted
from lattice_wordcraft.catalogue.ranges import comments_of_only, stretch
from lattice_wordcraft.quotes import Place
from lattice_wordcraft.refusals import CommandRefused

_INSIDE_WORDS: Final = ".,'\u2019"
"""What joins where it stands between letters or digits: 48,000 changes as one."""


class ReplaceText(Command):
    """Replace quoted words by others."""

    id: ClassVar[str] = "replace_text"
    label: ClassVar[str] = "Replace text"
    description: ClassVar[str] = (
        "Replaces the quoted words, which must occur exactly once, by others; an empty replacement deletes them. "
        "Only the words that differ are changed, and the new ones take the formatting of the old."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "change wording", "edit a word", "fix a typo", "correct spelling", "rewrite a sentence", "reword",
        "rephrase", "change the date", "update a number or date", "substitute", "swap", "replace a word",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "on Monday", "replacement": "on Tuesday"}

    quote: Quote
    replacement: Line
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Replace the one place of the quote."""
        await _replace(job, await job.quotes.only(self.quote, self.within), self.replacement)


class ReplaceEverywhere(Command):
    """Replace words wherever they occur."""

    id: ClassVar[str] = "replace_everywhere"
    label: ClassVar[str] = "Replace everywhere"
    description: ClassVar[str] = (
        "Replaces every occurrence of the quoted words, in the body, tables, headers, footers and notes. "
        "Refused when they do not occur, or not as often as `expected_count` says."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "find and replace all", "rename throughout the document", "replace all occurrences", "everywhere",
        "each mention", "global replace", "all instances",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Acme", "replacement": "Apex"}

    quote: Quote
    replacement: Line
    expected_count: int | None = Field(default=None, ge=1, description="How often the words are expected to occur.")

    async def apply(self, job: Job) -> None:
        """Replace every place, from the last to the first of a paragraph, so that offsets stay true."""
        places = await job.quotes.every(self.quote)
        if not places or self.expected_count not in (None, len(places)):
            expected = "" if self.expected_count is None else f", not {self.expected_count} times"
            raise CommandRefused(f"the words occur {len(places)} times{expected}")
        for place in sorted(places, key=lambda it: -it.start):
            await _replace(job, place, self.replacement)


class InsertText(Command):
    """Insert words beside quoted ones."""

    id: ClassVar[str] = "insert_text"
    label: ClassVar[str] = "Insert text"
    description: ClassVar[str] = (
        "Inserts words right after (or before) the quoted words, which must occur exactly once, in the same paragraph. "
        "Spaces are inserted only where `text` has them; the words take the formatting of what stands before them."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "insert words", "add words to a sentence", "add a word", "put a phrase before", "extend a sentence",
        "append to the sentence", "add a missing word",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "on Monday", "text": " at noon", "position": "after"}

    quote: Quote
    text: Line = Field(min_length=1)
    position: Literal["after", "before"] = "after"
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Insert at the one place of the quote."""
        place = await job.quotes.only(self.quote, self.within)
        at = place.end if self.position == "after" else place.start
        await _replace(job, Place(place.block, at, at), self.text)


class DeleteText(Command):
    """Delete quoted words."""

    id: ClassVar[str] = "delete_text"
    label: ClassVar[str] = "Delete text"
    description: ClassVar[str] = (
        "Deletes exactly the quoted words, which must occur once; the paragraph stays, even when it is empty then. "
        "Quote a space with them where one would be left over. Refused where they hold a tab or a line break."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "delete words", "remove words", "cut text", "strike a sentence", "take out a phrase", "shorten a sentence",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": " in Berlin"}

    quote: Quote
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Delete the one place of the quote."""
        await _replace(job, await job.quotes.only(self.quote, self.within), "")


class ChangeCase(Command):
    """Change the case of quoted words."""

    id: ClassVar[str] = "change_case"
    label: ClassVar[str] = "Change case"
    description: ClassVar[str] = (
        "Writes the quoted words in upper case, lower case, with each first letter capital (title), or with the very "
        "first letter capital alone (sentence). Each word keeps its formatting. For capitals that are only a look, "
        "take set_capitals."
    )
    also_known_as: ClassVar[tuple[str, ...]] = (
        "uppercase", "lowercase", "capitalize", "title case", "sentence case", "all upper case letters",
        "make this capitals", "decapitalize",
    )  # fmt: skip
    example: ClassVar[dict[str, Any]] = {"quote": "Closing words", "case": "upper"}

    quote: Quote
    case: Literal["upper", "lower", "title", "sentence"]
    within: Within = None

    async def apply(self, job: Job) -> None:
        """Change word by word, from the last to the first, so that offsets and formatting stay."""
        place = await job.quotes.only(self.quote, self.within)
        words = list(re.finditer(r"\w+", place.text))
        changed = False
        for word in reversed(words):
            cased = _CASES[self.case](word[0], word is words[0])
            if cased != word[0]:
                changed = True
                await _replace(job, Place(place.block, place.start + word.start(), place.start + word.end()), cased)
        if not changed:
            raise CommandRefused("the words are in that case already")


COMMANDS: Final = (ReplaceText, ReplaceEverywhere, InsertText, DeleteText, ChangeCase)
"""In the order of the catalogue."""

_CASES: Final[Mapping[str, Callable[[str, bool], str]]] = {
    "upper": lambda word, _: word.upper(),
    "lower": lambda word, _: word.lower(),
    "title": lambda word, _: word[0].upper() + word[1:].lower(),
    "sentence": lambda word, is_first: word[0].upper() + word[1:].lower() if is_first else word.lower(),
}
"""How a word is written, and whether it is the first."""


async def rewrite(job: Job, block: Block, text: str) -> None:
    """Give a paragraph other words; only those that differ are changed."""
    await _replace(job, Place(block, 0, len(block.passage.text)), text)


async def _replace(job: Job, place: Place, replacement: str) -> None:
    """Replace what differs between the words at a place and their replacement."""
    kept_before, kept_after = _kept(place.text, replacement)
    place = Place(place.block, place.start + kept_before, place.end - kept_after)
    new = replacement[kept_before : len(replacement) - kept_after]
    if place.text == new:
        raise CommandRefused("the replacement equals what is there")
    if not place.is_plain:
        raise CommandRefused("the words hold a tab, a line break, an equation or ruby text; quote the words beside it")
    before = await job.quotes.text_of(place.block)
    if place.start == place.end:
        await words_inserted(job, place.block, place.start, new)
    else:
        comments = await _comments_of_only(job, place)
        span = place.span
        for anchor in place.block.anchors:
            await job.edit(
                "replace_text_at_span", anchorId=anchor, spanStart=span.start, spanLength=span.length, replace=new
            )
        await _keep_comments(job, place, new, comments)
    # What the engine counts is only known from outside: its word is checked against the result.
    if await job.quotes.text_of(place.block) != before[: place.start] + new + before[place.end :]:
        raise CommandRefused("the engine cannot replace these words without touching others")


async def _comments_of_only(job: Job, place: Place) -> AbstractSet[str]:
    """The comments whose words are all among those at a place."""
    if not place.block.is_commented:
        return frozenset()
    return comments_of_only(await element_of(job, place.block.anchor), place.start, place.end)


async def _keep_comments(job: Job, place: Place, new: str, comments: AbstractSet[str]) -> None:
    """Let comments stand at the new words whose old words are gone; without new words they stay where those were."""
    if not comments or not new:
        return
    paragraph = await element_of(job, place.block.anchor)
    if stretch(paragraph, comments, place.start, place.start + len(new)):
        await put_back(job, place.block.anchor, paragraph)


def _kept(old: str, new: str) -> tuple[int, int]:
    """How many characters at the start and at the end stay, never cutting a word."""
    shorter = min(len(old), len(new))
    before = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    while before and _in_word(old, before) | _in_word(new, before):
        before -= 1
    most = shorter - before
    after = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    while after and _in_word(old, len(old) - after) | _in_word(new, len(new) - after):
        after -= 1
    return before, after


def _in_word(text: str, at: int) -> bool:
    """Whether a cut before the character at this position would part a word or a number."""
    return 0 < at < len(text) and _is_of_word(text, at - 1) and _is_of_word(text, at)


def _is_of_word(text: str, at: int) -> bool:
    character = text[at]
    if character in _INSIDE_WORDS:
        return 0 < at < len(text) - 1 and text[at - 1].isalnum() and text[at + 1].isalnum()
    return character.isalnum() or unicodedata.category(character).startswith("M")
