"""What is wrong inside texts and streams: JSON that is none, patches that do not apply, digests that lie."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from google.protobuf.message import Message
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice_chassis.content import CHUNK_BYTES
from service.files.contract.bad_calls import BadCall, Spot, bad, spots
from service.files.contract.calls import METHODS
from service.files.contract.good_call import GoodCall
from service.files.contract.limits import JSON_BYTES
from service.files.contract.places import Place
from service.files.structured import json_patch, replaces, sets

_TOO_MANY: Final = 1001

NO_JSON: Final[Mapping[str, str]] = {
    "no JSON": "{",
    "words": "hello",
    "a number": "3",
    "a text": '"{}"',
    "no value": "null",
    "not a number": '{"name": NaN}',
    "beyond all numbers": '{"name": 1e999}',
    "too many digits": f'{{"name": {"9" * 5000}}}',
    "a key twice": '{"name": "one", "name": "two"}',
    "too deep": '{"name": ' * 101 + "1" + "}" * 101,
    "far too deep": '{"name":' * 60_000,
    "NUL in a text": '{"name": "\\u0000"}',
    "half a character": '{"name": "\\ud800"}',
}
"""Texts that are no data, no schema and no patch."""

PATCHES: Final[Mapping[str, tuple[artifacts_pb.Patch, str]]] = {
    "nothing": (artifacts_pb.Patch(), "VALIDATION_FAILED"),
    "no operation": (json_patch(), "VALIDATION_FAILED"),
    "too many operations": (json_patch(*[{"op": "test", "path": "", "value": 1}] * _TOO_MANY), "VALIDATION_FAILED"),
    "an unknown operation": (json_patch({"op": "rename", "path": "/name"}), "VALIDATION_FAILED"),
    "an operation without a path": (json_patch({"op": "remove"}), "VALIDATION_FAILED"),
    "a path that is no text": (json_patch({"op": "remove", "path": 1}), "VALIDATION_FAILED"),
    "a path that is no pointer": (json_patch({"op": "remove", "path": "name"}), "PATCH_FAILED"),
    "what is not there": (json_patch({"op": "remove", "path": "/absent"}), "PATCH_FAILED"),
    "a failing test": (json_patch({"op": "test", "path": "/name", "value": 1}), "PATCH_FAILED"),
    "a passing test alone": (json_patch({"op": "test", "path": "", "value": {"name": "one"}}), "PATCH_FAILED"),
    "a member of a text": (sets("/name/first", "one"), "PATCH_FAILED"),
    "what is required": (json_patch({"op": "remove", "path": "/name"}), "VALIDATION_FAILED"),
    "an unknown field": (sets("/stray", 1), "VALIDATION_FAILED"),
    "the whole": (json_patch({"op": "replace", "path": "", "value": []}), "VALIDATION_FAILED"),
    "no replacement": (
        artifacts_pb.Patch(text_edits=artifacts_pb.TextEdits(field="name")),
        "VALIDATION_FAILED",
    ),
    "too many replacements": (
        artifacts_pb.Patch(
            text_edits=artifacts_pb.TextEdits(field="name", edits=[artifacts_pb.TextEdit(old="one")] * _TOO_MANY)
        ),
        "VALIDATION_FAILED",
    ),
    "an anchor that is not there": (replaces("absent", "two", field="name"), "PATCH_FAILED"),
    "no anchor in a full field": (replaces("", "two", field="name"), "PATCH_FAILED"),
    "a field that is not there": (replaces("one", "two", field="absent"), "PATCH_FAILED"),
    "the field of notes": (replaces("one", "two"), "PATCH_FAILED"),
}
"""What cannot be done to a task, and why."""


def bad_content(call: GoodCall, place: Place) -> Iterator[BadCall]:
    """The call with its content spoiled in one way at a time."""
    for make in spots(call, place):
        yield from _json(make)
        yield from _patches(make)
    if METHODS[call.method].client_streaming:
        yield from _streams(call, place)


def _json(make: Callable[[], Spot]) -> Iterator[BadCall]:
    name = make().field.name
    if name not in JSON_BYTES:
        return
    blank = {} if name == "data_json" else {"empty list": "[]"}
    for fault, text in {**NO_JSON, **blank, "too large": json.dumps({"name": "x" * JSON_BYTES[name]})}.items():
        spot = make()
        spot.put(text)
        yield bad(spot, fault, "VALIDATION_FAILED", names_it=fault != "too large")


def _patches(make: Callable[[], Spot]) -> Iterator[BadCall]:
    if make().field.message_type is not artifacts_pb.Patch.DESCRIPTOR or make().value.HasField("text_edits"):
        return
    for fault, (patch, reason) in PATCHES.items():
        spot = make()
        spot.value.CopyFrom(patch)
        yield bad(spot, fault, reason, names_it=False)


def _streams(call: GoodCall, place: Place) -> Iterator[BadCall]:
    def stream(fault: str, reason: str, *messages: Message) -> BadCall:
        return BadCall(label=f"stream {fault}", requests=messages, reason=reason)

    header, chunk = call.requests(place)
    content: bytes = chunk.chunk  # type: ignore[attr-defined]  # streams of content have it
    made = type(header)

    def of(*chunks: bytes) -> Sequence[Message]:
        return [made(chunk=it) for it in chunks]

    yield stream("without a message", "VALIDATION_FAILED")
    yield stream("that begins with a chunk", "VALIDATION_FAILED", chunk, header)
    yield stream("that begins with an empty message", "VALIDATION_FAILED", made(), chunk)
    yield stream("with two headers", "VALIDATION_FAILED", header, header, chunk)
    yield stream("with a header after its chunks", "VALIDATION_FAILED", header, chunk, header)
    yield stream("with an empty message", "VALIDATION_FAILED", header, made(), chunk)
    yield stream("without content", "DIGEST_MISMATCH", header)
    yield stream("with less content", "DIGEST_MISMATCH", header, *of(content[:-1]))
    yield stream("with more content", "DIGEST_MISMATCH", header, chunk, *of(b"x"))
    yield stream("with other content", "DIGEST_MISMATCH", header, *of(content.replace(b"One", b"Eno")))
    large = b"x" * (CHUNK_BYTES + 1)
    yield stream("with a large chunk", "VALIDATION_FAILED", _declaring(header, large), *of(large))
    for digest in (b"short", b"x" * 33):
        yield stream(f"with a digest of {len(digest)} bytes", "VALIDATION_FAILED", _with(header, sha256=digest), chunk)
    guarded = b"BAD"
    yield stream("with a file that a guard refuses", "FILE_REFUSED", _declaring(header, guarded), *of(guarded))
    yield stream("with a file over the limit", "FILE_TOO_LARGE", _with(header, size=50 * 1024 * 1024 + 1), chunk)


def _declaring(header: Message, content: bytes) -> Message:
    return _with(header, size=len(content), sha256=hashlib.sha256(content).digest())


def _with(message: Message, **fields: object) -> Message:
    changed: Any = type(message)()
    changed.CopyFrom(message)
    for name, value in fields.items():
        setattr(changed.header, name, value)
    spoiled: Message = changed
    return spoiled
