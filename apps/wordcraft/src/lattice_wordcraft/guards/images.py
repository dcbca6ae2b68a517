"""Images: how many pixels they claim, read from their headers; nothing is decoded.

Known by their first bytes, whatever their names. A header that is cut off claims nothing, and whoever
decodes the image will find it broken. SVG is XML, and guarded as such.
"""

import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import Final

from lattice_wordcraft import deadline
from lattice_wordcraft.guards import metafiles, rasters
from lattice_wordcraft.guards.limits import Limits
from lattice_wordcraft.guards.rasters import Readers
from lattice_wordcraft.refusals import FileRefused

_GZIP: Final = b"\x1f\x8b"
"""How a packed drawing (WMZ, EMZ) begins."""
_PIECE: Final = 2**20
"""So many bytes of it are inflated at a time; its header stands in the first of them."""


def check(parts: Mapping[str, bytes], limits: Limits) -> None:
    """Refuse images of more pixels than may be, one by one and all together: a few bytes can claim gigabytes."""
    total, room = 0, limits.inflated
    for name, part in parts.items():
        image = part
        if part.startswith(_GZIP):
            image, size = _unpacked(name, part, room)
            room -= size
        total += _pixels(name, image, limits)
    if total > limits.images_pixels:
        raise FileRefused(
            guard="images_total", why=f"its images have {total:,} pixels; {limits.images_pixels:,} may be"
        )


def _pixels(name: str, image: bytes, limits: Limits) -> int:
    """The pixels of the largest frame of an image; of a drawing none, since it has none until it is drawn."""
    largest = 0
    for width, height in _sides(image, rasters.READERS):
        if width * height > limits.image_pixels:
            raise FileRefused(guard="image_size", why=_claim(name, width, height, limits))
        largest = max(largest, width * height)
    for width, height in _sides(image, metafiles.READERS):
        if width * height > limits.image_pixels:
            raise FileRefused(guard="metafile_size", why=_claim(name, width, height, limits))
    return largest


def _sides(image: bytes, readers: Readers) -> Iterator[tuple[int, int]]:
    """The widths and heights that an image claims, as far as it is not cut off."""
    read = next((read for start, read in readers if start.match(image)), None)
    if read is None:
        return
    try:
        yield from read(image)
    except struct.error:
        return


def _unpacked(name: str, part: bytes, room: int) -> tuple[bytes, int]:
    """How the drawing in a packed one begins, and its size; what cannot be unpacked is none."""
    stream = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        start = stream.decompress(part, _PIECE)
        size = len(start)
        while stream.unconsumed_tail and size <= room:
            deadline.check()
            size += len(stream.decompress(stream.unconsumed_tail, _PIECE))
    except zlib.error:
        return b"", 0
    if size > room:
        raise FileRefused(guard="packed_image", why=f"{name} inflates to more than {room:,} bytes")
    return start, size


def _claim(name: str, width: int, height: int, limits: Limits) -> str:
    return f"{name} has {width:,} by {height:,} pixels; {limits.image_pixels:,} may be"
