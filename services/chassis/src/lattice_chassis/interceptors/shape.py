"""The shape of requests, checked against what the contracts themselves say of their fields.

A field marked REQUIRED is set: present where the contract tells present from unset, else different
from its default (a bool without presence is always set, for both its values mean something). A name
with a `google.api.resource_reference` has one of the patterns of its resource. No text holds a NUL,
which no database stores. No text and no list is longer than MAX_CHARACTERS and MAX_ITEMS, or than
the field's options of `lattice.type.v1` say [SE-06]. Set messages are checked all the way down;
OUTPUT_ONLY fields are not looked at. Domain rules are not decided here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from re import Pattern
from typing import Any, Final

from google.api import field_behavior_pb2, resource_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from lattice.type.v1 import limits_pb2, names_pb2

from lattice_chassis.errors import ValidationFailed
from lattice_chassis.interceptors.chain import Interceptor
from lattice_chassis.names import pattern_of

MAX_CHARACTERS: Final = 10_000
"""Characters of the longest text where its field says nothing else."""

MAX_ITEMS: Final = 1_000
"""Items of the longest list where its field says nothing else."""

_REQUIRED: Final = field_behavior_pb2.REQUIRED
_OUTPUT_ONLY: Final = field_behavior_pb2.OUTPUT_ONLY


class CheckShape(Interceptor):
    """Refuse a request message that does not fit its contract, with every fault by its field's path."""

    def received(self, message: Message) -> None:
        """Check one request message.

        Raises:
            ValidationFailed: with the path of each field at fault and what is wrong with it.
        """
        faults = list(_faults(message, ""))
        if faults:
            raise ValidationFailed(errors=faults)


def prepare(service: ServiceDescriptor) -> None:
    """Read the rules of every request of a service now: no call waits for it, and a bad contract stops the start.

    Raises:
        LookupError: a field refers to a resource that no contract in its reach defines.
    """
    for method in service.methods:
        for message in _reachable(method.input_type):
            _rules(message)


@dataclass(frozen=True, kw_only=True)
class _FieldRule:
    """What a message's field must fulfil; only fields of which something is asked have one."""

    field: FieldDescriptor
    required: bool
    is_text: bool
    templates: tuple[str, ...]
    patterns: tuple[Pattern[str], ...]
    descends: bool
    max_characters: int
    max_items: int

    def is_missing(self, message: Message) -> bool:
        if self.field.has_presence:
            return not message.HasField(self.field.name)
        value: Any = getattr(message, self.field.name)
        return not value and self.field.type != FieldDescriptor.TYPE_BOOL

    def fault_of_text(self, text: str) -> str | None:
        if len(text) > self.max_characters:
            return f"has more than {self.max_characters} characters"
        if "\0" in text:
            return "holds a NUL character"
        if text and self.patterns and not any(it.fullmatch(text) for it in self.patterns):
            return f"is not of the form {' or '.join(self.templates)}"
        return None


def _faults(message: Message, prefix: str) -> Iterator[tuple[str, str]]:
    for rule in _rules(message.DESCRIPTOR):
        path = prefix + rule.field.name
        if rule.is_missing(message):
            if rule.required:
                yield path, "is required"
            continue
        if rule.field.is_repeated and len(getattr(message, rule.field.name)) > rule.max_items:
            yield path, f"has more than {rule.max_items} items"
            continue
        for place, value in _values(message, rule.field, path):
            if rule.descends:
                yield from _faults(value, place + ".")
            elif rule.is_text and (fault := rule.fault_of_text(value)) is not None:
                yield place, fault


def _values(message: Message, field: FieldDescriptor, path: str) -> Iterator[tuple[str, Any]]:
    value = getattr(message, field.name)
    if _is_map(field):
        yield from ((f"{path}[{key}]", value[key]) for key in value)
    elif field.is_repeated:
        yield from ((f"{path}[{index}]", item) for index, item in enumerate(value))
    else:
        yield path, value


@cache
def _rules(message: Descriptor) -> tuple[_FieldRule, ...]:
    return tuple(rule for field in message.fields if (rule := _rule(field)) is not None)


def _rule(field: FieldDescriptor) -> _FieldRule | None:
    behaviour = field.GetOptions().Extensions[field_behavior_pb2.field_behavior]
    if _OUTPUT_ONLY in behaviour:
        return None
    templates = _templates(field)
    held = _held_message(field)
    rule = _FieldRule(
        field=field,
        required=_REQUIRED in behaviour,
        is_text=_is_text(field),
        templates=templates,
        patterns=tuple(pattern_of(template) for template in templates),
        descends=held is not None and _reaches_rules(held),
        max_characters=_option(field, limits_pb2.max_characters, MAX_CHARACTERS),
        max_items=_option(field, limits_pb2.max_items, MAX_ITEMS),
    )
    return rule if rule.required or rule.is_text or rule.descends or field.is_repeated else None


def _option(field: FieldDescriptor, option: Any, default: int) -> int:  # noqa: ANN401 - the stubs' type has no name
    options = field.GetOptions()
    return options.Extensions[option] if options.HasExtension(option) else default


@cache
def _reaches_rules(message: Descriptor) -> bool:
    """Whether anything is asked of the message or of what it can hold; messages may hold their own kind."""
    return any(_asks(field) for held in _reachable(message) for field in held.fields)


def _asks(field: FieldDescriptor) -> bool:
    behaviour = field.GetOptions().Extensions[field_behavior_pb2.field_behavior]
    return _OUTPUT_ONLY not in behaviour and (_REQUIRED in behaviour or _is_text(field) or field.is_repeated)


def _is_text(field: FieldDescriptor) -> bool:
    return field.type == FieldDescriptor.TYPE_STRING


def _reachable(message: Descriptor) -> list[Descriptor]:
    found = [message]
    for held in found:
        below = (_held_message(field) for field in held.fields)
        found.extend(it for it in below if it is not None and it not in found)
    return found


def _held_message(field: FieldDescriptor) -> Descriptor | None:
    """The type of the messages that a field holds; for a map, of its values."""
    held: Descriptor | None = field.message_type
    return held.fields_by_name["value"].message_type if held is not None and _is_map(field) else held


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def _templates(field: FieldDescriptor) -> tuple[str, ...]:
    options = field.GetOptions()
    if not options.HasExtension(resource_pb2.resource_reference):
        return ()
    kind = options.Extensions[resource_pb2.resource_reference].type
    file: FileDescriptor = field.file  # type: ignore[attr-defined]  # which the stubs lack
    # A reference needs no import, so the names that all areas share are looked up beside what is imported.
    for known in (*_files(file), names_pb2.DESCRIPTOR):
        for resource in _resources(known):
            if resource.type == kind:
                return tuple(resource.pattern)
    raise LookupError(f"{field.full_name} refers to {kind!r}, which neither its imports nor the shared names define")


def _files(file: FileDescriptor) -> list[FileDescriptor]:
    found = [file]
    for it in found:
        found.extend(below for below in it.dependencies if below not in found)
    return found


def _resources(file: FileDescriptor) -> Iterator[Any]:
    yield from file.GetOptions().Extensions[resource_pb2.resource_definition]
    for message in file.message_types_by_name.values():
        if message.GetOptions().HasExtension(resource_pb2.resource):
            yield message.GetOptions().Extensions[resource_pb2.resource]
