"""Packing parts into an archive: what lies packed in another one already is taken over as it lies there.

Deflating is most of what writing a document costs, and media, which no command touches, most of its bytes.
The standard library has no way to take an entry over.
"""

import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Final

_LOCAL: Final = struct.Struct("<4s5H3I2H")
_RECORD: Final = struct.Struct("<4s6H3I5H2I")
_END: Final = struct.Struct("<4s4H2IH")

_VERSION: Final = 20
"""Of the format: deflated entries, no zip64, which the guards refuse."""
_UTF8_NAME: Final = 0x800
_TIME: Final = (0, 0x21)
"""The first of January 1980, so that the same parts give the same bytes."""
_READABLE: Final = 0o600 << 16


@dataclass(frozen=True)
class Entry:
    """A part as it lies in an archive."""

    method: int
    crc: int
    size: int
    stored: bytes


def entries_of(archive: bytes) -> dict[str, Entry]:
    """The entries of a guarded archive by name."""
    with zipfile.ZipFile(BytesIO(archive)) as reader:
        return {
            it.filename: Entry(it.compress_type, it.CRC, it.file_size, _stored(archive, it)) for it in reader.infolist()
        }


def deflated(part: bytes, level: int) -> Entry:
    """A part packed anew."""
    stream = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return Entry(zipfile.ZIP_DEFLATED, zlib.crc32(part), len(part), stream.compress(part) + stream.flush())


def archive_of(entries: Mapping[str, Entry]) -> bytes:
    """An archive of these entries, in their order."""
    archive, records = bytearray(), bytearray()
    for name, entry in entries.items():
        told = name.encode()
        fields = (
            *(0 if name.isascii() else _UTF8_NAME, entry.method, *_TIME),
            *(entry.crc, len(entry.stored), entry.size, len(told)),
        )
        records += _RECORD.pack(b"PK\x01\x02", _VERSION, _VERSION, *fields, 0, 0, 0, 0, _READABLE, len(archive)) + told
        archive += _LOCAL.pack(b"PK\x03\x04", _VERSION, *fields, 0) + told + entry.stored
    end = _END.pack(b"PK\x05\x06", 0, 0, len(entries), len(entries), len(records), len(archive), 0)
    return bytes(archive + records + end)


def _stored(archive: bytes, entry: zipfile.ZipInfo) -> bytes:
    name_length, extra_length = struct.unpack_from("<HH", archive, entry.header_offset + 26)
    start = entry.header_offset + _LOCAL.size + name_length + extra_length
    return archive[start : start + entry.compress_size]
