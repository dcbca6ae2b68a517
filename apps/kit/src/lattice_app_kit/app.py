"""A worker as the kit calls it: streams of any shape, and answers that are taken apart.

What an answer has to be whatever was asked is checked here, each time: chunks of at most 64 KiB, those of an output
together, one end, sizes and digests that agree.
"""

import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

import grpc
from google.protobuf.timestamp_pb2 import Timestamp
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice.app.v1.app_service_pb2_grpc import AppServiceStub
from lattice.type.v1 import text_pb2
from lattice.type.v1.actor_pb2 import Actor, AgentActor, SystemActor
from lattice_chassis.content import CHUNK_BYTES, Digest, chunks_of
from lattice_chassis.errors import RefusedByPeer, refusal_of
from lattice_chassis.identity import Identity, development_metadata, display_name

from lattice_app_kit.verdicts import Broken, require

AUTHOR: Final = Actor(agent=AgentActor(thread_id="thr_kit", name="Conformance Kit"))
"""Who edits: an agent, whose changes are tracked unless the batch says otherwise."""

TIME: Final = Timestamp(seconds=1_767_355_200)

_FILES: Final = development_metadata(Identity(tenant="kit", actor=Actor(system=SystemActor(name="files"))))

Output: TypeAlias = app_pb.Output.ValueType
_Request: TypeAlias = app_pb.ExtractRequest | app_pb.ApplyBatchRequest | app_pb.RenderPageRequest
_Answer = TypeVar("_Answer", app_pb.ExtractResponse, app_pb.ApplyBatchResponse, app_pb.RenderPageResponse)


@dataclass(frozen=True, kw_only=True)
class Document:
    """A file of one of the app's formats."""

    name: str
    """What reports call it."""
    format: str
    content: bytes

    def header(self, **other: Any) -> app_pb.FileHeader:  # noqa: ANN401 - fields of the message
        """What is true of the file, but for what is named."""
        digest = Digest.of(self.content)
        true = {"format": self.format, "size": digest.size, "sha256": digest.sha256}
        return app_pb.FileHeader(**{**true, **other})


@dataclass(frozen=True, kw_only=True)
class Extract:
    """The text and the review of a file."""

    text: str
    review: Sequence[Mapping[str, Any]]

    def tracked_by(self, author: Actor) -> int:
        """How many tracked changes carry the name of an author."""
        name = display_name(author)
        return sum(it.get("type") == "tracked_change" and it.get("author") == name for it in self.review)


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a batch made."""

    document: Document
    extract: Extract
    changed_parts: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page that was drawn."""

    png: bytes
    width: int
    height: int
    count: int


class App:
    """The worker at an address; `seconds` bounds every call."""

    def __init__(self, channel: grpc.aio.Channel, *, seconds: float) -> None:
        self._stub = AppServiceStub(channel)
        self._seconds = seconds

    async def describe(self) -> app_pb.DescribeResponse:
        """What the app says of itself."""
        return await self._stub.Describe(app_pb.DescribeRequest(), **self._call)

    async def commands(self) -> Sequence[app_pb.Command]:
        """The whole catalogue."""
        return (await self._stub.ListCommands(app_pb.ListCommandsRequest(), **self._call)).commands

    async def found(self, query: str, limit: int = 0) -> Sequence[app_pb.Command]:
        """The commands that fit a query."""
        request = app_pb.FindCommandsRequest(query=query, limit=limit)
        return (await self._stub.FindCommands(request, **self._call)).commands

    async def extract(
        self, document: Document, view: text_pb2.TextView.ValueType = text_pb2.TEXT_VIEW_UNSPECIFIED
    ) -> Extract:
        """The text, in a view, and the review of a document."""
        header = app_pb.ExtractHeader(file=document.header(), view=view)
        requests = (app_pb.ExtractRequest(chunk=it) for it in chunks_of(document.content))
        return await self.extract_by(app_pb.ExtractRequest(header=header), *requests)

    async def extract_by(self, *requests: app_pb.ExtractRequest) -> Extract:
        """What the app answers to a stream of any shape."""
        outputs, last = await _answered(self._stub.Extract(_stream(requests), **self._call))
        return _extract(outputs, last.end.outputs, last.end.review_count)

    async def abandon(self, document: Document) -> None:
        """Begin to send a document, and go away."""
        call = self._stub.Extract(**self._call)
        await call.write(app_pb.ExtractRequest(header=app_pb.ExtractHeader(file=document.header())))
        await call.write(app_pb.ExtractRequest(chunk=document.content[:1]))
        call.cancel()

    async def apply(self, document: Document, *commands: tuple[str, str], **header: Any) -> Result:  # noqa: ANN401
        """The result of a batch of commands, each an id and its arguments as JSON; `header` names other fields."""
        calls = [app_pb.CommandCall(command=command, arguments_json=arguments) for command, arguments in commands]
        given = {"file": document.header(), "commands": calls, "author": AUTHOR, "time": TIME}
        first = app_pb.ApplyBatchRequest(header=app_pb.BatchHeader(**{**given, **header}))
        requests = (app_pb.ApplyBatchRequest(chunk=it) for it in chunks_of(document.content))
        return await self.apply_by(document.format, first, *requests)

    async def apply_by(self, file_format: str, *requests: app_pb.ApplyBatchRequest) -> Result:
        """What the app answers to a batch of any shape."""
        outputs, last = await _answered(self._stub.ApplyBatch(_stream(requests), **self._call))
        extract = _extract(outputs, last.end.outputs, last.end.review_count, app_pb.OUTPUT_NATIVE)
        native = Document(name="the result", format=file_format, content=outputs[app_pb.OUTPUT_NATIVE])
        return Result(document=native, extract=extract, changed_parts=list(last.end.changed_parts))

    async def page(self, document: Document, number: int, long_side: int = 0) -> Page:
        """One page of a document."""
        header = app_pb.PageHeader(file=document.header(), page=number, long_side=long_side)
        requests = (app_pb.RenderPageRequest(chunk=it) for it in chunks_of(document.content))
        return await self.page_by(app_pb.RenderPageRequest(header=header), *requests)

    async def page_by(self, *requests: app_pb.RenderPageRequest) -> Page:
        """What the app answers to a request for a page of any shape."""
        outputs, last = await _answered(self._stub.RenderPage(_stream(requests), **self._call))
        _require_agreement(outputs, last.end.outputs, {app_pb.OUTPUT_PAGE})
        end = last.end
        return Page(png=outputs[app_pb.OUTPUT_PAGE], width=end.width, height=end.height, count=end.page_count)

    @property
    def _call(self) -> dict[str, Any]:
        return {"metadata": _FILES, "timeout": self._seconds}


