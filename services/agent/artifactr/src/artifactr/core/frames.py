"""Live frames: what a run produces while it lasts. They have no number and are not stored; the log supersedes them.

Frames are in order within a run. A part begins, has its words, and ends before the next begins [LO-01, LO-03].
"""

from dataclasses import dataclass
from typing import Literal

from artifactr.core.actors import WorkspaceKey

PartKind = Literal["text", "thinking", "tool-call"]


@dataclass(frozen=True, kw_only=True)
class RunKey:
    """A run of some workspace."""

    workspace: WorkspaceKey
    run_id: str


@dataclass(frozen=True, kw_only=True)
class PartStarted:
    """A part of the model's answer begins; parts are counted from 0, anew after each pause of their run."""

    index: int
    kind: PartKind
    tool_name: str = ""


@dataclass(frozen=True)
class TextDelta:
    """Words of the answer."""

    text: str


@dataclass(frozen=True)
class ThinkingDelta:
    """Words of the model's thinking."""

    text: str


@dataclass(frozen=True)
class ToolArgsDelta:
    """A piece of a tool call's arguments, as JSON text."""

    text: str


@dataclass(frozen=True, kw_only=True)
class PartEnded:
    """The part that began last ends, whole or cut off."""

    index: int


@dataclass(frozen=True, kw_only=True)
class Draft:
    """An artifact as it would be committed now, whole, as JSON text; without an id where it does not exist yet."""

    kind: str
    data: str
    artifact_id: str = ""


@dataclass(frozen=True, kw_only=True)
class AppLive:
    """Something of the application's own, as JSON text."""

    name: str
    data: str = "null"


Frame = PartStarted | TextDelta | ThinkingDelta | ToolArgsDelta | PartEnded | Draft | AppLive


def characters(frame: Frame) -> int:
    """How much text a frame carries."""
    match frame:
        case TextDelta(text=text) | ThinkingDelta(text=text) | ToolArgsDelta(text=text):
            return len(text)
        case Draft(data=data):
            return len(data)
        case AppLive(name=name, data=data):
            return len(name) + len(data)
        case PartStarted() | PartEnded():
            return 0
