"""A zip archive written field by field, so that any of them can lie."""

import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from service.wordcraft.hostile.case import plan_parts


@dataclass
class Entry:
    """An entry that tells the truth, but for the fields of its local header and its directory record given here."""

    name: bytes
    content: bytes
    method: int = 8
    local: Mapping[str, int | bytes] = field(default_factory=dict)
    directory: Mapping[str, int | bytes] = field(default_factory=dict)
    stored: bytes | None = None
    """The bytes as they lie in the archive, where they are not the packed content."""
    behind: bytes = b""
    """What stands behind them."""

    def packed(self) -> bytes:
        """The bytes as they lie in the archive."""
        if self.stored is not None:
            return self.stored
        if self.method != 8:
            return self.content
        stream = zlib.compressobj(9, zlib.DEFLATED, -15)
        return stream.compress(self.content) + stream.flush()

    def told(self, changes: Mapping[str, int | bytes]) -> dict[str, int | bytes]:
        """The fields of a header, with some changed."""
        honest: dict[str, int | bytes] = {
            "name": self.name,
            "flags": 0x800,
            "method": self.method,
            "crc": zlib.crc32(self.content),
            "stored": len(self.packed()),
            "inflated": len(self.content),
            "extra": b"",
        }
        return honest | dict(changes)


def plan_entries(*more: Entry) -> list[Entry]:
    """The entries of an honest document, and some more."""
    return [Entry(name.encode(), part) for name, part in plan_parts().items()] + list(more)


def written(
    entries: Iterable[Entry],
    *,
    before: bytes = b"",
    before_directory: bytes = b"",
    before_end: bytes = b"",
    after: bytes = b"",
    end: Mapping[str, int] | None = None,
) -> bytes:
    """The archive, with bytes where none belong, and an end whose fields may lie."""
    content, directory, count = bytearray(before), bytearray(), 0
    for entry in entries:
        count += 1
        directory += _record(entry.told({"offset": len(content)} | dict(entry.directory)))
        content += _local(entry.told(entry.local)) + entry.packed() + entry.behind
    content += before_directory
    told = {"disk": 0, "count": count, "size": len(directory), "offset": len(content), "comment": 0} | dict(end or {})
    content += directory + before_end
    content += struct.pack(
        "<4s4H2IH",
        *(b"PK\x05\x06", told["disk"], told["disk"], told["count"], told["count"]),
        *(told["size"], told["offset"], told["comment"]),
    )
    return bytes(content + after)


def _local(told: Mapping[str, int | bytes]) -> bytes:
    name, extra = told["name"], told["extra"]
    assert isinstance(name, bytes)
    assert isinstance(extra, bytes)
    fixed = struct.pack(
        "<4s5H3I2H",
        *(b"PK\x03\x04", 20, told["flags"], told["method"], 0, 0x21),
        *(told["crc"], told["stored"], told["inflated"], len(name), len(extra)),
    )
    return fixed + name + extra


def _record(told: Mapping[str, int | bytes]) -> bytes:
    name, extra = told["name"], told["extra"]
    assert isinstance(name, bytes)
    assert isinstance(extra, bytes)
    fixed = struct.pack(
        "<4s6H3I5H2I",
        *(b"PK\x01\x02", 20, 20, told["flags"], told["method"], 0, 0x21),
        *(told["crc"], told["stored"], told["inflated"], len(name), len(extra)),
        *(0, 0, 0, 0, told["offset"]),
    )
    return fixed + name + extra
