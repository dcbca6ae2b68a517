"""Marks around what others wrote, by which the model tells it from what it is told [SE-05].

Documents, comments, names, summaries and rationales are content to work on. Each reaches the model inside an element,
or as a single line, and nothing written there can end the element or begin another one of ours.
"""

import re
from html import escape
from typing import Final

ARTIFACT: Final = "artifact"
PROPOSALS: Final = "proposals"
CHANGES: Final = "workspace-changes"

_INVISIBLE: Final = "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]*"
"""Characters that a reader does not see between two letters."""


def _spelt(mark: str) -> str:
    return _INVISIBLE.join(map(re.escape, mark))


_TAG: Final = re.compile(
    rf"[<\uff1c\ufe64](?=[^\w<>]*(?:{'|'.join(map(_spelt, (ARTIFACT, PROPOSALS, CHANGES)))})(?![\w:.-]))", re.IGNORECASE
)
"""What begins a tag of ours, however it is spelt. Other tags stay as they are: a passage is to be found as it reads."""


def inert(text: str) -> str:
    """The text, in which no tag of ours begins."""
    return _TAG.sub("&lt;", text)


def line(text: str) -> str:
    """The text as one inert line, so that it cannot look like several."""
    return inert(" ".join(text.split()))


def element(mark: str, text: str, **attributes: str) -> str:
    """The text inside an element that it can neither end nor leave; attributes are ids and numbers, or empty."""
    told = "".join(f' {name}="{escape(line(value))}"' for name, value in attributes.items() if value)
    return f"<{mark}{told}>\n{inert(text)}\n</{mark}>"
