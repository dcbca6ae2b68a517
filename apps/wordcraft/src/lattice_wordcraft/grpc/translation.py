"""Between the contract's messages and the app's values."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from typing import Final, TypeAlias

from lattice.app.v1 import app_service_pb2 as app_pb
from lattice.type.v1 import text_pb2
from lattice_chassis.content import Digest, chunks_of
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.identity import display_name

from lattice_wordcraft.batch import Batch, Call
from lattice_wordcraft.catalogue.command import Command
from lattice_wordcraft.reading import View
from lattice_wordcraft.wordcraft import Extract

MAX_COMMANDS: Final = 200
MAX_QUERY_CHARS: Final = 500
FORMAT: Final = app_pb.Format(
    name="docx",
    media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    extension="docx",
)

_AGENTS: Final = frozenset({"agent", "external_agent"})
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")

Outputs: TypeAlias = Mapping[app_pb.Output.ValueType, bytes]
"""What a call answers, by what it is."""


def batch(header: app_pb.BatchHeader) -> Batch:
    """The batch of a header.

    Raises:
        ValidationFailed: it has too many commands, or an author or time that a document cannot hold.
    """
    if len(header.commands) > MAX_COMMANDS:
        raise ValidationFailed(errors=[("commands", f"takes at most {MAX_COMMANDS}")])
    kind = header.author.WhichOneof("kind")
    author = display_name(header.author) if kind else ""
    if not author.strip() or _CONTROL.search(author):
        raise ValidationFailed(errors=[("author", "names nobody, or in control characters")])
    try:
        time = header.time.ToDatetime(UTC)
    except (ValueError, OverflowError) as error:
        raise ValidationFailed(errors=[("time", "is no time")]) from error
    unset = header.mode == app_pb.CHANGE_MODE_UNSPECIFIED
    return Batch(
        calls=[Call(command=it.command, arguments_json=it.arguments_json) for it in header.commands],
        author=author,
        time=time,
        tracked=kind in _AGENTS if unset else header.mode == app_pb.CHANGE_MODE_TRACKED,
    )


def view(of: text_pb2.TextView.ValueType) -> View:
    """What tracked changes read as.

    Raises:
        ValidationFailed: it is no view of ours.
    """
    match of:
        case text_pb2.TEXT_VIEW_UNSPECIFIED | text_pb2.TEXT_VIEW_FINAL:
            return View.FINAL
        case text_pb2.TEXT_VIEW_ORIGINAL:
            return View.ORIGINAL
        case _:
            raise ValidationFailed(errors=[("view", "is no view of a text")])


def declared(header: app_pb.FileHeader) -> Digest:
    """What a header says of the content behind it.

    Raises:
        ValidationFailed: it is of another format, or no digest.
    """
    if header.format != FORMAT.name:
        raise ValidationFailed(errors=[("format", f"is not {FORMAT.name}")])
    return Digest(size=header.size, sha256=header.sha256)


def command(of: type[Command]) -> app_pb.Command:
    """A command of the catalogue."""
    return app_pb.Command(
        id=of.id,
        label=of.label,
        description=of.description,
        arguments_schema_json=json.dumps(of.model_json_schema()),
        example_json=json.dumps(of.example, ensure_ascii=False),
        changed_parts=sorted(of.changes),
    )


def extract(of: Extract) -> Outputs:
    """The text and the review as the contract carries them."""
    return {
        app_pb.OUTPUT_TEXT: of.text.encode(),
        app_pb.OUTPUT_REVIEW: json.dumps(of.review, ensure_ascii=False).encode(),
    }


def chunks(outputs: Outputs) -> Iterator[app_pb.OutputChunk]:
    """Every output in chunks, one output after the other."""
    for output, content in outputs.items():
        for chunk in chunks_of(content):
            yield app_pb.OutputChunk(output=output, content=chunk)


def summaries(outputs: Outputs) -> Sequence[app_pb.OutputSummary]:
    """What each output was."""
    digests = ((output, Digest.of(content)) for output, content in outputs.items())
    return [app_pb.OutputSummary(output=output, size=it.size, sha256=it.sha256) for output, it in digests]
