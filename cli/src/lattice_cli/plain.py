"""What others wrote, for a terminal."""

import re
from typing import Final

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What a terminal does something by, the marks that turn the direction of writing among it; lines and tabs are none."""


def plain(text: str) -> str:
    """Text without the characters by which a terminal is told what to do."""
    return _CONTROL.sub("\ufffd", text)
