"""Streams that are not what the contract says: each is refused, and the app goes on."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from lattice.app.v1 import app_service_pb2 as app_pb
from lattice_chassis.content import CHUNK_BYTES, chunks_of

from lattice_app_kit.app import AUTHOR, TIME
from lattice_app_kit.check import Checks, Trial
from lattice_app_kit.checks.refusals import refused

CHECKS: Final = Checks("streams")

_Header = Callable[..., Any]
_Parts = Sequence[app_pb.FileHeader | bytes]


@CHECKS.add
async def refuses_wrong_order(trial: Trial) -> None:
    """A stream begins with its header, and only chunks of at most 64 KiB follow."""
    header, chunks = trial.document.header(), list(chunks_of(trial.document.content))
    streams: Iterable[_Parts] = (
        [],
        chunks,
        [header, header, *chunks],
        [header, *chunks, header],
        [header, bytes(CHUNK_BYTES + 1)],
    )
    for parts in streams:
        for call in _calls(trial, parts):
            await refused(call, "VALIDATION_FAILED")


@CHECKS.add
async def refuses_lies_about_content(trial: Trial) -> None:
    """Content that is not what its header says is refused as DIGEST_MISMATCH."""
    document = trial.document
    chunks, size = list(chunks_of(document.content)), len(document.content)
    for lie in ({"sha256": bytes(32)}, {"size": size - 1}, {"size": size + 1}):
        for call in _calls(trial, [document.header(**lie), *chunks]):
            await refused(call, "DIGEST_MISMATCH")


@CHECKS.add
async def refuses_wrong_headers(trial: Trial) -> None:
    """A header of another format, or with an impossible size or digest, is refused as VALIDATION_FAILED."""
    document = trial.document
    for wrong in ({"format": "nosuchformat"}, {"format": ""}, {"size": 0}, {"size": -1}, {"sha256": b"short"}):
        for call in _calls(trial, [document.header(**wrong), *chunks_of(document.content)]):
            await refused(call, "VALIDATION_FAILED")


@CHECKS.add
async def refuses_large_files(trial: Trial) -> None:
    """A file over 50 MiB is refused as FILE_TOO_LARGE before its content is sent."""
    for call in _calls(trial, [trial.document.header(size=2**40)]):
        await refused(call, "FILE_TOO_LARGE")


def _calls(trial: Trial, parts: _Parts) -> Iterator[Awaitable[object]]:
    """A call of each method that takes a file, with these parts in its stream."""
    app, commands = trial.app, [app_pb.CommandCall(command=command) for command, _ in trial.batch[:1]]
    commands = commands or [app_pb.CommandCall(command="any")]

    def batch(file: app_pb.FileHeader) -> app_pb.BatchHeader:
        return app_pb.BatchHeader(file=file, commands=commands, author=AUTHOR, time=TIME)

    yield app.extract_by(*_messages(app_pb.ExtractRequest, parts, lambda file: app_pb.ExtractHeader(file=file)))
    yield app.apply_by(trial.document.format, *_messages(app_pb.ApplyBatchRequest, parts, batch))
    yield app.page_by(*_messages(app_pb.RenderPageRequest, parts, lambda file: app_pb.PageHeader(file=file, page=1)))


def _messages(kind: Callable[..., Any], parts: _Parts, header: _Header) -> Iterator[Any]:
    for part in parts:
        yield kind(chunk=part) if isinstance(part, bytes) else kind(header=header(part))
