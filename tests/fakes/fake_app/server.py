"""The fake app's service: the contract of app workers, without a sandbox."""

# ruff: noqa: N802 - the methods carry the names of the contract

import argparse
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import grpc
from fakes.fake_app.answers import Outputs, batch_answer, chunks, derived, spoilt_answer, summaries
from fakes.fake_app.commands import CATALOGUE, Editing, apply_batch, crash, find, hang
from fakes.fake_app.document import Document
from fakes.fake_app.png import blank_page
from fakes.fake_app.refusals import AppRefused, PageOutOfRange
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice.app.v1 import app_service_pb2_grpc as app_grpc
from lattice.type.v1 import text_pb2
from lattice_chassis import telemetry
from lattice_chassis.content import Digest, opened, receiving
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.identity import DevelopmentAuthenticator, display_name
from lattice_chassis.server import Service, run_until_stopped, serving

Context = grpc.aio.ServicerContext[Any, Any]

VERSION: Final = "1.0"
MAX_FILE_BYTES: Final = 50 * 1024 * 1024

_SPOILING: Final = frozenset({"oversize", "wrong_digest", "garbage"})
_MAX_QUERY: Final = 500
_DEFAULT_FOUND: Final = 10
_MAX_FOUND: Final = 50
_MAX_COMMANDS: Final = 200
_SMALLEST: Final = 100
_DEFAULT_LONG_SIDE: Final = 1600
_A4: Final = 297 / 210


@dataclass(frozen=True, kw_only=True)
class Description:
    """What the app calls itself; several fakes may stand beside each other."""

    name: str
    integration_key: str
    formats: Sequence[str]

    def to_proto(self) -> app_pb.DescribeResponse:
        """The description as the contract wants it."""
        served = [app_pb.Format(name=it, media_type=f"application/x-{it}", extension=it) for it in self.formats]
        return app_pb.DescribeResponse(
            name=self.name, integration_key=self.integration_key, version=VERSION, formats=served
        )


class FakeApp(app_grpc.AppServiceServicer):
    """Opens, edits and renders documents, alike in all its formats; keeps nothing between calls."""

    def __init__(self, description: Description) -> None:
        self._description = description

    async def Describe(self, request: app_pb.DescribeRequest, context: Context) -> app_pb.DescribeResponse:
        return self._description.to_proto()

    async def ListCommands(self, request: app_pb.ListCommandsRequest, context: Context) -> app_pb.ListCommandsResponse:
        return app_pb.ListCommandsResponse(commands=[command.to_proto() for command in CATALOGUE])

    async def FindCommands(self, request: app_pb.FindCommandsRequest, context: Context) -> app_pb.FindCommandsResponse:
        _require("query", 0 <= len(request.query) <= _MAX_QUERY)
        limit = request.limit or _DEFAULT_FOUND
        _require("limit", 1 <= limit <= _MAX_FOUND)
        found = find(request.query, limit)
        return app_pb.FindCommandsResponse(commands=[command.to_proto() for command in found])

    async def Extract(
        self, request_iterator: AsyncIterator[app_pb.ExtractRequest], context: Context
    ) -> AsyncIterator[app_pb.ExtractResponse]:
        first, rest = await opened(request_iterator)
        _require("view", first.header.view in text_pb2.TextView.values())
        document = _opened(await self._content(first.header.file, rest))
        outputs = derived(document, original=first.header.view == text_pb2.TEXT_VIEW_ORIGINAL)
        for chunk in chunks(outputs):
            yield app_pb.ExtractResponse(chunk=chunk)
        end = app_pb.ExtractEnd(outputs=summaries(outputs), review_count=len(document.review))
        yield app_pb.ExtractResponse(end=end)

    async def ApplyBatch(
        self, request_iterator: AsyncIterator[app_pb.ApplyBatchRequest], context: Context
    ) -> AsyncIterator[app_pb.ApplyBatchResponse]:
        first, rest = await opened(request_iterator)
        header = first.header
        _require("commands", len(header.commands) <= _MAX_COMMANDS)
        document = _opened(await self._content(header.file, rest))
        before = _parts(document)
        apply_batch(_editing(document, header), header.commands)
        changed_parts = sorted(name for name, part in _parts(document).items() if part != before[name])
        fault = _fault(header.commands)
        if not changed_parts and fault is None:
            last = len(header.commands) - 1
            raise AppRefused(index=last, command=header.commands[last].command, why="the batch changes nothing")
        outputs: Outputs = {app_pb.OUTPUT_NATIVE: document.to_bytes(), **derived(document)}
        end = app_pb.ApplyBatchEnd(review_count=len(document.review), changed_parts=changed_parts)
        for part in batch_answer(outputs, end) if fault is None else spoilt_answer(fault, outputs, end):
            yield part

    async def RenderPage(
        self, request_iterator: AsyncIterator[app_pb.RenderPageRequest], context: Context
    ) -> AsyncIterator[app_pb.RenderPageResponse]:
        first, rest = await opened(request_iterator)
        header = first.header
        height = header.long_side or _DEFAULT_LONG_SIDE
        _require("long_side", _SMALLEST <= height <= _DEFAULT_LONG_SIDE)
        document = _opened(await self._content(header.file, rest))
        if not 1 <= header.page <= document.page_count:
            raise PageOutOfRange(count=document.page_count)
        width = round(height / _A4)
        drawn = width + 1 if document.fault == "page" else width
        outputs: Outputs = {app_pb.OUTPUT_PAGE: blank_page(drawn, height)}
        for chunk in chunks(outputs):
            yield app_pb.RenderPageResponse(chunk=chunk)
        end = app_pb.RenderPageEnd(
            outputs=summaries(outputs), page_count=document.page_count, width=width, height=height
        )
        yield app_pb.RenderPageResponse(end=end)

    async def _content(self, header: app_pb.FileHeader, rest: AsyncIterator[bytes]) -> bytes:
        """The file behind its header, which it has to match."""
        _require("format", header.format in self._description.formats)
        declared = Digest(size=header.size, sha256=header.sha256)
        async with receiving(rest, declared, limit=MAX_FILE_BYTES) as file:
            return file.read()


