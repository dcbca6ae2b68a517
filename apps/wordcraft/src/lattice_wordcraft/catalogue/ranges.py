"""Ranges between two marks in a paragraph: the words of comments and of bookmarks."""

from collections.abc import Set as AbstractSet

from lxml import etree

from lattice_wordcraft import passages
from lattice_wordcraft.catalogue.runs import runs_of
from lattice_wordcraft.xml import W

_CHANGES = frozenset(W + name for name in ("ins", "del", "moveFrom", "moveTo"))


def enclose(paragraph: etree._Element, start: int, end: int, opening: etree._Element, closing: etree._Element) -> bool:
    """Put marks around the characters from `start` to before `end`; whether there are runs to put them around.

    A link around the words stays whole. A mark stands outside of a tracked change, which would take it along.
    """
    runs = runs_of(paragraph, start, end)
    if runs:
        _outermost(runs[0]).addprevious(opening)
        _outermost(runs[-1]).addnext(closing)
    return bool(runs)


def comments_of_only(paragraph: etree._Element, start: int, end: int) -> frozenset[str]:
    """The comments that have words between these two places and none beyond them."""
    text = "".join(text for _, text in passages.readings(paragraph))
    return frozenset(
        key
        for key, (opened, closed) in _commented(paragraph).items()
        if max(opened, start) < min(closed, end) and not _has_words(text[opened:start] + text[end:closed])
    )


def stretch(paragraph: etree._Element, comments: AbstractSet[str], start: int, end: int) -> bool:
    """Let these comments hold the characters from `start` to before `end`; whether one did not."""
    runs = runs_of(paragraph, start, end)
    stretched = False
    for key, (opened, closed) in _commented(paragraph).items():
        if key not in comments or not runs:
            continue
        if opened > start:
            stretched = True
            _outermost(runs[0]).addprevious(_mark(paragraph, "commentRangeStart", key))
        if closed < end:
            stretched = True
            closing = _mark(paragraph, "commentRangeEnd", key)
            reference = closing.getnext()
            _outermost(runs[-1]).addnext(closing)
            if reference is not None and reference.find(f"{W}commentReference[@{W}id='{key}']") is not None:
                closing.addnext(reference)
    return stretched


def _commented(paragraph: etree._Element) -> dict[str, tuple[int, int]]:
    """Between which characters each comment stands that begins and ends in the paragraph."""
    texts = dict(passages.readings(paragraph))
    opened: dict[str, int] = {}
    closed: dict[str, int] = {}
    at = 0
    for element in paragraph.iter("*"):
        at += len(texts.get(element, ""))
        if element.tag == f"{W}commentRangeStart":
            opened[element.get(f"{W}id", "")] = at
        elif element.tag == f"{W}commentRangeEnd":
            closed[element.get(f"{W}id", "")] = at
    return {key: (opened[key], closed[key]) for key in opened.keys() & closed.keys()}


def _mark(paragraph: etree._Element, name: str, key: str) -> etree._Element:
    return next(it for it in paragraph.iter(W + name) if it.get(f"{W}id") == key)


def _outermost(run: etree._Element) -> etree._Element:
    """The run, or the tracked change that it stands in."""
    parent = run.getparent()
    return run if parent is None or parent.tag not in _CHANGES else parent


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)
