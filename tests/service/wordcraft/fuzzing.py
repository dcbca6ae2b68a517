"""Documents that went wrong: each a real one with some mutations, told by a seed, and what a worker makes of it.

Mutations are of four levels: the bytes of the archive, the tokens or the elements of an XML part, its
attributes, and the bytes of a part.
"""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import grpc
from lattice_chassis.errors import refusal_of
from lattice_wordcraft import package
from lxml import etree
from service.wordcraft.documents import parts_of
from service.wordcraft.worker import Worker

SECONDS: Final = 20.0
_TOO_LARGE: Final = "l03-12MB-xml-tables.docx"
"""Each mutant of it would take seconds, and it has nothing that the others lack."""

_WORDS: Final = re.compile(rb"<(?:\w+:)?t(?:\s[^>]*)?>[^<]*\w")
_TOKEN: Final = re.compile(rb"<[^>]*>|[^<]+")
_ATTRIBUTE: Final = re.compile(rb'\s[\w:]+="([^"]*)"')
_VALUES: Final = (
    *("", "-1", "0", "1", "2147483648", "-9223372036854775809", "99999999999999999999", "1e309", "NaN", "true"),
    *("rId1", "rId999", "../../../etc/passwd", "http://127.0.0.1:9/", "\u202e\u0000", "&#x0;", "&lt;", "A" * 70_000),
)
_EXPECTED: Final = frozenset({"FILE_REFUSED", "FILE_TOO_LARGE", "APP_CRASHED", "APP_TIMEOUT"})
"""The last two tell that the engine failed; its host is replaced, and the worker lives."""


@dataclass(frozen=True)
class Mutant:
    """A document that went wrong."""

    seed: int
    original: str
    level: str
    content: bytes


@dataclass(frozen=True)
class Outcome:
    """What a worker made of a mutant: read, refused with a guard, or a failure of the engine; and how long it took."""

    what: str
    seconds: float


def mutant(seed: int, corpus: Path) -> Mutant:
    """The mutant of a seed."""
    random = Random(seed)  # noqa: S311  nothing is to be kept secret
    original = random.choice(originals(corpus))
    level = random.choice(list(_LEVELS))
    return Mutant(seed, original.name, level, _LEVELS[level](original.read_bytes(), random))


def originals(corpus: Path) -> list[Path]:
    """The readable documents with words."""
    return [path for path in sorted(corpus.glob("[ctsio]*.docx")) if path.name != _TOO_LARGE]


async def played(mutant: Mutant, worker: Worker) -> Outcome:
    """What the worker made of it.

    Raises:
        AssertionError: it died, took longer than 20 s, failed without a type, or read nothing where words are.
    """
    began = time.monotonic()
    try:
        async with asyncio.timeout(SECONDS):
            text, _ = await worker.extract(mutant.content)
    except TimeoutError:
        raise AssertionError("it hangs") from None
    except grpc.aio.AioRpcError as error:
        what = _typed(error)
    else:
        is_empty = not text.strip()
        assert not (is_empty and _has_words(mutant.content)), "words are there, and the text is empty"
        what = "read, and without words" if is_empty else "read"
    assert worker.process.returncode is None, "the worker died"
    return Outcome(what, time.monotonic() - began)


def _typed(error: grpc.aio.AioRpcError) -> str:
    """The guard that refused, or how the engine failed."""
    refusal = refusal_of(error)
    assert refusal is not None, f"untyped: {error.details()}"
    assert refusal.reason in _EXPECTED, f"{refusal.reason}: {error.details()}"
    return refusal.metadata.get("guard", refusal.reason)


def _has_words(content: bytes) -> bool:
    return any(_WORDS.search(part) for part in parts_of(content).values())


def _archive(content: bytes, random: Random) -> bytes:
    """Some bytes of the archive changed, most of them in its directory; or it is cut off."""
    if random.random() < 0.1:
        return content[: random.randrange(len(content))]
    changed = bytearray(content)
    directory = content.find(b"PK\x01\x02")
    for _ in range(random.randint(1, 6)):
        at = random.randrange(directory if random.random() < 0.7 else 0, len(content))
        changed[at] = random.randrange(256)
    return bytes(changed)


def _tokens(part: bytes, random: Random) -> bytes:
    """Some tokens of a part dropped, doubled or moved."""
    tokens = _TOKEN.findall(part)
    for _ in range(random.randint(1, 6)):
        at = random.randrange(len(tokens))
        match random.randrange(3):
            case 0 if len(tokens) > 1:
                del tokens[at]
            case 1:
                tokens.insert(random.randrange(len(tokens)), tokens[at])
            case _:
                other = random.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
    return b"".join(tokens)


def _elements(part: bytes, random: Random) -> bytes:
    """Some elements of a part dropped, doubled, moved or renamed, so that it stays well-formed."""
    root = etree.fromstring(part)
    for _ in range(random.randint(1, 6)):
        elements = list(root.iter(etree.Element))
        element, other = random.choice(elements), random.choice(elements)
        parent = element.getparent()
        match random.randrange(4):
            case 0 if parent is not None:
                parent.remove(element)
            case 1 if parent is not None:
                parent.insert(0, etree.fromstring(etree.tostring(element, with_tail=False)))
            case 2 if parent is not None and element not in other.iterancestors() and element is not other:
                other.append(element)
            case _:
                element.tag = other.tag
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _attributes(part: bytes, random: Random) -> bytes:
    """The values of some attributes of a part replaced."""
    for _ in range(random.randint(1, 6)):
        found = list(_ATTRIBUTE.finditer(part))
        if found:
            start, end = random.choice(found).span(1)
            part = part[:start] + random.choice(_VALUES).encode() + part[end:]
    return part


def _bytes(part: bytes, random: Random) -> bytes:
    """Some bytes of a part changed."""
    changed = bytearray(part)
    for _ in range(random.randint(1, 4)):
        changed[random.randrange(len(changed))] = (
            random.choice(b"<>\"'/&=\x00\xff a0") if random.random() < 0.5 else random.randrange(256)
        )
    return bytes(changed)


def _in_a_part(change: Callable[[bytes, Random], bytes]) -> Callable[[bytes, Random], bytes]:
    """The change, made to one of the XML parts; every other time to the main part."""

    def changed(content: bytes, random: Random) -> bytes:
        parts = parts_of(content)
        names = [name for name in parts if name.endswith((".xml", ".rels")) and parts[name]]
        name = "word/document.xml" if random.random() < 0.5 and "word/document.xml" in parts else random.choice(names)
        return package.packed({**parts, name: change(parts[name], random)})

    return changed


_LEVELS: Final[dict[str, Callable[[bytes, Random], bytes]]] = {
    "archive": _archive,
    "tokens": _in_a_part(_tokens),
    "elements": _in_a_part(_elements),
    "attributes": _in_a_part(_attributes),
    "bytes": _in_a_part(_bytes),
}
