"""The zip archive: one reading of it, whoever reads.

Programs differ in how they read an odd archive: from its directory or from its local headers, by the
first or the last record of its end, up to the declared size or as far as the stream goes. What would
let two of them see two documents is refused.
"""

import re
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Final, NamedTuple

from lattice_wordcraft import deadline
from lattice_wordcraft.guards.limits import Limits
from lattice_wordcraft.guards.markup import is_xml
from lattice_wordcraft.refusals import FileRefused

_OLE_MAGIC: Final = bytes.fromhex("d0cf11e0a1b11ae1")
_ENTRY_MAGIC: Final = b"PK\x03\x04"
_END_MAGIC: Final = b"PK\x05\x06"
_END: Final = struct.Struct("<4s4H2IH")
_LOCAL_HEADER: Final = struct.Struct("<4s5H3I2H")
_DESCRIPTOR_SIZE: Final = 16

_ENCRYPTED: Final = 0x2041
"""The flags of an encrypted entry, a strongly encrypted one and an encrypted directory."""

_HAS_DESCRIPTOR: Final = 0x8
"""The flag of an entry whose sizes stand behind it, since its writer learnt them too late."""

_IS_UTF8: Final = 0x800
_ZIP64_SIZE: Final = 0xFFFFFFFF
_ZIP64_COUNT: Final = 0xFFFF
_ZIP64_EXTRA: Final = b"\x01\x00"
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

# Climbing, absolute, of a drive or a stream, empty segments, segments that end as no file of Windows may.
_UNSAFE_NAME: Final = re.compile(r"[. ](/|$)|^/|//|[\\\x00-\x1f\x7f:]|^$")
_ESCAPED: Final = re.compile(r"%(2e|2f|5c|00)", re.IGNORECASE)


class _Local(NamedTuple):
    """What stands in front of an entry's bytes."""

    magic: bytes
    version: int
    flags: int
    method: int
    time: int
    date: int
    crc: int
    stored: int
    inflated: int
    name_length: int
    extra_length: int


def inflated(content: bytes, limits: Limits) -> dict[str, bytes]:
    """The bytes of each entry by its name, in the order of the directory.

    Raises:
        FileRefused: a guard refuses the archive.
    """
    _check_signature(content)
    count, directory_at = _check_end(content, limits)
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise FileRefused(guard="not_a_package", why=f"it is no readable zip archive: {error}") from error
    if len(entries) != count:
        raise FileRefused(guard="not_a_package", why=f"it has {len(entries)} entries and says that it has {count}")
    for entry in entries:
        _check_entry(entry, limits)
    _check_sizes(entries, limits)
    _check_names(entry.orig_filename for entry in entries)
    starts = _check_places(content, entries, directory_at)
    return {entry.filename: _inflated(content, entry, start) for entry, start in zip(entries, starts, strict=True)}


def _check_signature(content: bytes) -> None:
    if not content:
        raise FileRefused(guard="empty", why="it has no bytes")
    if content.startswith(_OLE_MAGIC):
        if "EncryptedPackage".encode("utf-16-le") in content:
            raise FileRefused(guard="encrypted", why="it is protected by a password")
        raise FileRefused(guard="legacy_format", why="it is a binary Word file of before 2007")
    if not content.startswith((_ENTRY_MAGIC, _END_MAGIC)):
        if content[-_END.size :].startswith(_END_MAGIC):
            raise FileRefused(guard="leading_bytes", why="something else stands in front of its first entry")
        raise FileRefused(guard="not_a_package", why="it does not begin as a zip archive")


def _check_end(content: bytes, limits: Limits) -> tuple[int, int]:
    """How many entries the archive's end declares, and where the directory begins."""
    at = content.rfind(_END_MAGIC)
    if at < 0 or at + _END.size > len(content):
        raise FileRefused(guard="not_a_package", why="it is cut off: a zip archive has an end")
    _, disk, first_disk, on_disk, count, size, directory_at, comment = _END.unpack_from(content, at)
    if at + _END.size + comment != len(content):
        raise FileRefused(
            guard="trailing_bytes", why=f"{len(content) - at - _END.size:,} bytes follow the archive's end"
        )
    has_locator = content[max(at - 20, 0) :].startswith(b"PK\x06\x07")
    if has_locator or _ZIP64_COUNT in (on_disk, count) or _ZIP64_SIZE in (size, directory_at):
        raise FileRefused(guard="zip64", why="it is a zip64 archive, as only files of 4 GiB need to be")
    if disk or first_disk or on_disk != count or directory_at + size > at:
        raise FileRefused(guard="not_a_package", why="its directory is not where its end says")
    if directory_at + size < at:
        raise FileRefused(guard="leading_bytes", why="its directory is behind where its end says")
    if count > limits.entries or size > limits.directory:
        raise FileRefused(
            guard="entry_count", why=f"it has {count:,} entries, or long names; {limits.entries:,} may be"
        )
    return count, directory_at


