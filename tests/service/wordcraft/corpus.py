"""What one replaced word changes in each document of the corpus; as a program, the table of it.

`PYTHONPATH=tests .venv/bin/python -m service.wordcraft.corpus ../shared/corpus > docs/wordcraft-corpus.md`
"""

import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lattice_wordcraft import guards, package, xml
from lattice_wordcraft.batch import Batch, Call
from lattice_wordcraft.host import EngineHosts
from lattice_wordcraft.ports import Page
from lattice_wordcraft.refusals import AppRefused, FileRefused
from lattice_wordcraft.rendering.cache import Cache
from lattice_wordcraft.rendering.jobs import Jobs
from lattice_wordcraft.rendering.rdocx import Rdocx
from lattice_wordcraft.review import Item
from lattice_wordcraft.sandbox.confinement import chosen
from lattice_wordcraft.sandbox.rooms import Rooms
from lattice_wordcraft.wordcraft import Extract, WordCraft
from lattice_wordcraft.xml import W

NEW = "LATTICE"
NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


class NoWords(Exception):
    """The document has not one word."""


@dataclass(frozen=True)
class Replaced:
    """A document before and after a word was replaced in it, tracked."""

    word: str
    count: int
    """How often the word occurred."""
    original: bytes
    content: bytes
    changed_parts: Sequence[str]
    before: Extract
    after: Extract


async def replaced(app: WordCraft, original: bytes) -> Replaced:
    """Replace the longest word that occurs once, or where there is none the longest of all, wherever it occurs.

    Raises:
        FileRefused, AppRefused: the document is not read, or not edited.
        NoWords: there is nothing in it to replace.
    """
    before = await app.extract(original)
    word = _word(before.text)
    count = before.text.count(word)
    arguments = {"quote": word, "replacement": NEW, "expected_count": count}
    batch = Batch(
        calls=[Call(command="replace_everywhere", arguments_json=json.dumps(arguments))],
        author="assistant",
        time=NOON,
        tracked=True,
    )
    applied, after = await app.apply(batch, original)
    return Replaced(word, count, original, applied.content, applied.changed_parts, before, after)


def parts_with(content: bytes, word: str) -> set[str]:
    """The parts in whose words this one occurs, however it is cut into runs."""
    read = package.opened(content, guards.Limits())
    found = set()
    for name in read.named(*package.TEXT_ROLES):
        root = xml.parsed_story(name, read.parts[name])
        if any(word in "".join(it.text or "" for it in paragraph.iter(f"{W}t")) for paragraph in root.iter(f"{W}p")):
            found.add(name)
    return found


def comments_of(extract: Extract) -> list[Item]:
    """The comments of a review."""
    return [it for it in extract.review if it["type"] == "comment"]


async def row(app: WordCraft, name: str, content: bytes) -> str:
    """What is to be said of a document, as a row of the table."""
    try:
        it = await replaced(app, content)
    except FileRefused as refused:
        return f"| {name} | refused ({refused.guard}) | | |"
    except NoWords:
        return f"| {name} | read, no word in it | | |"
    except AppRefused as refused:
        return f"| {name} | read, not edited: {refused.why.partition(';')[0]} | | |"
    parts = package.opened(it.original, guards.Limits()).parts
    return f"| {name} | {it.word}, {it.count} | {', '.join(it.changed_parts)} | {len(parts)} |"


def _word(text: str) -> str:
    words: list[str] = re.findall(r"[^\W_]+", text)
    if not words:
        raise NoWords
    once = [word for word in words if text.count(word) == 1]
    return min(once or words, key=lambda word: (-len(word), word))


async def _table(documents: Mapping[str, bytes]) -> None:
    print("# One word replaced, tracked, in each document of the corpus\n")
    print("Written by `python -m service.wordcraft.corpus`; `test_corpus.py` holds it to what is so.\n")
    print("| Document | Word, and how often | Parts that differ | Parts |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        rooms = Rooms(confinement=chosen(Path(name), unconfined=True), folder=Path(name))
        limit = timedelta(minutes=5)
        hosts = EngineHosts(rooms, tenant=lambda: "corpus", size=1, time_limit=limit, jobs_per_host=50)
        pages = Cache[Page](lambda page: len(page.png), tenant=lambda: "corpus", max_bytes=0)
        drawing = Rdocx(Jobs(rooms, size=1, time_limit=limit))
        app = WordCraft(hosts, drawing, guards.Limits(), pages, time_limit=limit)
        for document, content in documents.items():
            print(await row(app, document, content))
        await hosts.close()


if __name__ == "__main__":
    corpus = sorted(Path(sys.argv[1]).glob("*.doc?"))
    asyncio.run(_table({path.name: path.read_bytes() for path in corpus}))
