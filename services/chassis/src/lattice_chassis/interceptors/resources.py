"""What a request is about: the resources that it names, at its top or in the header of a stream.

Ours say it in their fields that refer to resources; for a contract that is not ours, its `ForeignContract` does.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from google.api import resource_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from lattice_chassis.interceptors.chain import ServerCall
from lattice_chassis.names import begins_with_workspace


def names_in(call: ServerCall, request: Message) -> Sequence[str]:
    """The names in a request; those that do not begin with a workspace are left to the check of its shape."""
    return [name for name in _named(call, request) if begins_with_workspace(name)]


def is_about_the_deployment(call: ServerCall, request: Message) -> bool:
    """Whether requests of its kind name no resource, and so belong to no workspace."""
    return call.foreign is None and not _places_of(request.DESCRIPTOR)


def _named(call: ServerCall, request: Message) -> Sequence[str]:
    if call.foreign is not None:
        return () if call.identity is None else call.foreign.names(call.identity, call.metadata, request)
    found: list[str] = []
    for path in _places_of(request.DESCRIPTOR):
        value: Any = request
        for field in path:
            value = getattr(value, field)
        found += [value] if isinstance(value, str) else value
    return found


@cache
def _places_of(request: Descriptor) -> Sequence[Sequence[str]]:
    """Where requests of a type of ours name resources, as the fields that lead there."""
    return [
        *([field.name] for field in request.fields if _refers(field)),
        *(
            [field.name, below.name]
            for field in request.fields
            if field.message_type is not None and not field.is_repeated
            for below in field.message_type.fields
            if _refers(below)
        ),
    ]


def _refers(field: FieldDescriptor) -> bool:
    return bool(field.GetOptions().HasExtension(resource_pb2.resource_reference))