def _check_entry(entry: zipfile.ZipInfo, limits: Limits) -> None:
    """What can be told of one entry without inflating a byte."""
    name = entry.filename
    if entry.flag_bits & _ENCRYPTED:
        raise FileRefused(guard="encrypted", why=f"{name} is encrypted")
    if entry.compress_type not in _METHODS:
        raise FileRefused(guard="compression_method", why=f"{name} is packed by method {entry.compress_type}")
    if entry.extra.startswith(_ZIP64_EXTRA):
        raise FileRefused(guard="zip64", why=f"{name} has sizes of zip64")
    is_markup = is_xml(name)
    largest = limits.xml_entry if is_markup else limits.entry
    if entry.file_size > largest:
        raise FileRefused(guard="entry_size", why=f"{name} inflates to {entry.file_size:,} bytes; {largest:,} may be")
    ratio_from = limits.xml_ratio_from if is_markup else limits.ratio_from
    if entry.file_size > ratio_from and entry.file_size > limits.ratio * max(entry.compress_size, 1):
        raise FileRefused(
            guard="compression_ratio", why=f"{name} inflates to more than {limits.ratio} times its stored size"
        )


def _check_sizes(entries: Sequence[zipfile.ZipInfo], limits: Limits) -> None:
    total = sum(entry.file_size for entry in entries)
    if total > limits.inflated:
        raise FileRefused(guard="inflated_size", why=f"it inflates to {total:,} bytes; {limits.inflated:,} may be")


def _check_names(names: Iterable[str]) -> None:
    seen: dict[str, str] = {}
    for name in names:
        if _UNSAFE_NAME.search(name.removesuffix("/")) or _ESCAPED.search(name):
            raise FileRefused(guard="unsafe_name", why=f"an entry is named {name!r}")
        # Part names are compared without case in a package, and some file systems fold Unicode forms.
        folded = unicodedata.normalize("NFKC", name.casefold()).casefold()
        if folded in seen:
            raise FileRefused(guard="duplicate_name", why=f"{name!r} and {seen[folded]!r} are one name")
        seen[folded] = name


def _check_places(content: bytes, entries: Sequence[zipfile.ZipInfo], directory_at: int) -> list[int]:
    """Where the bytes of each entry begin, once no two share any and each header agrees with the directory.

    Entries that share stored bytes are how a small file inflates without end at an honest ratio.
    """
    starts: dict[int, int] = {}
    end, slack = 0, 0
    for entry in sorted(entries, key=lambda it: it.header_offset):
        if entry.header_offset < end:
            raise FileRefused(guard="overlap", why=f"{entry.filename} lies over another entry")
        if end == 0 and entry.header_offset:
            raise FileRefused(guard="leading_bytes", why=f"{entry.header_offset:,} bytes precede its first entry")
        start = starts[entry.header_offset] = _start(content, entry)
        end = start + entry.compress_size
        slack = _DESCRIPTOR_SIZE if entry.flag_bits & _HAS_DESCRIPTOR else 0
    if end > directory_at:
        raise FileRefused(guard="overlap", why="its last entry lies over its directory")
    if end + slack < directory_at:
        raise FileRefused(guard="trailing_bytes", why=f"{directory_at - end:,} bytes follow its last entry")
    return [starts[entry.header_offset] for entry in entries]


def _start(content: bytes, entry: zipfile.ZipInfo) -> int:
    """Where an entry's bytes begin, behind a local header that agrees with the directory."""
    at = entry.header_offset
    if at + _LOCAL_HEADER.size > len(content):
        raise FileRefused(guard="local_header", why=f"{entry.filename} has no header")
    local = _Local._make(_LOCAL_HEADER.unpack_from(content, at))
    if _ZIP64_SIZE in (local.stored, local.inflated):
        raise FileRefused(guard="zip64", why=f"{entry.filename} has a size of zip64")
    name_at = at + _LOCAL_HEADER.size
    name = entry.orig_filename.encode("utf-8" if entry.flag_bits & _IS_UTF8 else "cp437")
    sizes = ((local.crc, entry.CRC), (local.stored, entry.compress_size), (local.inflated, entry.file_size))
    is_late = local.flags & _HAS_DESCRIPTOR
    agrees = (
        local.magic == _ENTRY_MAGIC
        and (local.flags ^ entry.flag_bits) & (_ENCRYPTED | _IS_UTF8 | _HAS_DESCRIPTOR) == 0
        and local.method == entry.compress_type
        and content[name_at : name_at + local.name_length] == name
        and all(told == declared or (is_late and told == 0) for told, declared in sizes)
    )
    if not agrees:
        raise FileRefused(guard="local_header", why=f"{entry.filename} has a header that the directory contradicts")
    return name_at + local.name_length + local.extra_length


def _inflated(content: bytes, entry: zipfile.ZipInfo, start: int) -> bytes:
    """The bytes of an entry, which must be those that are declared; at most one more is ever inflated."""
    deadline.check()
    stored = content[start : start + entry.compress_size]
    part, ended = stored, len(stored) == entry.compress_size
    if entry.compress_type == zipfile.ZIP_DEFLATED:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            part = stream.decompress(stored, entry.file_size + 1)
        except zlib.error as error:
            raise FileRefused(guard="damaged_entry", why=f"{entry.filename} cannot be inflated") from error
        ended = stream.eof and not stream.unused_data
    if not ended or len(part) != entry.file_size or zlib.crc32(part) != entry.CRC:
        raise FileRefused(guard="damaged_entry", why=f"{entry.filename} holds other bytes than declared")
    return part
