"""The catalogue of the fake app, and how a batch of its commands is applied.

The last six commands are faults: they make the worker do what files must survive.
"""

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Never

import jsonschema_rs
from fakes.fake_app.document import Change, Comment, Document
from fakes.fake_app.refusals import AppRefused
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice_chassis.identity import current_identity

Arguments = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Editing:
    """Who edits a document, when, and whether it is tracked."""

    document: Document
    author: str
    date: str
    tracked: bool
    before: list[str]
    """The paragraphs before the batch."""

    def track(self, state: str, text: str) -> None:
        """Remember a change of the text, if this batch is tracked."""
        if self.tracked:
            self.document.original = self.document.original or self.before
            change = Change(id=self.document.new_id(), author=self.author, date=self.date, text=text, state=state)
            self.document.changes.append(change)


class CannotApply(Exception):
    """A command does not fit the document; the text says why."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command of the catalogue: how it is described, and what it does."""

    id: str
    label: str
    description: str
    example: Arguments
    apply: Callable[[Editing, Arguments], None]
    changed_parts: tuple[str, ...] = ()

    @property
    def arguments_schema(self) -> dict[str, Any]:
        """Exactly the arguments of the example, each of the example's type."""
        types = {str: "string", int: "integer"}
        properties = {name: {"type": types[type(value)]} for name, value in self.example.items()}
        return {
            "type": "object",
            "properties": properties,
            "required": sorted(properties),
            "additionalProperties": False,
        }

    def to_proto(self) -> app_pb.Command:
        """The command as the contract describes one."""
        return app_pb.Command(
            id=self.id,
            label=self.label,
            description=self.description,
            arguments_schema_json=json.dumps(self.arguments_schema),
            example_json=json.dumps(self.example),
            changed_parts=self.changed_parts,
        )


def append_paragraph(editing: Editing, arguments: Arguments) -> None:
    """Add a paragraph at the end."""
    editing.document.paragraphs.append(arguments["text"])
    editing.track("insertion", arguments["text"])


def replace_text(editing: Editing, arguments: Arguments) -> None:
    """Replace words that occur exactly once in the document."""
    place = _paragraph_with(editing.document, arguments["old"])
    paragraphs = editing.document.paragraphs
    paragraphs[place] = paragraphs[place].replace(arguments["old"], arguments["new"])
    editing.track("deletion", arguments["old"])
    editing.track("insertion", arguments["new"])


def delete_paragraph(editing: Editing, arguments: Arguments) -> None:
    """Delete the paragraph of a number, counted from 1."""
    number, paragraphs = arguments["number"], editing.document.paragraphs
    if not 1 <= number <= len(paragraphs):
        raise CannotApply(f"there is no paragraph {number}; the document has {len(paragraphs)}")
    editing.track("deletion", paragraphs.pop(number - 1))


def add_comment(editing: Editing, arguments: Arguments) -> None:
    """Comment on words that occur exactly once in the document."""
    document, anchor = editing.document, arguments["anchor"]
    _paragraph_with(document, anchor)
    document.comments.append(
        Comment(
            id=document.new_id(),
            author=editing.author,
            date=editing.date,
            text=arguments["text"],
            anchored_text=anchor,
        )
    )


def name_tenant(editing: Editing, _arguments: Arguments) -> None:
    """Add the tenant for whom files calls as a paragraph."""
    editing.document.paragraphs.append(current_identity().tenant)


def hang(_editing: Editing, _arguments: Arguments) -> None:
    """Block the whole program, its event loop too, until somebody kills it."""
    while True:
        time.sleep(3600)


def crash(_editing: Editing, _arguments: Arguments) -> Never:
    """End the program at once, as a fault in native code would."""
    os._exit(13)


def refuse(_editing: Editing, arguments: Arguments) -> Never:
    """Refuse with a reason of the caller's."""
    raise CannotApply(arguments["why"])


def spoil_answer(_editing: Editing, _arguments: Arguments) -> None:
    """Leave the document as it is; the answer is spoilt while it is sent."""


