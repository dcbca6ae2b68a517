"""Every text and every list that a client can send has a limit, which the contract tells and the shape check holds."""

from collections.abc import Iterator
from typing import Any

import pytest
from google.api import field_behavior_pb2, resource_pb2
from google.protobuf import symbol_database
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from lattice.type.v1 import limits_pb2
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.interceptors.shape import MAX_CHARACTERS, MAX_ITEMS, CheckShape
from unit.chassis.test_contracts import SERVICES

Path = tuple[FieldDescriptor, ...]
"""From a request down to one of its fields."""

REQUESTS = sorted(
    {method.input_type.full_name: method.input_type for service in SERVICES for method in service.methods}.items()
)


def paths(message: Descriptor, above: Path = ()) -> Iterator[Path]:
    """Every field that a client can set."""
    for field in message.fields:
        options = field.GetOptions()
        if field_behavior_pb2.OUTPUT_ONLY in options.Extensions[field_behavior_pb2.field_behavior]:
            continue
        yield (*above, field)
        if field.message_type is not None:
            yield from paths(field.message_type, (*above, field))


def is_text(path: Path) -> bool:
    return path[-1].type == FieldDescriptor.TYPE_STRING


def is_name(path: Path) -> bool:
    return path[-1].GetOptions().HasExtension(resource_pb2.resource_reference)


def written(path: Path) -> str:
    """As a refusal names it: of each list the first item."""
    parts = [f"{it.name}[0]" if it.is_repeated and it is not path[-1] else it.name for it in path]
    return ".".join(parts)


def limit(field: FieldDescriptor, option: Any, default: int) -> int:  # noqa: ANN401 - the stubs' type has no name
    options = field.GetOptions()
    return options.Extensions[option] if options.HasExtension(option) else default


def made(kind: Descriptor | None) -> Any:  # noqa: ANN401 - a message
    assert kind is not None
    return symbol_database.Default().GetSymbol(kind.full_name)()


def holding(path: Path, value: object) -> Any:  # noqa: ANN401 - a message
    """A request with this value at the end of a path."""
    request = made(path[0].containing_type)
    message = request
    for field in path[:-1]:
        held = getattr(message, field.name)
        message = held.add() if field.is_repeated else held
    if path[-1].is_repeated:
        getattr(message, path[-1].name).extend(value)
    else:
        setattr(message, path[-1].name, value)
    return request


def faults(request: Any) -> dict[str, str]:  # noqa: ANN401 - a message
    try:
        CheckShape().received(request)
    except ValidationFailed as refused:
        return dict(refused.errors)  # type: ignore[arg-type]  # the shape check names each fault's field
    return {}


def all_paths() -> list[Path]:
    return [path for _, request in REQUESTS for path in paths(request)]


def named(path: Path) -> str:
    return path[0].full_name.removesuffix(path[0].name) + written(path)


@pytest.mark.parametrize("path", [it for it in all_paths() if is_text(it) and not it[-1].is_repeated], ids=named)
def test_a_text_has_a_longest_length_and_one_more_is_refused_by_its_path(path: Path) -> None:
    """SE-06."""
    longest = limit(path[-1], limits_pb2.max_characters, MAX_CHARACTERS)
    assert f"more than {longest} characters" in faults(holding(path, "x" * (longest + 1)))[written(path)]
    fault = faults(holding(path, "x" * longest)).get(written(path), "")
    assert ("is not of the form" in fault) if is_name(path) else not fault


@pytest.mark.parametrize("path", [it for it in all_paths() if it[-1].is_repeated], ids=named)
def test_a_list_has_a_longest_length_and_one_more_is_refused_by_its_path(path: Path) -> None:
    """SE-06: before any of its items is looked at."""
    longest = limit(path[-1], limits_pb2.max_items, MAX_ITEMS)
    item: object = "x"
    if path[-1].message_type is not None:
        item = made(path[-1].message_type)
    assert faults(holding(path, [item] * (longest + 1)))[written(path)] == f"has more than {longest} items"
    assert written(path) not in faults(holding(path, [item] * longest))


@pytest.mark.parametrize("path", [it for it in all_paths() if is_text(it) and it[-1].is_repeated], ids=named)
def test_each_text_of_a_list_has_a_longest_length(path: Path) -> None:
    """SE-06."""
    longest = limit(path[-1], limits_pb2.max_characters, MAX_CHARACTERS)
    assert f"{written(path)}[0]" in faults(holding(path, ["x" * (longest + 1)]))


def test_no_request_has_a_map() -> None:
    """SE-06: of which none of this would be checked."""
    assert not [named(it) for it in all_paths() if it[-1].message_type and it[-1].message_type.GetOptions().map_entry]