def run(arguments: Sequence[str] | None = None) -> None:
    """Serve on the unix socket that the command line names, until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--socket", required=True, help="the path of the socket to listen on")
    parser.add_argument("--name", default="fakeapp", help="what the app calls itself")
    parser.add_argument("--integration-key", default="files:fakeapp", help="the integration that governs it")
    parser.add_argument("--format", action="append", help='the name and extension of a format; "fake" without any')
    options = parser.parse_args(arguments)
    formats = options.format or ["fake"]
    description = Description(name=options.name, integration_key=options.integration_key, formats=formats)
    telemetry.configure(description.name)
    service = Service(app_grpc.add_AppServiceServicer_to_server, FakeApp(description))
    # Whoever can open the socket's folder is files: its caller is believed.
    authenticator = DevelopmentAuthenticator()
    run_until_stopped(serving(f"unix:{options.socket}", [service], authenticator, notice=timedelta()))


def _require(field: str, valid: bool) -> None:
    if not valid:
        raise ValidationFailed(errors=[(field, "is out of range")])


def _opened(content: bytes) -> Document:
    document = Document.parse(content)
    faults: dict[str, Callable[..., None]] = {"hang": hang, "crash": crash}
    if document.fault in faults:
        faults[document.fault](None, {})
    return document


def _editing(document: Document, header: app_pb.BatchHeader) -> Editing:
    by_agent = header.author.WhichOneof("kind") in {"agent", "external_agent"}
    return Editing(
        document=document,
        author=display_name(header.author),
        date=header.time.ToJsonString(),
        before=list(document.paragraphs),
        tracked=header.mode == app_pb.CHANGE_MODE_TRACKED
        or (header.mode == app_pb.CHANGE_MODE_UNSPECIFIED and by_agent),
    )


def _parts(document: Document) -> dict[str, object]:
    return {
        "paragraphs": list(document.paragraphs),
        "comments": list(document.comments),
        "changes": list(document.changes),
    }


def _fault(commands: Sequence[app_pb.CommandCall]) -> str | None:
    """The fault that the batch asks the answer to have, if any."""
    for call in commands:
        if call.command in _SPOILING:
            return str(json.loads(call.arguments_json or "{}").get("what", call.command))
    return None
