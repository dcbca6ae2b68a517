"""Applying a batch: every command or none, in the name and at the time of one author [F-08 to F-10].

The engine's result is not taken as it is: parts that no command may change come from the original,
and the time of every new tracked change is set to the batch's, since the engine knows only its own.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, cast

from lxml import etree

from lattice_wordcraft import package, xml
from lattice_wordcraft.blocks import anchored
from lattice_wordcraft.catalogue import command_of
from lattice_wordcraft.catalogue.command import Command, Job, written_time
from lattice_wordcraft.host import EngineHosts
from lattice_wordcraft.package import Package, Role
from lattice_wordcraft.ports import Document
from lattice_wordcraft.quotes import Quotes
from lattice_wordcraft.refusals import AppRefused, CommandRefused
from lattice_wordcraft.xml import W


@dataclass(frozen=True, kw_only=True)
class Call:
    """A command by its id, with its arguments as JSON text."""

    command: str
    arguments_json: str = ""


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What to do, in whose name, at what time, and whether as tracked changes."""

    calls: Sequence[Call]
    author: str
    time: datetime
    tracked: bool


@dataclass(frozen=True, kw_only=True)
class Applied:
    """The package that a batch produced, and the parts in which it differs from the original; sorted."""

    content: bytes
    changed_parts: Sequence[str]


async def applied(batch: Batch, original: Package, hosts: EngineHosts) -> Applied:
    """The result of a batch on a package.

    Raises:
        AppRefused: a command cannot be applied, or all of them leave the document as it was.
        AppTimeout, AppCrashed: the engine took too long, or died.
    """
    commands = [_parsed(index, call) for index, call in enumerate(batch.calls)]
    if original.is_strict:
        raise _refused(0, batch, "the document is Strict OOXML, which can be read but not edited")
    time = written_time(batch.time)
    content, stories = await asyncio.to_thread(anchored, original)
    async with hosts.document(content, author=batch.author, tracked=batch.tracked) as document:
        quotes = Quotes(document, stories)
        job = Job(document=document, quotes=quotes, author=batch.author, time=time, tracked=batch.tracked)
        for index, command in enumerate(commands):
            try:
                await command.apply(job)
            except CommandRefused as error:
                raise _refused(index, batch, str(error)) from error
        produced = await _without_lost_comments(document, original)
    changeable = frozenset[Role]().union(*(command.changes for command in commands))
    parts = await asyncio.to_thread(_result, original, produced, changeable, (batch.author, time))
    changed = package.changed_parts(original, parts)
    if not changed:
        raise _refused(len(commands) - 1, batch, "the batch leaves the document unchanged")
    return Applied(content=await asyncio.to_thread(package.packed, parts, original), changed_parts=changed)


async def _without_lost_comments(document: Document, original: Package) -> bytes:
    """The result; a comment whose marks went with the words around them goes, too, as it does in Word."""
    produced = await document.saved()
    marked = _marked_comments(original)
    if not marked:
        return produced
    lost = marked - await asyncio.to_thread(lambda: _marked_comments(package.reopened(produced, original.parts)))
    for comment in await document.ask("list_comments") if lost else ():
        if str(comment["id"]) in lost:
            await document.edit("remove_comment", commentAnchorId=comment["anchorId"])
    return await document.saved() if lost else produced


def _marked_comments(read: Package) -> set[str]:
    """The numbers of the comments that the text refers to."""
    return {
        reference.get(f"{W}id", "")
        for name in read.named(*package.TEXT_ROLES)
        if b"commentReference" in read.parts[name]
        for reference in xml.parsed(name, read.parts[name]).iter(f"{W}commentReference")
    }


def _result(
    original: Package, produced: bytes, changeable: frozenset[Role], stamp: tuple[str, str]
) -> dict[str, bytes]:
    made = package.reopened(produced, original.parts)
    made = replace(made, parts={name: _as_tracking_was(original, made, name) for name in made.parts})
    parts = package.restored(original, made, changeable)
    for name in original.named(*package.TEXT_ROLES):
        if name in parts and parts[name] is not original.parts[name]:
            parts[name] = _stamped(name, original.parts[name], parts[name], *stamp)
    return parts


def _as_tracking_was(original: Package, made: Package, name: str) -> bytes:
    """The part; of the settings without the order to track people's changes, unless the original has it.

    The engine leaves that order behind, but whether Word tracks what people type is theirs to say.
    """
    part = made.parts[name]
    if made.roles.get(name) is not Role.SETTINGS or b"trackRevisions" in original.parts.get(name, b""):
        return part
    root = xml.parsed(name, part)
    for order in root.findall(f"{W}trackRevisions"):
        root.remove(order)
    return xml.written(root)


def _stamped(name: str, before: bytes, after: bytes, author: str, time: str) -> bytes:
    """The part with the given time in every tracked change that the author has newly made in it."""
    known = {it.get(f"{W}date") for it in _by(author, xml.parsed(name, before))}
    root = xml.parsed(name, after)
    new = [it for it in _by(author, root) if it.get(f"{W}date") not in known]
    for change in new:
        change.set(f"{W}date", time)
    return xml.written(root) if new else after


_BY: Final = etree.XPath("//*[@w:author = $author]", namespaces={"w": W.strip("{}")})


def _by(author: str, root: etree._Element) -> list[etree._Element]:
    """The tracked changes and comments' marks of an author."""
    return cast("list[etree._Element]", _BY(root, author=author))  # noqa: SLF001  lxml names its element so


def _parsed(index: int, call: Call) -> Command:
    try:
        return command_of(call.command, call.arguments_json)
    except CommandRefused as error:
        raise AppRefused(index=index, command=call.command, why=str(error)) from error


def _refused(index: int, batch: Batch, why: str) -> AppRefused:
    return AppRefused(index=index, command=batch.calls[index].command, why=why)
