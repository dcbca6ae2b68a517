"""The sides of drawings, read from their headers: WMF with a placeable header, and EMF.

They are vectors, but whoever draws them makes as many pixels as they claim to cover. Of the records
behind the header nothing is read.
"""

import re
import struct
from collections.abc import Iterator
from typing import Final

from lattice_wordcraft.guards.rasters import Readers

_PIXELS_AN_INCH: Final = 96
_HUNDREDTHS_OF_MM_AN_INCH: Final = 2540


def _wmf(part: bytes) -> Iterator[tuple[int, int]]:
    left, top, right, bottom, inch = struct.unpack_from("<4hH", part, 6)
    scale = _PIXELS_AN_INCH / (inch or _PIXELS_AN_INCH)
    yield round(abs(right - left) * scale), round(abs(bottom - top) * scale)


def _emf(part: bytes) -> Iterator[tuple[int, int]]:
    """What is drawn, in pixels of its device, and the frame that it is drawn into."""
    for at, scale in ((8, 1.0), (24, _PIXELS_AN_INCH / _HUNDREDTHS_OF_MM_AN_INCH)):
        left, top, right, bottom = struct.unpack_from("<4i", part, at)
        yield round(abs(right - left) * scale), round(abs(bottom - top) * scale)


READERS: Final[Readers] = (
    (re.compile(rb"\xd7\xcd\xc6\x9a"), _wmf),
    (re.compile(rb"\x01\x00\x00\x00.{36} EMF", re.DOTALL), _emf),
)
