"""Which values a schema's own keywords refuse that another's do not: those that hold no schemas [AT-01].

A part of `schema_widening`, with its promise: no answer is certain, an answer may be too cautious.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from lattice_files.domain.json_data import clipped, compact

_AT_MOST = frozenset({"maxLength", "maxItems", "maxProperties"})
_AT_LEAST = frozenset({"minLength", "minItems", "minProperties"})
_BOUNDS: Sequence[tuple[str, str, Callable[[Any, Any], bool]]] = (
    ("minimum", "exclusiveMinimum", operator.gt),
    ("maximum", "exclusiveMaximum", operator.lt),
)
_TYPES = frozenset({"null", "boolean", "object", "array", "number", "string"})

VALUE_KEYWORDS = (
    frozenset({"type", "enum", "const", "required", "uniqueItems"})
    | _AT_MOST
    | _AT_LEAST
    | {keyword for inclusive, exclusive, _ in _BOUNDS for keyword in (inclusive, exclusive)}
)
"""The keywords that are compared here."""


def narrowings_of_values(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each keyword of `new` that may refuse what the keywords of `old` accept."""
    yield from _lost_types(old, new)
    yield from _lost_values(old, new)
    yield from _tighter_bounds(old, new)
    for name in sorted(set(new.get("required", ())) - set(old.get("required", ()))):
        yield f"the property {clipped(name)} is required now"
    if new.get("uniqueItems", False) and not old.get("uniqueItems", False):
        yield "items must differ now"


def _lost_types(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    accepted = _types(new)
    for name in sorted(_types(old) - accepted):
        if name != "integer" or "number" not in accepted:
            yield f"the type {name} is no longer accepted"


def _lost_values(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    before = _values(old)
    for keyword, values in (("enum", new.get("enum")), ("const", [new["const"]] if "const" in new else None)):
        if values is None:
            continue
        if before is None:
            yield f"{keyword} accepts some values only"
            continue
        accepted = {compact(value) for value in values}
        for text in map(compact, before):
            if text not in accepted:
                yield f"the value {clipped(text)} is no longer accepted"


def _tighter_bounds(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for keyword in sorted(new.keys() & _AT_MOST):
        if keyword not in old or old[keyword] > new[keyword]:
            yield f"{keyword} is tighter"
    for keyword in sorted(new.keys() & _AT_LEAST):
        if old.get(keyword, 0) < new[keyword]:
            yield f"{keyword} is tighter"
    for inclusive, exclusive, is_tighter in _BOUNDS:
        if inclusive in new:
            limits = [old[keyword] for keyword in (inclusive, exclusive) if keyword in old]
            if not any(limit == new[inclusive] or is_tighter(limit, new[inclusive]) for limit in limits):
                yield f"{inclusive} is tighter"
        if exclusive in new:
            limit = new[exclusive]
            is_outside = exclusive in old and (old[exclusive] == limit or is_tighter(old[exclusive], limit))
            if not is_outside and not (inclusive in old and is_tighter(old[inclusive], limit)):
                yield f"{exclusive} is tighter"


def _types(schema: Mapping[str, Any]) -> frozenset[str]:
    values = _values(schema)
    if values is not None:
        return frozenset(map(_type_of, values))
    named = schema.get("type", _TYPES)
    return frozenset({named} if isinstance(named, str) else named)


def _values(schema: Mapping[str, Any]) -> Sequence[Any] | None:
    """The values that the schema accepts at most; None where it does not list them."""
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _type_of(value: object) -> str:
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    names = {type(None): "null", bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}
    return names[type(value)]
