"""An artifact as the model sees it [AT-07, N-42]."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from artifactr.core import marks
from artifactr.core.artifacts import NATIVE, Artifact, ArtifactHeader, StoredArtifact, rendered
from artifactr.core.rejections import ValidationFailed
from artifactr.workspace import Workspace


@dataclass(frozen=True, kw_only=True)
class Rendering:
    """How an agent sees artifacts: each type that it knows says so itself."""

    types: tuple[type[Artifact], ...]
    max_chars: int
    """How many characters of a native file's words are shown, and of each artifact in the instructions [IN-03]."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the types, in their order."""
        return tuple(it.kind for it in self.types)

    def type_of(self, kind: str) -> type[Artifact] | None:
        """The type of a kind; None for one that the agent does not know."""
        return next((it for it in self.types if it.kind == kind), None)

    async def text(self, workspace: Workspace, artifact: StoredArtifact, offered: Collection[str]) -> str:
        """The text for the model: a native file's particulars and the opening of its words, else what its type says.

        `offered` are the names of the tools that the model has now: it reads of no others [A-02].

        Raises:
            PeerUnavailable: files cannot be reached.
        """
        if artifact.kind.startswith(NATIVE):
            opening = await workspace.opening(artifact.id, self.max_chars)
            pointer = "read_native reads on, read_review lists the review. " if "read_native" in offered else ""
            return f"{_particulars(artifact.data)} {pointer}Its words begin:\n\n{opening}"
        artifact_type = self.type_of(artifact.kind)
        if artifact_type is not None:
            try:
                return artifact_type.from_stored(artifact).render_for_agent()
            except ValidationFailed:  # the schema let in what the class does not: no reason to hide it from the agent
                pass
        return str(artifact.data["text"]) if artifact.data.keys() == {"text"} else rendered(artifact.data)


def header_of(artifact: ArtifactHeader) -> str:
    """One line: id, kind, version, and whether it is archived."""
    archived = ", archived" if artifact.archived else ""
    return marks.line(f"{artifact.id} ({artifact.kind}, v{artifact.version}{archived})")


def element(artifact: StoredArtifact, text: str) -> str:
    """The text inside an element that names the artifact; it cannot close that element itself [SE-05, IN-02]."""
    return marks.element(
        marks.ARTIFACT,
        text,
        id=artifact.id,
        kind=artifact.kind,
        version=str(artifact.version),
        archived="true" if artifact.archived else "",
    )


def _particulars(data: Any) -> str:  # noqa: ANN401 - decoded JSON
    """A native file in a line."""
    pages = f", {data['pages']} pages" if data.get("pages") else ""
    return (
        f"{data['name']}: {data['format']}, {data['native']['size']} bytes, {data['text']['chars']} characters{pages}, "
        f"{data['review']['count']} comments, tracked changes and external targets."
    )
