"""Guards: what a package must be before any parser of ours or of the engine opens it.

They read the zip directory and inflate within limits that were checked first, so a bomb costs no
more than its directory. A refusal names its guard: "empty", "encrypted", "legacy_format",
"not_a_package", "entry_count", "entry_size", "inflated_size", "compression_ratio", "unsafe_name",
"duplicate_name", "overlap", "damaged_entry", "xml_encoding", "doctype", "missing_part", "macros",
"not_a_document"; "malformed_xml" comes from reading the parts themselves.
"""

import re
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from lattice_wordcraft.refusals import FileRefused, FileTooLarge

_OLE_MAGIC: Final = bytes.fromhex("d0cf11e0a1b11ae1")
_ENCRYPTED_FLAG: Final = 0x1
_XML_SUFFIXES: Final = (".xml", ".rels", ".vml")
_LOCAL_HEADER_SIZE: Final = 30

_UNSAFE_NAME: Final = re.compile(r"(^|/)\.{1,2}(/|$)|^/|//|[\\\x00-\x1f:]|^$")
_DECLARED_ENCODING: Final = re.compile(rb"""^<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_ENCODINGS: Final = frozenset({"utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be"})


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How large a package may be. Sizes are in bytes; the ratio is inflated to stored size."""

    file: int = 50 * 2**20
    entries: int = 5_000
    entry: int = 100 * 2**20
    xml_entry: int = 64 * 2**20
    inflated: int = 256 * 2**20
    ratio: int = 200
    ratio_from: int = 16 * 2**20
    """Smaller entries may have any ratio: a bitmap of a blank page is no bomb."""
    xml_ratio_from: int = 2**20
    """Smaller XML may have any ratio. Larger is work: two million empty paragraphs fit into 18 kB."""


def guarded_parts(content: bytes, limits: Limits) -> dict[str, bytes]:
    """The inflated entries of a package that passes every zip guard, in the order of its directory.

    Raises:
        FileTooLarge: the file itself is over its limit.
        FileRefused: a guard refuses it.
    """
    if len(content) > limits.file:
        raise FileTooLarge(size=len(content), limit=limits.file)
    _check_signature(content)
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            entries = archive.infolist()
            _check_directory(entries, limits)
            parts = {entry.filename: _inflated(archive, entry) for entry in entries}
    except zipfile.BadZipFile as error:
        raise FileRefused(guard="not_a_package", why=f"it is no readable zip archive: {error}") from error
    for name, part in parts.items():
        if is_xml(name):
            check_xml(name, part)
    return parts


def is_xml(name: str) -> bool:
    """Whether a part of this name is XML by its suffix."""
    return name.lower().endswith(_XML_SUFFIXES)


def check_xml(name: str, part: bytes) -> None:
    """Refuse XML that declares a document type, or that hides one behind another encoding.

    A doctype is all that entity expansion and external entities need, and no writer of DOCX makes one.
    """
    if part[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = part.decode("utf-16", errors="replace").encode()
    else:
        text = part.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
        declared = _DECLARED_ENCODING.match(text)
        # A zero byte near the start is UTF-16 or UTF-32 without its mark.
        if b"\x00" in text[:4] or (declared and declared[1].decode().lower() not in _ENCODINGS):
            raise FileRefused(guard="xml_encoding", why=f"{name} is neither UTF-8 nor marked UTF-16")
    if b"<!DOCTYPE" in text:
        raise FileRefused(guard="doctype", why=f"{name} declares a document type")


def _check_signature(content: bytes) -> None:
    if not content:
        raise FileRefused(guard="empty", why="it has no bytes")
    if content.startswith(_OLE_MAGIC):
        if "EncryptedPackage".encode("utf-16-le") in content:
            raise FileRefused(guard="encrypted", why="it is protected by a password")
        raise FileRefused(guard="legacy_format", why="it is a binary Word file of before 2007")
    if not content.startswith(b"PK\x03\x04"):
        raise FileRefused(guard="not_a_package", why="it does not begin as a zip archive")


def _check_directory(entries: list[zipfile.ZipInfo], limits: Limits) -> None:
    """Everything that can be told without inflating a byte."""
    if len(entries) > limits.entries:
        raise FileRefused(guard="entry_count", why=f"it has {len(entries):,} entries, more than {limits.entries:,}")
    for entry in entries:
        _check_entry(entry, limits)
    inflated = sum(entry.file_size for entry in entries)
    if inflated > limits.inflated:
        raise FileRefused(
            guard="inflated_size", why=f"it inflates to {inflated:,} bytes, more than {limits.inflated:,}"
        )
    _check_names(entry.filename for entry in entries)
    _check_overlap(entries)


def _check_entry(entry: zipfile.ZipInfo, limits: Limits) -> None:
    if entry.flag_bits & _ENCRYPTED_FLAG:
        raise FileRefused(guard="encrypted", why=f"{entry.filename} is encrypted")
    largest, ratio_from = (
        (limits.xml_entry, limits.xml_ratio_from) if is_xml(entry.filename) else (limits.entry, limits.ratio_from)
    )
    if entry.file_size > largest:
        raise FileRefused(
            guard="entry_size", why=f"{entry.filename} inflates to {entry.file_size:,} bytes, more than {largest:,}"
        )
    if entry.file_size > ratio_from and entry.file_size > limits.ratio * max(entry.compress_size, 1):
        raise FileRefused(
            guard="compression_ratio", why=f"{entry.filename} inflates more than {limits.ratio} times its stored size"
        )


def _check_names(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if _UNSAFE_NAME.search(name):
            raise FileRefused(guard="unsafe_name", why=f"an entry is named {name!r}")
        # Part names are compared without case in a package: two that differ in case alone are one.
        if name.casefold() in seen:
            raise FileRefused(guard="duplicate_name", why=f"there are two entries {name!r}")
        seen.add(name.casefold())


def _check_overlap(entries: list[zipfile.ZipInfo]) -> None:
    """Entries that share stored bytes are how a small file inflates without end at an honest ratio."""
    end = 0
    for entry in sorted(entries, key=lambda it: it.header_offset):
        if entry.header_offset < end:
            raise FileRefused(guard="overlap", why=f"{entry.filename} lies over another entry")
        end = entry.header_offset + _LOCAL_HEADER_SIZE + entry.compress_size


def _inflated(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The bytes of an entry; at most as many as its directory declares, whatever the stream holds."""
    try:
        content = archive.read(entry)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise FileRefused(guard="damaged_entry", why=f"{entry.filename} cannot be inflated as declared") from error
    if len(content) != entry.file_size:
        raise FileRefused(guard="damaged_entry", why=f"{entry.filename} has another size than declared")
    return content
