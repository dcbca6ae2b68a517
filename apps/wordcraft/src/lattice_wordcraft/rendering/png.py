"""A PNG image from the raw pixels of a rendered page."""

import struct
import zlib
from typing import Final

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BIT_RGB: Final = bytes((8, 2, 0, 0, 0))


def png_of(pixels: bytes, width: int, height: int, stride: int) -> bytes:
    """The image of RGB pixels, three bytes each, in rows of `stride` bytes from the top."""
    rows = (pixels[row * stride : row * stride + width * 3] for row in range(height))
    # Filter 0: each row as it is. Pages are mostly white, which deflates well without help.
    image = zlib.compress(b"".join(b"\x00" + row for row in rows), level=6)
    header = struct.pack(">II", width, height) + _EIGHT_BIT_RGB
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", image) + _chunk(b"IEND", b"")


def size_of(png: bytes) -> tuple[int, int]:
    """The width and height of a PNG image in pixels."""
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
