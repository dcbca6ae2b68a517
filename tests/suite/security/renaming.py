"""The same call about something else: its first message with other ids in the names of resources."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from google.api import resource_pb2
from google.protobuf.message import Message
from service.files.contract.places import Place
from suite.security.rows import Row, Stage

TENANT, WORKSPACE, THING, REVISION = 1, 3, 5, 7
"""Where the ids stand in a name, between its slashes."""

Rename = Callable[[str], str]
"""Another id in the place of one."""


def about(row: Row, **ids: str | Rename) -> Row:
    """The row with other ids in its names: of the `tenant`, `workspace`, `thing` or `revision`, where they have one."""
    if not row.names_tenant:
        return _elsewhere(row, ids.get("workspace"))

    def requests(stage: Stage) -> Sequence[Message]:
        made = row.requests(stage)
        for holder, field in _names(made[0]):
            setattr(holder, field, _renamed(getattr(holder, field), ids))
        return made

    return replace(row, requests=requests)


def things_named(row: Row, stage: Stage) -> list[str]:
    """The ids of artifacts, proposals, threads or runs that the row's call names."""
    names = [getattr(holder, field).split("/") for holder, field in _names(row.requests(stage)[0])]
    return [parts[THING] for parts in names if len(parts) > THING]


def _elsewhere(row: Row, workspace: str | Rename | None) -> Row:
    """The row made for another workspace, where no field of its contract says that it refers to one."""

    def there(stage: Stage) -> Stage:
        here = stage.place.workspace
        other = workspace(here) if callable(workspace) else workspace or here
        return replace(stage, place=Place(other))

    return replace(row, requests=lambda it: row.requests(there(it)), metadata=lambda it: row.metadata(there(it)))


_PLACES: Final = {"tenant": TENANT, "workspace": WORKSPACE, "thing": THING, "revision": REVISION}


def _renamed(name: str, ids: Mapping[str, str | Rename]) -> str:
    parts = name.split("/")
    for kind, other in ids.items():
        place = _PLACES[kind]
        if place < len(parts):
            parts[place] = other if isinstance(other, str) else other(parts[place])
    return "/".join(parts)


def _names(message: Message) -> Iterator[tuple[Message, str]]:
    """The fields of a request that name resources, with the messages that hold them."""
    for field, value in message.ListFields():
        if field.GetOptions().HasExtension(resource_pb2.resource_reference):
            yield message, field.name
        elif field.message_type is not None and not field.is_repeated:
            yield from _names(value)
