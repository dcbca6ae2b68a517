"""Large content in chunks: whole and as declared, or not at all."""

import hashlib
import io
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice.app.v1.app_service_pb2 import ExtractHeader, ExtractRequest, FileHeader
from lattice_chassis.content import (
    CHUNK_BYTES,
    Digest,
    DigestMismatch,
    FileTooLarge,
    chunks_of,
    opened,
    receive,
    receiving,
    sending,
)
from lattice_chassis.errors import ValidationFailed

LIMIT = 50 * 1024 * 1024


async def arriving(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


def part(chunk: bytes) -> ExtractRequest:
    return ExtractRequest(chunk=chunk)


def header(content: bytes) -> ExtractRequest:
    digest = Digest.of(content)
    header = FileHeader(format="docx", size=digest.size, sha256=digest.sha256)
    return ExtractRequest(header=ExtractHeader(file=header))


async def in_blocks(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), 100_000):  # no multiple of a chunk
        yield content[start : start + 100_000]


@pytest.mark.parametrize("form", [bytes, io.BytesIO, in_blocks], ids=["bytes", "file", "blocks"])
@given(content=st.binary(max_size=64) | st.integers(0, 3 * CHUNK_BYTES).map(bytes))
async def test_content_arrives_as_it_was_sent_in_messages_of_at_most_64_kib(
    form: Callable[[bytes], bytes | io.BytesIO | AsyncIterator[bytes]], content: bytes
) -> None:
    """MP-34: the header first, then chunks; what is read back is what was sent."""
    messages = [message async for message in sending(header(content), form(content), part)]
    assert all(len(message.chunk) <= CHUNK_BYTES for message in messages)
    first, chunks = await opened(_stream(messages))
    declared = Digest(size=first.header.file.size, sha256=first.header.file.sha256)
    async with receiving(chunks, declared, limit=LIMIT) as file:
        assert file.read() == content


async def _stream(messages: Iterable[ExtractRequest]) -> AsyncIterator[ExtractRequest]:
    for message in messages:
        yield message


@pytest.mark.parametrize(
    "messages",
    [[], [part(b"content")], [ExtractRequest()]],
    ids=["nothing", "a chunk", "neither"],
)
async def test_a_stream_that_does_not_begin_with_its_header_is_refused(messages: list[ExtractRequest]) -> None:
    with pytest.raises(ValidationFailed):
        await opened(_stream(messages))


async def test_only_chunks_follow_the_header() -> None:
    _, chunks = await opened(_stream([header(b"ab"), part(b"a"), header(b"b")]))
    assert await anext(chunks) == b"a"
    with pytest.raises(ValidationFailed):
        await anext(chunks)


@pytest.mark.parametrize(
    ("chunks", "what"),
    [([b"abc"], "size"), ([b"abcde"], "size"), ([b"abcX"], "sha256"), ([], "size")],
    ids=["shorter", "longer", "other bytes", "empty"],
)
async def test_content_that_differs_from_what_was_declared_is_never_handed_on(chunks: list[bytes], what: str) -> None:
    with pytest.raises(DigestMismatch) as caught:
        async with receiving(arriving(chunks), Digest.of(b"abcd"), limit=LIMIT):
            pytest.fail("the block ran")
    assert caught.value.what == what


async def test_a_declared_size_over_the_limit_is_refused_before_anything_is_read() -> None:
    chunks = arriving([b"abcd"])
    with pytest.raises(FileTooLarge) as caught:
        async with receiving(chunks, Digest.of(b"abcd"), limit=3):
            pytest.fail("the block ran")
    assert (caught.value.size, caught.value.limit) == (4, 3)
    assert await anext(chunks) == b"abcd"


async def test_a_sender_that_never_stops_is_cut_off_at_what_it_declared() -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        while True:
            taken += CHUNK_BYTES
            yield bytes(CHUNK_BYTES)

    with pytest.raises(DigestMismatch):
        async with receiving(endless(), Digest.of(bytes(CHUNK_BYTES + 1)), limit=LIMIT):
            pytest.fail("the block ran")
    assert taken == 2 * CHUNK_BYTES


async def test_a_chunk_over_64_kib_is_refused() -> None:
    content = bytes(CHUNK_BYTES + 1)
    with pytest.raises(ValidationFailed):
        await receive(arriving([content]), Digest.of(content), limit=LIMIT, into=io.BytesIO())


@pytest.mark.parametrize(("size", "sha256"), [(-1, bytes(32)), (1, b""), (1, bytes(31))])
def test_a_digest_has_a_length_and_32_bytes(size: int, sha256: bytes) -> None:
    with pytest.raises(ValidationFailed):
        Digest(size=size, sha256=sha256)


async def test_memory_stays_constant_while_fifty_mebibytes_arrive() -> None:
    """MP-34: content is spooled to disk."""
    chunk, count = bytes(CHUNK_BYTES), LIMIT // CHUNK_BYTES
    whole = hashlib.sha256()
    for _ in range(count):
        whole.update(chunk)
    tracemalloc.start()
    try:
        chunks = arriving(chunk for _ in range(count))
        async with receiving(chunks, Digest(size=LIMIT, sha256=whole.digest()), limit=LIMIT) as file:
            for _ in chunks_of(file):
                pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * 1024 * 1024
