"""The fields of messages, as their contracts describe them."""

from collections.abc import Iterator

from google.api import field_behavior_pb2, resource_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message


def short_name(field: FieldDescriptor) -> str:
    """`Message.field`."""
    return ".".join(field.full_name.split(".")[-2:])


def is_required(field: FieldDescriptor) -> bool:
    """Whether a caller has to set it."""
    return field_behavior_pb2.REQUIRED in field.GetOptions().Extensions[field_behavior_pb2.field_behavior]


def is_answered(field: FieldDescriptor) -> bool:
    """Whether only the server sets it."""
    return field_behavior_pb2.OUTPUT_ONLY in field.GetOptions().Extensions[field_behavior_pb2.field_behavior]


def resource_named(field: FieldDescriptor) -> str | None:
    """The type of resource that it names; None where it names none."""
    options = field.GetOptions()
    if not options.HasExtension(resource_pb2.resource_reference):
        return None
    kind: str = options.Extensions[resource_pb2.resource_reference].type
    return kind


def fields_below(message: Descriptor) -> Iterator[FieldDescriptor]:
    """Every field that a caller may set in a message, however deep."""
    for field in message.fields:
        if is_answered(field):
            continue
        yield field
        if field.message_type is not None:
            yield from fields_below(field.message_type)


def fields_set(message: Message) -> Iterator[FieldDescriptor]:
    """Every field that is set in a message, however deep."""
    for field, value in message.ListFields():
        yield field
        if field.message_type is not None:
            for held in value if field.is_repeated else [value]:
                yield from fields_set(held)
