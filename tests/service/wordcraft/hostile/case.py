"""What a hostile package is: its bytes, and who is to refuse it."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from lattice_wordcraft import package
from service.wordcraft.documents import parts_of, plan

MAIN = "word/document.xml"
TYPES = "[Content_Types].xml"
ROOT_RELATIONS = "_rels/.rels"
MAIN_RELATIONS = "word/_rels/document.xml.rels"


@dataclass(frozen=True)
class Case:
    """A package made the same way each time, for a listener at an address, and the guard that refuses it."""

    name: str
    guard: str | None
    """None where the package is handled: read in time, within memory, and without a look outside."""
    made: Callable[[str], bytes]
    is_drawn: bool = False
    """Whether a page of it is to be drawn as well."""


def noise(size: int) -> bytes:
    """Bytes that no packing makes fewer, the same each time."""
    return hashlib.shake_256(b"noise").digest(size)


def plan_parts() -> dict[str, bytes]:
    """The parts of an honest document."""
    return dict(_plan_parts())


@cache
def _plan_parts() -> Mapping[str, bytes]:
    return parts_of(plan())


def with_parts(parts: Mapping[str, bytes | None]) -> bytes:
    """The plan with some parts replaced, added or (None) left out."""
    kept = {name: part for name, part in {**plan_parts(), **parts}.items() if part is not None}
    return package.packed(kept)


def with_inserted(name: str, mark: str, text: str) -> bytes:
    """The plan with some text in front of the last such mark in a part."""
    before, found, after = plan_parts()[name].decode().rpartition(mark)
    assert found
    return with_parts({name: f"{before}{text}{found}{after}".encode()})


def with_replaced(name: str, old: str, new: str) -> bytes:
    """The plan with each such text in a part replaced by another."""
    part = plan_parts()[name].decode()
    assert old in part
    return with_parts({name: part.replace(old, new).encode()})


def always(content: Callable[[], bytes]) -> Callable[[str], bytes]:
    """A package that names no address."""
    return lambda _: content()
