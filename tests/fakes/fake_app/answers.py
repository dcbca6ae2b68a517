"""How outputs leave the app: chunks, then one summary each; or spoilt, where a batch asked for that."""

import json
from collections.abc import Iterator, Mapping

from fakes.fake_app.document import Document
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice_chassis.content import CHUNK_BYTES, Digest, chunks_of

Outputs = Mapping[app_pb.Output.ValueType, bytes]


def derived(document: Document, *, original: bool = False) -> dict[app_pb.Output.ValueType, bytes]:
    """The text and the review of a document."""
    text = document.original_text if original else document.text
    return {
        app_pb.OUTPUT_TEXT: text.encode(),
        app_pb.OUTPUT_REVIEW: json.dumps(document.review, ensure_ascii=False).encode(),
    }


def chunks(outputs: Outputs) -> Iterator[app_pb.OutputChunk]:
    """Every output in chunks, one output after the other."""
    for output, content in outputs.items():
        for chunk in chunks_of(content):
            yield app_pb.OutputChunk(output=output, content=chunk)


def summaries(outputs: Outputs) -> list[app_pb.OutputSummary]:
    """What each output was."""
    return [
        app_pb.OutputSummary(output=output, size=digest.size, sha256=digest.sha256)
        for output, digest in ((output, Digest.of(content)) for output, content in outputs.items())
    ]


def batch_answer(outputs: Outputs, end: app_pb.ApplyBatchEnd) -> Iterator[app_pb.ApplyBatchResponse]:
    """The answer to a batch as the contract wants it."""
    for chunk in chunks(outputs):
        yield app_pb.ApplyBatchResponse(chunk=chunk)
    end.outputs.extend(summaries(outputs))
    yield app_pb.ApplyBatchResponse(end=end)


def spoilt_answer(fault: str, outputs: Outputs, end: app_pb.ApplyBatchEnd) -> Iterator[app_pb.ApplyBatchResponse]:
    """The answer to a batch with a fault in it.

    Raises:
        ValueError: there is no such fault.
    """
    match fault:
        case "oversize":
            yield from _endless()
        case "wrong_digest":
            *content, last = batch_answer(outputs, end)
            yield from content
            last.end.outputs[0].sha256 = bytes(32)
            yield last
        case "order":
            yield from reversed(list(batch_answer(outputs, end)))
        case "unended":
            *content, _last = batch_answer(outputs, end)
            yield from content
        case "unknown":
            yield app_pb.ApplyBatchResponse(chunk=app_pb.OutputChunk(content=b"?"))
        case "large_chunk":
            large = app_pb.OutputChunk(output=app_pb.OUTPUT_NATIVE, content=bytes(CHUNK_BYTES + 1))
            yield app_pb.ApplyBatchResponse(chunk=large)
        case "text":
            yield from batch_answer({**outputs, app_pb.OUTPUT_TEXT: b"\xff\xfe"}, end)
        case "review":
            yield from batch_answer({**outputs, app_pb.OUTPUT_REVIEW: b'[{"id": 1}]'}, end)
        case "count":
            end.review_count += 1
            yield from batch_answer(outputs, end)
        case _:
            raise ValueError(f"there is no fault {fault}")


def _endless() -> Iterator[app_pb.ApplyBatchResponse]:
    chunk = app_pb.OutputChunk(output=app_pb.OUTPUT_NATIVE, content=bytes(CHUNK_BYTES))
    while True:
        yield app_pb.ApplyBatchResponse(chunk=chunk)
