"""Large content on streams: the header first, then chunks of at most 64 KiB, checked at the end.

Contracts that carry content have messages with a oneof `part` of `header` and `chunk`. Both ways the
memory stays constant: what arrives is spooled into a temporary file beyond 1 MiB, what leaves is read
as it is sent. Nothing that arrives is handed on before its size and digest agree with what was
declared; content over the limit is refused as soon as that is known.
"""

import hashlib
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from types import TracebackType
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

    def __str__(self) -> str:
        return f"{self.what} was declared as {self.declared} and is {self.actual}"


@dataclass(kw_only=True, eq=False)
class FileTooLarge(Exception):
    """Content is over the limit; none of it was kept. Both figures are bytes."""

    reason: ClassVar[str] = "FILE_TOO_LARGE"
    size: int
    """What was declared, or what had arrived when it went over the limit."""
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

    @classmethod
    def of(cls, content: bytes) -> Self:
        """The digest of content at hand."""
        return cls(size=len(content), sha256=hashlib.sha256(content).digest())


class Spool:
    """Content as it arrives: hashed on the way into a temporary file that vanishes when the block is left.

    Adding writes to the page cache at most, so it is done on the event loop.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.size = 0
        self._sha256 = hashlib.sha256()
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115 - closed on leaving

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, chunk: bytes) -> None:
        """Take the next chunk.

        Raises:
            ValidationFailed: the chunk is over 64 KiB.
            FileTooLarge: what has arrived is over the limit.
        """
        if len(chunk) > CHUNK_BYTES:
            raise ValidationFailed(errors=[("chunk", f"has {len(chunk)} bytes, over {CHUNK_BYTES}")])
        self.size += len(chunk)
        if self.size > self._limit:
            raise FileTooLarge(size=self.size, limit=self._limit)
        self._sha256.update(chunk)
        self._file.write(chunk)

    @property
    def digest(self) -> Digest:
        """What has arrived."""
        return Digest(size=self.size, sha256=self._sha256.digest())

    def verified(self, declared: Digest) -> IO[bytes]:
        """The whole content, from its start; it is open as long as the spool is.

        Raises:
            DigestMismatch: what has arrived is not what was declared.
        """
        actual = self.digest
        if actual.size != declared.size:
            raise DigestMismatch(what="size", declared=str(declared.size), actual=str(actual.size))
        if actual.sha256 != declared.sha256:
            raise DigestMismatch(what="sha256", declared=declared.sha256.hex(), actual=actual.sha256.hex())
        self._file.seek(0)
        return cast("IO[bytes]", self._file)


@asynccontextmanager
async def receiving(chunks: AsyncIterable[bytes], declared: Digest, *, limit: int) -> AsyncIterator[IO[bytes]]:
    """Read a content to its end, then run the block with it: a file from its start, gone when the block is left.

    Args:
        chunks: the content, at most 64 KiB each.
        declared: what the header said of it.
        limit: the most bytes that are taken.

    Raises:
        FileTooLarge: over the limit; by the declared size before anything is read.
        DigestMismatch: it is not what was declared; at once when more arrives than that.
        ValidationFailed: a chunk is over 64 KiB.
    """
    if declared.size > limit:
        raise FileTooLarge(size=declared.size, limit=limit)
    with Spool(limit) as spool:
        async for chunk in chunks:
            spool.add(chunk)
            if spool.size > declared.size:
                break  # it can only get worse; `verified` says what is wrong
        yield spool.verified(declared)


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
