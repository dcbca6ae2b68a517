"""The runs of a paragraph, cut so that they hold just the words that a command means."""

from copy import deepcopy
from typing import Final

from lxml import etree

from lattice_wordcraft import passages
from lattice_wordcraft.catalogue.properties import as_copies, drop
from lattice_wordcraft.xml import W

_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"


def runs_of(paragraph: etree._Element, start: int, end: int) -> list[etree._Element]:
    """The runs that hold the characters from `start` to before `end`, cut so that they hold no others.

    Equations are no runs and are left out.
    """
    runs, at = [], 0
    for element, text in passages.readings(paragraph):
        first, last = max(start - at, 0), min(end - at, len(text))
        at += len(text)
        run = element.getparent()
        if first < last and run is not None and run.tag == f"{W}r":
            runs.append(_cut_out(run, element, first, last))
    return runs


def alone(run: etree._Element, element: etree._Element) -> etree._Element:
    """A run that holds this element of the run and no other."""
    _split_run(run, run.index(element) + 1)
    return _split_run(run, run.index(element))


def like(run: etree._Element, text: str) -> etree._Element:
    """A new run of these words that looks like another."""
    new = etree.Element(f"{W}r")
    properties = run.find(f"{W}rPr")
    if properties is not None:
        new.append(deepcopy(properties))
        drop(new[0], "rPrChange")
        as_copies(new.iter())
    words = etree.SubElement(new, f"{W}t", {_SPACE: "preserve"})
    words.text = text
    return new


def part(parent: etree._Element, at: int) -> None:
    """Cut a tracked change in two before its child at this index; the second stands right behind the first."""
    rest = etree.Element(parent.tag, {str(key): str(value) for key, value in parent.attrib.items()})
    rest.extend(list(parent)[at:])
    as_copies([rest])
    parent.addnext(rest)


def _cut_out(run: etree._Element, element: etree._Element, first: int, last: int) -> etree._Element:
    """A run that holds just these characters of an element of the run."""
    text = element.text or ""
    if element.tag == f"{W}t" and last < len(text):
        _split_text(element, last)
    if element.tag == f"{W}t" and first > 0:
        element = _split_text(element, first)
    return alone(run, element)


def _split_text(element: etree._Element, at: int) -> etree._Element:
    """Cut a text in two and give the second."""
    text = element.text or ""
    rest = deepcopy(element)
    as_copies([rest])
    element.text, rest.text = text[:at], text[at:]
    for it in (element, rest):
        it.set(_SPACE, "preserve")
    element.addnext(rest)
    return rest


def _split_run(run: etree._Element, at: int) -> etree._Element:
    """Cut a run before its child at this index and give the run that begins with that child."""
    children = list(run)
    properties = run.find(f"{W}rPr")
    if at >= len(children) or at == (0 if properties is None else 1):
        return run
    rest = etree.Element(run.tag, {str(key): str(value) for key, value in run.attrib.items()})
    if properties is not None:
        rest.append(deepcopy(properties))
    rest.extend(children[at:])
    as_copies([rest, *([] if properties is None else rest[0].iter())])
    run.addnext(rest)
    return rest