def refusal(error: grpc.aio.AioRpcError) -> RefusedByPeer:
    """The typed refusal of a failed call.

    Raises:
        Broken: the call failed without one.
    """
    found = refusal_of(error)
    if found is None:
        raise Broken(f"the call ends with {error.code().name} and no reason of the contract: {error.details()}")
    return found


async def _stream(requests: Sequence[_Request]) -> AsyncIterator[Any]:
    for request in requests:
        yield request


async def _answered(call: grpc.aio.StreamStreamCall[Any, _Answer]) -> tuple[dict[Output, bytes], _Answer]:
    """The outputs of an answer, and its last message."""
    outputs: dict[Output, bytearray] = {}
    current, last = None, None
    async for answer in call:
        require(last is None, "a message comes after the end")
        if answer.WhichOneof("part") == "end":
            last = answer
            continue
        require(answer.WhichOneof("part") == "chunk", "a message carries neither a chunk nor the end")
        chunk = answer.chunk
        require(0 < len(chunk.content) <= CHUNK_BYTES, f"a chunk has {len(chunk.content)} bytes")
        require(chunk.output == current or chunk.output not in outputs, "the chunks of an output are not together")
        current = chunk.output
        outputs.setdefault(current, bytearray()).extend(chunk.content)
    if last is None:
        raise Broken("the answer has no end")
    return {output: bytes(content) for output, content in outputs.items()}, last


def _require_agreement(
    outputs: dict[Output, bytes], summaries: Sequence[app_pb.OutputSummary], expected: set[Output]
) -> None:
    """Check sizes and digests; an output without content sends no chunk, and is there all the same."""
    declared = [it.output for it in summaries]
    require(sorted(declared) == sorted(expected), f"the end sums up {_names(declared)}, not {_names(expected)}")
    require(outputs.keys() <= expected, f"there are chunks of {_names(outputs)}")
    for it in summaries:
        content = outputs.setdefault(it.output, b"")
        require(it.size == len(content), f"{app_pb.Output.Name(it.output)} is declared as {it.size} bytes")
        digest = hashlib.sha256(content).digest()
        require(it.sha256 == digest, f"the digest of {app_pb.Output.Name(it.output)} is another one")


def _extract(
    outputs: dict[Output, bytes], summaries: Sequence[app_pb.OutputSummary], count: int, *more: Output
) -> Extract:
    _require_agreement(outputs, summaries, {app_pb.OUTPUT_TEXT, app_pb.OUTPUT_REVIEW, *more})
    try:
        text = outputs[app_pb.OUTPUT_TEXT].decode()
        review = json.loads(outputs[app_pb.OUTPUT_REVIEW].decode())
    except ValueError as error:  # a UnicodeDecodeError is one
        raise Broken(f"text or review are not what they should be: {error}") from error
    require(isinstance(review, list), "the review is no JSON list")
    require(len(review) == count, f"the review has {len(review)} items, {count} are declared")
    return Extract(text=text, review=review)


def _names(outputs: Sequence[Output] | set[Output] | dict[Output, bytes]) -> str:
    return ", ".join(sorted(app_pb.Output.Name(it) for it in outputs)) or "nothing"