CATALOGUE: Final[Sequence[Command]] = (
    Command(
        id="append_paragraph",
        label="Append a paragraph",
        description="Adds a paragraph at the end of the document.",
        example={"text": "A last word."},
        apply=append_paragraph,
        changed_parts=("paragraphs", "changes"),
    ),
    Command(
        id="replace_text",
        label="Replace text",
        description="Replaces words; refuses unless they occur exactly once.",
        example={"old": "now", "new": "soon"},
        apply=replace_text,
        changed_parts=("paragraphs", "changes"),
    ),
    Command(
        id="delete_paragraph",
        label="Delete a paragraph",
        description="Deletes the paragraph of a number, counted from 1; refuses a number beyond the last.",
        example={"number": 1},
        apply=delete_paragraph,
        changed_parts=("paragraphs", "changes"),
    ),
    Command(
        id="add_comment",
        label="Add a comment",
        description="Comments on words; refuses unless they occur exactly once.",
        example={"anchor": "now", "text": "When exactly?"},
        apply=add_comment,
        changed_parts=("comments",),
    ),
    Command(
        id="name_tenant",
        label="Name the tenant",
        description="Adds a paragraph with the tenant that the app was told.",
        example={},
        apply=name_tenant,
        changed_parts=("paragraphs",),
    ),
    Command(id="hang", label="Hang", description="Fault: the worker stops answering.", example={}, apply=hang),
    Command(id="crash", label="Crash", description="Fault: the worker dies.", example={}, apply=crash),
    Command(
        id="refuse",
        label="Refuse",
        description="Fault: the command is refused with this reason.",
        example={"why": "because"},
        apply=refuse,
    ),
    Command(
        id="oversize",
        label="Oversize",
        description="Fault: the answer never ends.",
        example={},
        apply=spoil_answer,
    ),
    Command(
        id="wrong_digest",
        label="Wrong digest",
        description="Fault: the end declares another content than was sent.",
        example={},
        apply=spoil_answer,
    ),
    Command(
        id="garbage",
        label="Garbage",
        description="Fault: the answer breaks its contract: order, unknown, unended, large_chunk, text, review, count.",
        example={"what": "review"},
        apply=spoil_answer,
    ),
)
"""Every command, in the order in which it is listed."""

_BY_ID: Final = {command.id: command for command in CATALOGUE}


def apply_batch(editing: Editing, calls: Sequence[app_pb.CommandCall]) -> None:
    """Apply every command in order; on a refusal the document is worth nothing any more [F-08].

    Raises:
        AppRefused: a command is unknown, has other arguments than its schema, or does not fit the document.
    """
    for index, call in enumerate(calls):
        try:
            _apply(editing, call)
        except CannotApply as refusal:
            raise AppRefused(index=index, command=call.command, why=str(refusal)) from refusal


def find(query: str, limit: int) -> list[Command]:
    """The commands whose label, or else description, has most of the query's words; for no words the first ones."""
    words = query.lower().split()
    hits = {command.id: _hits(command, words) for command in CATALOGUE}
    ranked = sorted(CATALOGUE, key=lambda command: -hits[command.id])
    return [command for command in ranked if hits[command.id] or not words][:limit]


def _apply(editing: Editing, call: app_pb.CommandCall) -> None:
    command = _BY_ID.get(call.command)
    if command is None:
        raise CannotApply("there is no such command")
    try:
        arguments = json.loads(call.arguments_json or "{}")
        jsonschema_rs.validate(command.arguments_schema, arguments)
    except ValueError as error:  # a ValidationError is one too
        raise CannotApply(f"the arguments do not fit: {str(error).splitlines()[0]}") from error
    command.apply(editing, arguments)


def _hits(command: Command, words: Sequence[str]) -> int:
    named, described = command.label.lower(), command.description.lower()
    return sum(2 * (word in named) + (word in described) for word in words)


def _paragraph_with(document: Document, words: str) -> int:
    count = sum(paragraph.count(words) for paragraph in document.paragraphs) if words else 0
    if count != 1:
        raise CannotApply(f"{words!r} occurs {count} times")
    return next(place for place, paragraph in enumerate(document.paragraphs) if words in paragraph)
