"""What the contracts' comments say of texts and numbers: a field that is added has to be entered here.

Names are `Message.field`, or the field's alone where it means the same everywhere.
"""

from collections.abc import Mapping
from typing import Final

from google.protobuf.descriptor import FieldDescriptor
from service.files.contract.fields import short_name

LARGEST: Final = 2**63 - 1

LONGEST: Final[Mapping[str, int]] = {
    "ArtifactType.kind": 100,
    "CreateArtifactRequest.kind": 100,
    "ProposedCreation.kind": 100,
    "ListArtifactsRequest.kind": 200,
    "FindCommandsRequest.kind": 200,
    "name_contains": 255,
    "artifact_id": 200,
    "proposal_id": 200,
    "base_proposal": 200,
    "thread_id": 200,
    "proposer_key": 215,
    "rationale": 10_000,
    "summary": 1_000,
    "reason": 1_000,
    "query": 500,
    "file_name": 255,
    "TextEdits.field": 200,
    "TextEdit.old": 1024 * 1024,
    "TextEdit.new": 1024 * 1024,
    "Fence.scope": 200,
    "page_token": 10_000,
    "Cursor.epoch": 10_000,
    "AppCommand.command": 10_000,
}
"""The most characters of a text."""

JSON_BYTES: Final[Mapping[str, int]] = {
    "schema_json": 256 * 1024,
    "data_json": 1024 * 1024,
    "json_patch": 1024 * 1024,
    "arguments_json": 1024 * 1024,
}
"""The most bytes of a JSON text."""

UNMEASURED: Final[Mapping[str, str]] = {
    "request_id": "a UUID has one length",
}
"""Texts whose length is not what matters, and why."""

NUMBERS: Final[Mapping[str, Mapping[int, str]]] = {
    "page_size": {-1: "VALIDATION_FAILED", 501: "VALIDATION_FAILED"},
    "base_version": {-1: "VALIDATION_FAILED", 0: "VALIDATION_FAILED", LARGEST: "VERSION_CONFLICT"},
    "expected_revision": {-1: "VALIDATION_FAILED", LARGEST: "VERSION_CONFLICT"},
    "version": {-1: "VALIDATION_FAILED", LARGEST: "NOT_FOUND"},
    "size": {-1: "VALIDATION_FAILED", 0: "VALIDATION_FAILED", LARGEST: "FILE_TOO_LARGE"},
    "ExtendCheckOutRequest.token": {-1: "VALIDATION_FAILED", 0: "VALIDATION_FAILED", LARGEST: "ARTIFACT_BUSY"},
    "CheckInHeader.token": {-1: "VALIDATION_FAILED", 0: "VALIDATION_FAILED", LARGEST: "ARTIFACT_BUSY"},
    "ReleaseCheckOutRequest.token": {-1: "VALIDATION_FAILED"},
    "Fence.token": {-1: "VALIDATION_FAILED", 0: "VALIDATION_FAILED"},
    "Cursor.sequence": {-1: "CURSOR_RESET", LARGEST: "CURSOR_RESET"},
    "start": {-1: "VALIDATION_FAILED"},
    "max_chars": {-1: "VALIDATION_FAILED", 100_001: "VALIDATION_FAILED"},
    "max_items": {-1: "VALIDATION_FAILED", 501: "VALIDATION_FAILED"},
    "limit": {-1: "VALIDATION_FAILED", 51: "VALIDATION_FAILED"},
    "page": {-1: "VALIDATION_FAILED", 0: "VALIDATION_FAILED", 2**31 - 1: "PAGE_OUT_OF_RANGE"},
    "long_side": {-1: "VALIDATION_FAILED", 99: "VALIDATION_FAILED", 1_601: "VALIDATION_FAILED"},
}
"""What each number is refused with."""


def key_of(field: FieldDescriptor, table: Mapping[str, object]) -> str | None:
    """The key of a field in one of the tables; None where it is in there under neither name."""
    return next((it for it in (short_name(field), field.name) if it in table), None)
