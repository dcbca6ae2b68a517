"""A blank page as a PNG image, written by hand: the fake app draws nothing."""

import struct
import zlib
from typing import Final

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_ONE_BIT_GREYSCALE: Final = b"\x01\x00\x00\x00\x00"


def blank_page(width: int, height: int) -> bytes:
    """A white image of this many pixels."""
    row = b"\x00" + b"\xff" * -(-width // 8)
    header = struct.pack(">II", width, height) + _ONE_BIT_GREYSCALE
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(row * height)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
