"""Large content on streams: the header first, then chunks of at most 64 KiB, checked at the end.

Contracts that carry content have messages with a oneof `part` of `header` and `chunk`. Both ways the
memory stays constant: what arrives is written to a file, a temporary one only beyond 1 MiB, what leaves is
read as it is sent. Nothing that arrives is handed on before its size and digest agree with what was
declared; content over the limit is refused as soon as that is known.
"""

import hashlib
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, ClassVar, Final, Self, TypeVar, cast

from google.protobuf.message import Message

from lattice_chassis.errors import ValidationFailed

CHUNK_BYTES: Final = 64 * 1024
"""The most content that one message carries."""

SHA256_BYTES: Final = 32

_IN_MEMORY_BYTES: Final = 1024 * 1024
_Part = TypeVar("_Part", bound=Message)


@dataclass(kw_only=True, eq=False)
class DigestMismatch(Exception):
    """Content ended with another size or digest than declared; none of it was kept."""

    reason: ClassVar[str] = "DIGEST_MISMATCH"
    what: str
    """Which of them differs: `size` or `sha256`."""
    declared: str
    actual: str
    """The whole size, or as much as had arrived when it was more than declared."""

    def __str__(self) -> str:
        return f"{self.what} was declared as {self.declared} and is {self.actual}"


@dataclass(kw_only=True, eq=False)
class FileTooLarge(Exception):
    """Content is over the limit; none of it was kept. Both figures are bytes."""

    reason: ClassVar[str] = "FILE_TOO_LARGE"
    size: int
    """What was declared."""
    limit: int

    def __str__(self) -> str:
        return f"{self.size} bytes are over the limit of {self.limit}"


@dataclass(frozen=True, kw_only=True)
class Digest:
    """What a header or a summary says of a content: its length in bytes and its SHA-256."""

    size: int
    sha256: bytes

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValidationFailed(errors=[("size", "is negative")])
        if len(self.sha256) != SHA256_BYTES:
            raise ValidationFailed(errors=[("sha256", f"has {len(self.sha256)} bytes, not {SHA256_BYTES}")])

    def require_within(self, limit: int) -> None:
        """Raise FileTooLarge for content of more bytes than that."""
        if self.size > limit:
            raise FileTooLarge(size=self.size, limit=limit)

    @classmethod
    def of(cls, content: bytes) -> Self:
        """The digest of content at hand."""
        return cls(size=len(content), sha256=hashlib.sha256(content).digest())


async def receive(chunks: AsyncIterable[bytes], declared: Digest, *, limit: int, into: IO[bytes]) -> None:
    """Read a content to its end into a file; after an error the file holds nothing that anybody may use.

    Writing goes to the page cache at most, so it is done on the event loop.

    Args:
        chunks: the content, at most 64 KiB each.
        declared: what the header said of it.
        limit: the most bytes that are taken.
        into: the file, from where it stands.

    Raises:
        FileTooLarge: over the limit, before anything is read.
        DigestMismatch: it is not what was declared; at once when more arrives than that.
        ValidationFailed: a chunk is over 64 KiB.
    """
    declared.require_within(limit)
    size, sha256 = 0, hashlib.sha256()
    async for chunk in chunks:
        if len(chunk) > CHUNK_BYTES:
            raise ValidationFailed(errors=[("chunk", f"has {len(chunk)} bytes, over {CHUNK_BYTES}")])
        size += len(chunk)
        if size > declared.size:
            break  # it can only get worse
        sha256.update(chunk)
        into.write(chunk)
    if size != declared.size:
        raise DigestMismatch(what="size", declared=str(declared.size), actual=str(size))
    if sha256.digest() != declared.sha256:
        raise DigestMismatch(what="sha256", declared=declared.sha256.hex(), actual=sha256.hexdigest())


@asynccontextmanager
async def receiving(chunks: AsyncIterable[bytes], declared: Digest, *, limit: int) -> AsyncIterator[IO[bytes]]:
    """Run the block with a content in a temporary file, from its start; raises what `receive` does."""
    with SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES) as spooled:
        file = cast("IO[bytes]", spooled)
        await receive(chunks, declared, limit=limit, into=file)
        file.seek(0)
        yield file


async def opened(messages: AsyncIterable[_Part]) -> tuple[_Part, AsyncIterator[bytes]]:
    """The first message of a stream, which carries the header, and the chunks that follow it.

    Raises:
        ValidationFailed: the stream is empty or begins with something else; and while reading on,
            when another message than a chunk follows.
    """
    stream = aiter(messages)
    first = await anext(stream, None)
    if first is None or first.WhichOneof("part") != "header":
        raise ValidationFailed(errors=[("part", "the first message carries the header")])
    return first, _chunks_in(stream)


async def sending(
    header: _Part, content: bytes | IO[bytes] | AsyncIterable[bytes], part: Callable[[bytes], _Part]
) -> AsyncIterator[_Part]:
    """The messages of a stream with content: the header, then each chunk as `part` wraps it."""
    yield header
    if isinstance(content, AsyncIterable):
        async for block in content:
            for chunk in chunks_of(block):
                yield part(chunk)
    else:
        for chunk in chunks_of(content):
            yield part(chunk)


def chunks_of(content: bytes | IO[bytes]) -> Iterator[bytes]:
    """The content in chunks of 64 KiB and a last one of what is left; a file from where it stands."""
    if isinstance(content, bytes):
        for start in range(0, len(content), CHUNK_BYTES):
            yield content[start : start + CHUNK_BYTES]
    else:
        while chunk := content.read(CHUNK_BYTES):
            yield chunk


async def _chunks_in(stream: AsyncIterator[Message]) -> AsyncIterator[bytes]:
    async for message in stream:
        if message.WhichOneof("part") != "chunk":
            raise ValidationFailed(errors=[("part", "only chunks follow the header")])
        yield cast("bytes", message.chunk)  # type: ignore[attr-defined]  # the oneof says that it is there
