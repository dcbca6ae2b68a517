"""Images: how many pixels they claim, read from their headers; nothing is decoded.

Known by their first bytes, whatever their names: PNG, JPEG, GIF, BMP and TIFF. A header that is cut
off claims nothing, and whoever decodes the image will find it broken.
"""

import struct
from collections.abc import Callable, Iterator
from typing import Final

from lattice_wordcraft.guards.limits import Limits
from lattice_wordcraft.refusals import FileRefused

_MOST_FRAMES: Final = 1_000
_MOST_TIFF_ENTRIES: Final = 100_000
"""In all pages together, so that pages which share their entries cost no more than those."""

_BMP_HEADERS: Final = frozenset({12, 40, 52, 56, 64, 108, 124})
"""Their lengths tell them apart; the shortest is of OS/2."""

_WIDTH: Final = 256
_HEIGHT: Final = 257
_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_ALONE: Final = frozenset({0x01, *range(0xD0, 0xDA)})
"""Markers without a length, and the start of the scan."""


def check(name: str, part: bytes, limits: Limits) -> None:
    """Refuse an image of more pixels than may be: a few bytes can claim gigabytes."""
    read = next((read for magic, read in _READERS if part.startswith(magic)), None)
    if read is None:
        return
    try:
        for width, height in read(part):
            if width * height > limits.image_pixels:
                raise FileRefused(
                    guard="image_size",
                    why=f"{name} has {width:,} by {height:,} pixels; {limits.image_pixels:,} may be",
                )
    except struct.error:  # cut off; what stood before it was looked at
        return


def _png(part: bytes) -> Iterator[tuple[int, int]]:
    yield struct.unpack_from(">II", part, 16)


def _gif(part: bytes) -> Iterator[tuple[int, int]]:
    """The screen and each frame, which may be larger than it."""
    width, height, flags = struct.unpack_from("<HHB", part, 6)
    yield width, height
    at = 13 + _gif_colours(flags)
    for _ in range(_MOST_FRAMES):
        if part[at : at + 1] == b"\x2c":
            width, height, flags = struct.unpack_from("<HHB", part, at + 5)
            yield width, height
            at += 11 + _gif_colours(flags)
        elif part[at : at + 1] == b"\x21":
            at += 2
        else:
            return
        while length := part[at : at + 1].strip(b"\x00"):  # blocks, up to an empty one
            at += 1 + length[0]
        at += 1


def _gif_colours(flags: int) -> int:
    """The bytes of a colour table, which the flags may announce."""
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _bmp(part: bytes) -> Iterator[tuple[int, int]]:
    (header,) = struct.unpack_from("<I", part, 14)
    if header in _BMP_HEADERS:
        width, height = struct.unpack_from("<HH" if header == min(_BMP_HEADERS) else "<ii", part, 18)
        yield abs(width), abs(height)


def _jpeg(part: bytes) -> Iterator[tuple[int, int]]:
    """The frame header, behind any segments."""
    at = 2
    while at + 4 <= len(part):
        marker, length = part[at + 1], int.from_bytes(part[at + 2 : at + 4], "big")
        if part[at] != 0xFF or marker in _JPEG_ALONE:
            return
        if marker == 0xFF:  # padding
            at += 1
        elif marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", part, at + 5)
            yield width, height
            return
        else:
            at += 2 + length


def _tiff(part: bytes) -> Iterator[tuple[int, int]]:
    """Each page of a TIFF; the chain of them is followed as far as it is sane."""
    order = "<" if part[:2] == b"II" else ">"
    is_big = struct.unpack_from(order + "H", part, 2) == (43,)
    (at,) = struct.unpack_from(order + ("Q" if is_big else "I"), part, 8 if is_big else 4)
    left = _MOST_TIFF_ENTRIES
    while at and left > 0:
        (count,) = struct.unpack_from(order + ("Q" if is_big else "H"), part, at)
        first, size = at + (8 if is_big else 2), 20 if is_big else 12
        read = min(count, left)
        left -= read + 1
        sides = {
            tag: value
            for entry in range(first, min(first + read * size, len(part)), size)
            for tag, value in [_tiff_entry(part, entry, order, is_big=is_big)]
            if tag in (_WIDTH, _HEIGHT)
        }
        yield sides.get(_WIDTH, 0), sides.get(_HEIGHT, 0)
        (at,) = struct.unpack_from(order + ("Q" if is_big else "I"), part, first + count * size)


def _tiff_entry(part: bytes, at: int, order: str, *, is_big: bool) -> tuple[int, int]:
    """The tag of a directory entry and its value, if it is a number of 16 bits or more."""
    tag, kind = struct.unpack_from(order + "HH", part, at)
    form = {3: "H", 4: "I", 16: "Q"}.get(kind)
    if form is None:
        return tag, 0
    (value,) = struct.unpack_from(order + form, part, at + (12 if is_big else 8))
    return tag, value


_READERS: Final[tuple[tuple[bytes, Callable[[bytes], Iterator[tuple[int, int]]]], ...]] = (
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"\xff\xd8\xff", _jpeg),
    (b"GIF8", _gif),
    (b"BM", _bmp),
    (b"II*\x00", _tiff),
    (b"MM\x00*", _tiff),
    (b"II+\x00", _tiff),
    (b"MM\x00+", _tiff),
)
