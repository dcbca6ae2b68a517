"""An artifact as the model sees it [AT-07, N-42]."""

import json
from collections.abc import Collection
from html import escape
from typing import Any, Final

from artifactr.ports import ArtifactView
from artifactr.workspace import Workspace

NATIVE: Final = "native_"
"""How the kinds of native files begin [N-40]."""


async def rendering(workspace: Workspace, artifact: ArtifactView, max_chars: int, offered: Collection[str]) -> str:
    """The text for the model: a native file's particulars and the opening of its words, other data as they are.

    `offered` are the names of the tools that the model has now: it reads of no others [A-02].

    Raises:
        PeerUnavailable: files cannot be reached.
    """
    if artifact.kind.startswith(NATIVE):
        opening = await workspace.opening(artifact.id, max_chars)
        pointer = "read_native reads on, read_review lists the review. " if "read_native" in offered else ""
        return f"{_particulars(artifact.data)} {pointer}Its words begin:\n\n{opening}"
    if artifact.data.keys() == {"text"}:
        return str(artifact.data["text"])
    return json.dumps(artifact.data, indent=2, ensure_ascii=False)


def header_of(artifact: ArtifactView) -> str:
    """One line: id, kind, version, and whether it is archived."""
    return f"{artifact.id} ({artifact.kind}, v{artifact.version}{', archived' if artifact.archived else ''})"


def element(artifact: ArtifactView, text: str) -> str:
    """The text inside an element that names the artifact; it cannot close that element itself [SE-05, IN-02]."""
    archived = ' archived="true"' if artifact.archived else ""
    opening = f'<artifact id="{escape(artifact.id)}" kind="{artifact.kind}" version="{artifact.version}"{archived}>'
    return f"{opening}\n{text.replace('</artifact', '&lt;/artifact')}\n</artifact>"


def _particulars(data: Any) -> str:  # noqa: ANN401 - decoded JSON
    """A native file in a line."""
    pages = f", {data['pages']} pages" if data.get("pages") else ""
    return (
        f"{data['name']}: {data['format']}, {data['native']['size']} bytes, {data['text']['chars']} characters{pages}, "
        f"{data['review']['count']} comments, tracked changes and external targets."
    )
