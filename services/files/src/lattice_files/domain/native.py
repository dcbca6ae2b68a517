"""What an artifact keeps of a native file: names and figures, and digests of blobs, never bytes [N-40, N-41].

Each version names blobs of its own, so any of them can be read without the app [N-43].
"""

from dataclasses import dataclass
from typing import Final, Self

from lattice_files.domain.apps import KIND_PREFIX, Derived, Format
from lattice_files.domain.artifacts import Artifact
from lattice_files.domain.content import Content
from lattice_files.domain.json_data import Data
from lattice_files.domain.rejections import InvalidState, ValidationFailed

LONGEST_NAME: Final = 255
"""Characters of the longest file name."""


@dataclass(frozen=True, kw_only=True)
class NativeFile:
    """The data of a native file's artifact at one version."""

    name: str
    format: str
    media_type: str
    digest: str
    """Of the file itself."""
    size: int
    """Of the file itself, in bytes."""
    text_digest: str
    text_chars: int
    review_digest: str
    review_count: int

    @classmethod
    def made_of(cls, name: str, file_format: Format, native: Content, derived: Derived) -> Self:
        """The data of a file that was just uploaded or produced."""
        return cls(
            name=name,
            format=file_format.name,
            media_type=file_format.media_type,
            digest=native.digest,
            size=native.size,
            text_digest=derived.text.digest,
            text_chars=derived.text_chars,
            review_digest=derived.review.digest,
            review_count=derived.review_count,
        )

    @classmethod
    def of(cls, data: Data) -> Self:
        """Read back what `to_data` made."""
        return cls(
            name=data["name"],
            format=data["format"],
            media_type=data["media_type"],
            digest=data["native"]["digest"],
            size=data["native"]["size"],
            text_digest=data["text"]["digest"],
            text_chars=data["text"]["chars"],
            review_digest=data["review"]["digest"],
            review_count=data["review"]["count"],
        )

    def to_data(self) -> Data:
        """As the artifact stores it."""
        return {
            "name": self.name,
            "format": self.format,
            "media_type": self.media_type,
            "native": {"digest": self.digest, "size": self.size},
            "text": {"digest": self.text_digest, "chars": self.text_chars},
            "review": {"digest": self.review_digest, "count": self.review_count},
        }

    @property
    def digests(self) -> frozenset[str]:
        """The blobs that a version with this data needs."""
        return frozenset({self.digest, self.text_digest, self.review_digest})


def is_native(kind: str) -> bool:
    """Whether artifacts of a kind are native files."""
    return kind.startswith(KIND_PREFIX)


def require_native(artifact_id: str, kind: str) -> None:
    """Let native files through.

    Raises:
        InvalidState: the artifact is of another kind [R-10].
    """
    if not is_native(kind):
        raise InvalidState(why=f"{artifact_id} is a {kind}, no native file")


def native_file(artifact: Artifact) -> NativeFile:
    """The file that an artifact is, at its version.

    Raises:
        InvalidState: the artifact is of another kind.
    """
    require_native(artifact.id, artifact.kind)
    return NativeFile.of(artifact.data)


def require_file_name(name: str) -> None:
    """Let a name through that people and file systems can live with.

    Raises:
        ValidationFailed: it is too long, or holds a path or control characters.
    """
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValidationFailed(errors=[("file_name", f"has {len(name)} characters, not 1 to {LONGEST_NAME}")])
    if any(it in "/\\" or not it.isprintable() for it in name):
        raise ValidationFailed(errors=[("file_name", "holds a slash or a control character")])


def check_in_summary(before: NativeFile, size: int) -> str:
    """What a check-in is called that was given no summary [AMB-26]."""
    return f"checked in {before.name} ({size - before.size:+,} bytes)"
