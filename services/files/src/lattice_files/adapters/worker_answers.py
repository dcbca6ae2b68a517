"""What a worker answers, checked piece by piece: nothing of it is believed.

Every breach of the contract is `BrokenContract`; what exceeds a limit of ours is `FileTooLarge`.
Files are written on the event loop: a chunk of 64 KiB goes to the page cache.
"""

import codecs
import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Self, TypeAlias
from uuid import uuid4

from lattice.app.v1 import app_service_pb2 as app_pb
from lattice_chassis.content import CHUNK_BYTES, chunks_of

from lattice_files.domain.apps import Derived
from lattice_files.domain.content import Content
from lattice_files.domain.rejections import FileTooLarge

MEBIBYTE: Final = 1024 * 1024

Output: TypeAlias = app_pb.Output.ValueType

_NAMES: Final[Mapping[Output, str]] = {
    app_pb.OUTPUT_NATIVE: "native",
    app_pb.OUTPUT_TEXT: "text",
    app_pb.OUTPUT_REVIEW: "review",
    app_pb.OUTPUT_PAGE: "page",
}
"""What each output is called in limits and file names."""

_REVIEW_TYPES: Final = frozenset({"comment", "tracked_change", "external_target"})
_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_PNG_HEADER_BYTES: Final = 24  # the signature, then the length, the name and the two sizes of the first chunk


class BrokenContract(Exception):
    """The worker answered what its contract does not allow; the text says what."""


@dataclass(frozen=True, kw_only=True)
class AnswerLimits:
    """The most bytes that each output may have [L-06, N-41]."""

    native: int = 50 * MEBIBYTE
    text: int = 50 * MEBIBYTE
    review: int = 8 * MEBIBYTE
    """Less than a file, for its JSON is parsed in memory."""
    page: int = 1 * MEBIBYTE

    def of(self, output: Output) -> int:
        """The limit of one output."""
        return int(getattr(self, _NAMES[output]))


class ReceivedOutputs:
    """The outputs of one call, each in a file of a folder that the caller owns; use it in a `with` block."""

    def __init__(self, expected: Iterable[Output], limits: AnswerLimits, into: Path) -> None:
        # The names are new each time: the folder may hold what an earlier call made.
        paths = {output: into / f"{_NAMES[output]}-{uuid4().hex}" for output in expected}
        self._outputs = {output: _Receiving(path, limits.of(output)) for output, path in paths.items()}
        self._current: _Receiving | None = None
        self._files = ExitStack()

    def __enter__(self) -> Self:
        for output in self._outputs.values():
            self._files.callback(output.file.close)
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def take(self, chunk: app_pb.OutputChunk) -> None:
        """Add a chunk to its output.

        Raises:
            BrokenContract: the chunk is empty or too large, of an unexpected output, or of one that had ended.
            FileTooLarge: the output is over its limit now.
        """
        output = self._outputs.get(chunk.output)
        if output is None:
            raise BrokenContract(f"output {chunk.output} was not asked for")
        if output is not self._current:
            if output.size:
                raise BrokenContract(f"the chunks of output {chunk.output} are not together")
            self._current = output
        output.add(chunk.content)

    def finish(self, summaries: Iterable[app_pb.OutputSummary]) -> dict[Output, Content]:
        """The complete outputs, once the worker has said what they were.

        Raises:
            BrokenContract: the summaries are not one for each output, or differ from what arrived.
        """
        declared = [(it.output, it.size, it.sha256.hex()) for it in summaries]
        self._files.close()
        contents = {output: receiving.content for output, receiving in self._outputs.items()}
        received = [(output, content.size, content.digest) for output, content in contents.items()]
        if sorted(declared) != sorted(received):
            raise BrokenContract("sizes or digests differ from what arrived")
        return contents


class _Receiving:
    """One output as it arrives."""

    def __init__(self, path: Path, limit: int) -> None:
        self._path = path
        self._limit = limit
        self._sha256 = hashlib.sha256()
        self.file: BinaryIO = path.open("xb")
        self.size = 0

    def add(self, content: bytes) -> None:
        if not 0 < len(content) <= CHUNK_BYTES:
            raise BrokenContract(f"a chunk has {len(content)} bytes")
        self.size += len(content)
        if self.size > self._limit:
            raise FileTooLarge(size=self.size, limit=self._limit)
        self._sha256.update(content)
        self.file.write(content)

    @property
    def content(self) -> Content:
        return Content(path=self._path, size=self.size, digest=self._sha256.hexdigest())


def derived(outputs: Mapping[Output, Content], declared_review_count: int) -> Derived:
    """The text and review among the outputs, checked and counted; it reads them whole, so call it off the event loop.

    Raises:
        BrokenContract: the text is not UTF-8, the review no list of items, or their number not as declared.
    """
    text, review = outputs[app_pb.OUTPUT_TEXT], outputs[app_pb.OUTPUT_REVIEW]
    items = _review_items(review.path)
    if len(items) != declared_review_count:
        raise BrokenContract(f"the review has {len(items)} items, {declared_review_count} were declared")
    return Derived(text=text, text_chars=_characters(text.path), review=review, review_count=len(items))


def png_size(png: bytes) -> tuple[int, int]:
    """The width and height of a PNG image in pixels.

    Raises:
        BrokenContract: it is no PNG image.
    """
    if len(png) < _PNG_HEADER_BYTES or not png.startswith(_PNG_SIGNATURE) or png[12:16] != b"IHDR":
        raise BrokenContract("the page is no PNG image")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def _characters(text: Path) -> int:
    """How many code points a UTF-8 text has, with constant memory."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with text.open("rb") as file:
            return sum(len(decoder.decode(chunk)) for chunk in chunks_of(file)) + len(decoder.decode(b"", final=True))
    except UnicodeDecodeError as error:
        raise BrokenContract("the text is not UTF-8") from error


def _review_items(review: Path) -> list[dict[str, Any]]:
    try:
        items = json.loads(review.read_text("utf-8"))
    except (ValueError, RecursionError) as error:  # a UnicodeDecodeError is a ValueError
        raise BrokenContract("the review is no JSON in UTF-8") from error
    if not isinstance(items, list) or not all(_is_review_item(it) for it in items):
        raise BrokenContract("the review is no list of items with an id and a type")
    return items


def _is_review_item(item: object) -> bool:
    match item:
        case {"id": str(identifier), "type": str(kind)}:
            return bool(identifier) and kind in _REVIEW_TYPES
        case _:
            return False
