"""The sides of images of pixels, read from their headers: PNG, JPEG, GIF, BMP, TIFF, JPEG XR and WebP."""

import re
import struct
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

Readers: TypeAlias = "tuple[tuple[re.Pattern[bytes], Callable[[bytes], Iterator[tuple[int, int]]]], ...]"
"""How an image begins, and who reads the widths and heights that it claims until `struct.error`."""

_MOST_FRAMES: Final = 1_000
_MOST_TIFF_ENTRIES: Final = 100_000
"""In all pages together, so that pages which share their entries cost no more than those."""

_BMP_HEADERS: Final = frozenset({12, 40, 52, 56, 64, 108, 124})
"""Their lengths tell them apart; the shortest is of OS/2."""

_SIDE_PAIRS: Final = ((256, 257), (0xBC80, 0xBC81))
"""The tags of width and height: those of TIFF, and those of JPEG XR, which Office keeps beside a picture's effects."""
_SIDES: Final = frozenset(tag for pair in _SIDE_PAIRS for tag in pair)
_WEBP_SIDES_AT: Final = {b"VP8X": 4, b"ANMF": 6}
_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_ALONE: Final = frozenset({0x01, *range(0xD0, 0xDA)})
"""Markers without a length, and the start of the scan."""


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
            if tag in _SIDES
        }
        yield from ((sides.get(width, 0), sides.get(height, 0)) for width, height in _SIDE_PAIRS)
        (at,) = struct.unpack_from(order + ("Q" if is_big else "I"), part, first + count * size)


def _tiff_entry(part: bytes, at: int, order: str, *, is_big: bool) -> tuple[int, int]:
    """The tag of a directory entry and its value, if it is a number of 16 bits or more."""
    tag, kind = struct.unpack_from(order + "HH", part, at)
    form = {3: "H", 4: "I", 16: "Q"}.get(kind)
    if form is None:
        return tag, 0
    (value,) = struct.unpack_from(order + form, part, at + (12 if is_big else 8))
    return tag, value


def _webp(part: bytes) -> Iterator[tuple[int, int]]:
    """The canvas, and each frame, whoever wrote it."""
    at = 12
    for _ in range(_MOST_FRAMES):
        kind, length = struct.unpack_from("<4sI", part, at)
        body = at + 8
        if kind == b"VP8 ":
            width, height = struct.unpack_from("<HH", part, body + 6)
            yield width & 0x3FFF, height & 0x3FFF
        elif kind == b"VP8L":
            (bits,) = struct.unpack_from("<I", part, body + 1)
            yield 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        elif kind in _WEBP_SIDES_AT:
            width, wide, height, high = struct.unpack_from("<HBHB", part, body + _WEBP_SIDES_AT[kind])
            yield 1 + width + (wide << 16), 1 + height + (high << 16)
        at = body + length + length % 2


READERS: Final[Readers] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), _png),
    (re.compile(rb"\xff\xd8\xff"), _jpeg),
    (re.compile(rb"GIF8"), _gif),
    (re.compile(rb"BM"), _bmp),
    (re.compile(rb"II[*+]\x00|MM\x00[*+]|II\xbc"), _tiff),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), _webp),
)
