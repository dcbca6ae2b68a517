"""Properties of paragraphs, of words and of sections, changed in the document's own markup.

The engine has no operation for some of them (keeping with the next, shading, kinds of underline,
columns), for others none that is tracked, and it refuses a second tracked change of one paragraph.
What is changed here is therefore always tracked where the job is: the properties as they were stand
beside the new ones. A change that nobody has accepted or rejected yet keeps the state it began
from; one of another author is refused rather than taken over.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Final, TypeAlias

from lxml import etree

from lattice_wordcraft import package, xml
from lattice_wordcraft.blocks import ENGINE_ID, Block, block_id
from lattice_wordcraft.catalogue.command import Job
from lattice_wordcraft.catalogue.properties import drop, first_of, new_id, placed, without
from lattice_wordcraft.catalogue.runs import like, part, runs_of
from lattice_wordcraft.ports import Edited
from lattice_wordcraft.quotes import Place
from lattice_wordcraft.refusals import CommandRefused
from lattice_wordcraft.xml import W

Change: TypeAlias = "Callable[[etree._Element], None]"  # noqa: SLF001  lxml names its element so
"""Changes a `w:pPr`, `w:rPr` or `w:sectPr` in place."""

_NOT_OF_THE_PAST: Final = {
    f"{W}pPr": ("rPr", "sectPr", "pPrChange"),
    f"{W}rPr": ("ins", "del", "moveFrom", "moveTo", "rPrChange"),
    f"{W}sectPr": ("headerReference", "footerReference", "sectPrChange"),
}
"""What the properties as they were leave out, since the schema has no room for it."""

_TAKEN: Final = {
    W[1:-1],
    *(
        f"http://schemas.openxmlformats.org/{name}"
        for name in (
            "officeDocument/2006/math",
            "officeDocument/2006/relationships",
            "drawingml/2006/main",
            "drawingml/2006/wordprocessingDrawing",
        )
    ),
}
"""The namespaces of the elements that the engine takes in markup of ours; of others it refuses all."""


def revision(job: Job) -> dict[str, str]:
    """The attributes of a new tracked change of the job's author."""
    return {f"{W}id": new_id(), f"{W}author": job.author, f"{W}date": job.time}


async def element_of(job: Job, anchor: str) -> etree._Element:
    """A block as it stands, to be changed and put back with `put_back`."""
    source: str = await job.document.ask("raw_get_xml", anchorId=anchor)
    # The engine indents what it shows; a text keeps its spaces since it says so.
    root = xml.parsed(anchor, source.encode())
    for element in root.iter():
        if element.text and not element.text.strip() and len(element):
            element.text = None
        if element.tail and not element.tail.strip():
            element.tail = None
    return root


async def put_back(job: Job, anchor: str, element: etree._Element) -> None:
    """Replace a block by what was made of it, pictures, text boxes and check boxes in it included."""
    for properties in list(element.iter(f"{W}pPr", f"{W}rPr")):
        parent = properties.getparent()
        if len(properties) == 0 and parent is not None and parent.tag in (f"{W}p", f"{W}r"):
            parent.remove(properties)
    if {etree.QName(it).namespace for it in element.iter("*")} <= _TAKEN:
        await job.edit("raw_replace_xml", anchorId=anchor, xml=etree.tostring(element, encoding="unicode"))
        return
    # The engine keeps what it does not take, but only where it reads it in a package.
    anchored = await job.document.saved(anchored=True)
    await job.document.reopen(await asyncio.to_thread(_with_block, anchored, block_id(anchor), element))
    await job.quotes.keep_up(Edited(modified=(anchor,)))


async def paragraphs_changed(job: Job, blocks: Sequence[Block], change: Change) -> None:
    """Change the properties of paragraphs, in every form of them.

    Raises:
        CommandRefused: all of them are so already, or another author's change of one is pending.
    """
    changed = False
    for block in blocks:
        for anchor in block.anchors:
            paragraph = await element_of(job, anchor)
            if _changed(job, first_of(paragraph, "pPr"), change):
                changed = True
                await put_back(job, anchor, paragraph)
    _check(changed=changed, what="the paragraph")


async def words_changed(job: Job, place: Place, change: Change) -> None:
    """Change the properties of the words at a place, in every form of their paragraph.

    Raises:
        CommandRefused: they are so already, or another author's change of them is pending.
    """
    changed = False
    for anchor in place.block.anchors:
        paragraph = await element_of(job, anchor)
        runs = runs_of(paragraph, place.start, place.end)
        if [run for run in runs if _changed(job, first_of(run, "rPr"), change)]:
            changed = True
            await put_back(job, anchor, paragraph)
    _check(changed=changed, what="the text")


async def sections_changed(job: Job, anchors: Sequence[str], change: Change) -> None:
    """Change the properties of sections.

    Raises:
        CommandRefused: all of them are so already, or another author's change of one is pending.
    """
    changed = False
    for anchor in anchors:
        section = await element_of(job, anchor)
        if _changed(job, section, change):
            changed = True
            await put_back(job, anchor, section)
    _check(changed=changed, what="the section")


async def paragraphs_edited(job: Job, blocks: Sequence[Block], operation: str, **arguments: object) -> None:
    """Carry out an operation of the engine on each paragraph's properties, tracked where the job is.

    The operation itself is made directly, since tracked the engine refuses many of them.

    Raises:
        CommandRefused: the engine refuses it, it changes nothing, or another author's change is pending.
    """
    changed = False
    for block in blocks:
        for anchor in block.anchors:
            past = await pasts(job, [anchor])
            edited = await job.edit_directly(operation, anchorId=anchor, **arguments)
            changed |= await marked(job, edited, past)
    _check(changed=changed, what="the paragraph")


async def pasts(job: Job, anchors: Sequence[str]) -> dict[str, etree._Element]:
    """The properties of paragraphs as they are now, by the id of the paragraph; for `marked`."""
    return {block_id(it): _past(first_of(await element_of(job, it), "pPr")) for it in anchors}


async def marked(job: Job, edited: Edited, past: Mapping[str, etree._Element]) -> bool:
    """Track what a direct edit did to the properties of paragraphs; whether it did anything."""
    changed = False
    for anchor in edited.modified:
        paragraph = await element_of(job, anchor)
        properties = first_of(paragraph, "pPr")
        before = past[block_id(anchor)]
        if _same(before, _past(properties)):
            continue
        changed = True
        if job.tracked:
            _mark(job, properties, before)
            await put_back(job, anchor, paragraph)
    return changed


async def words_inserted(job: Job, block: Block, position: int, text: str) -> None:
    """Insert words before the character at this position, in every form of the paragraph.

    They take the look of the words before them, or at the start of the paragraph of those after. At the edge of a
    link they stand outside of it, and another author's insertion is parted around them.
    """
    for anchor in block.anchors:
        paragraph = await element_of(job, anchor)
        beside = runs_of(paragraph, *((position - 1, position) if position else (0, 1)))
        if not beside:
            raise CommandRefused("an equation or ruby text stands right there; quote words beside it")
        _insert_beside(job, beside[0], like(beside[0], text), is_after=position > 0)
        await put_back(job, anchor, paragraph)


async def cut(job: Job, block: Block, position: int) -> None:
    """Let a run end before the character at this position, and hold one element alone up to it and after it.

    The engine moves a tab or a break of a run that it cuts itself; what this does changes no meaning.
    """
    if block.passage.is_counted:
        return
    for anchor in block.anchors:
        paragraph = await element_of(job, anchor)
        runs_of(paragraph, 0, position)
        runs_of(paragraph, position, len(block.passage.text))
        await put_back(job, anchor, paragraph)


def _with_block(anchored: bytes, block: str, element: etree._Element) -> bytes:
    """An anchored package in which this element stands for the block of this id."""
    read = package.reopened(anchored)
    for name in read.named(*package.TEXT_ROLES):
        root = xml.parsed(name, read.parts[name])
        for there in root.iter(element.tag):
            parent = there.getparent()
            if parent is not None and there.get(ENGINE_ID) == block:
                element.tail = there.tail
                parent.replace(there, element)
                return package.packed({**read.parts, name: xml.written(root)})
    raise CommandRefused("the engine lost the place of these words")


def _insert_beside(job: Job, run: etree._Element, inserted: etree._Element, *, is_after: bool) -> None:
    spot, is_in_own = run, False
    while (around := spot.getparent()) is not None and around.tag in (f"{W}hyperlink", f"{W}ins", f"{W}moveTo"):
        is_link = around.tag == f"{W}hyperlink"
        is_at_edge = (spot.getnext() if is_after else spot.getprevious()) is None
        is_in_own = job.tracked and around.tag == f"{W}ins" and around.get(f"{W}author") == job.author
        if is_in_own or (is_link and not is_at_edge):
            break
        if is_link:
            drop(first_of(inserted, "rPr"), "rStyle", "color", "u")
        elif not is_at_edge:
            part(around, around.index(spot) + is_after)
            is_after = True
        spot = around
    if job.tracked and not is_in_own:
        insertion = etree.Element(f"{W}ins", revision(job))
        insertion.append(inserted)
        inserted = insertion
    if is_after:
        spot.addnext(inserted)
    else:
        spot.addprevious(inserted)


def _check(*, changed: bool, what: str) -> None:
    if not changed:
        raise CommandRefused(f"{what} is so already and would stay unchanged")


def _changed(job: Job, properties: etree._Element, change: Change) -> bool:
    past = _past(properties)
    change(properties)
    if _same(past, _past(properties)):
        return False
    if job.tracked:
        _mark(job, properties, past)
    return True


def _mark(job: Job, properties: etree._Element, past: etree._Element) -> None:
    """Note the properties as they were; a pending change of the same author keeps its own."""
    name = etree.QName(properties).localname
    pending = properties.find(f"{W}{name}Change")
    if pending is None:
        placed(properties, etree.Element(f"{W}{name}Change", revision(job))).append(past)
    elif pending.get(f"{W}author") != job.author:
        raise CommandRefused(
            f"its formatting was changed by {pending.get(f'{W}author')}; accept or reject that change first"
        )


def _past(properties: etree._Element) -> etree._Element:
    """The properties as a tracked change remembers them."""
    past = deepcopy(properties)
    past.tail = None
    past.attrib.clear()
    drop(past, *_NOT_OF_THE_PAST[past.tag])
    for element in past.iter():
        without(element, ENGINE_ID)
    return past


def _same(one: etree._Element, other: etree._Element) -> bool:
    # Exclusive: what namespaces the parents of the two declare is no difference.
    return _canonical(one) == _canonical(other)


def _canonical(element: etree._Element) -> bytes:
    return etree.tostring(element, method="c14n", exclusive=True)
