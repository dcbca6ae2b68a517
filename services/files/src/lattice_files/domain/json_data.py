"""JSON as files takes and keeps it: an artifact's data, a patch, a schema.

Stored text is read by PostgreSQL and by clients in other languages, so what some of them cannot read, or
read differently, is refused here: keys that occur twice, numbers without a value, NUL and lone surrogates
in strings, and values that are too large or too deep. Numbers are Python's: a whole number of any length
stays exact, one with a fraction or an exponent becomes the nearest double.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lattice_files.domain.rejections import ValidationFailed

Data = Mapping[str, Any]
"""The data of an artifact: a JSON object."""

_CLIP = 200


@dataclass(frozen=True, kw_only=True)
class JsonLimits:
    """How large one value may be."""

    bytes: int = 1024 * 1024
    """Of its text in UTF-8: as it came, and as `compact` writes it."""
    depth: int = 100
    """The most objects and arrays inside each other."""


DEFAULT_LIMITS = JsonLimits()


def parse(text: str, *, field: str, limits: JsonLimits = DEFAULT_LIMITS) -> Any:  # noqa: ANN401 (any JSON value)
    """The value that a text says; ValidationFailed under the name `field` if it is no JSON that files keeps."""
    if _size(text) > limits.bytes:
        raise _too_large(field, limits)
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except _KeyTwiceError as twice:
        raise _refused(field, str(twice)) from None
    except RecursionError:
        raise _too_deep(field, limits) from None
    except json.JSONDecodeError as error:
        raise _refused(field, f"is not JSON: {error}") from None
    except ValueError:  # Python turns no more than 4,300 digits into a whole number
        raise _refused(field, "holds a number of too many digits") from None
    _require_readable(value, field, limits)
    return value


def parse_object(text: str, *, field: str, limits: JsonLimits = DEFAULT_LIMITS) -> dict[str, Any]:
    """As `parse`, and the value must be an object."""
    value = parse(text, field=field, limits=limits)
    if not isinstance(value, dict):
        raise _refused(field, "is not a JSON object")
    return value


def require_storable(value: object, *, field: str, limits: JsonLimits = DEFAULT_LIMITS) -> None:
    """Refuse a value that did not come as a text, or is no longer what came: the checks of `parse` [AT-10]."""
    _require_readable(value, field, limits)
    if _size(compact(value)) > limits.bytes:
        raise _too_large(field, limits)


def compact(value: object) -> str:
    """The shortest JSON text with sorted keys: one text for all spellings of a value."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def same_json(one: object, other: object) -> bool:
    """Whether both are stored as the same value, whatever the order of keys [AT-12].

    1 and true differ, and so do 1 and 1.0: they are equal as numbers, but their text is not, and readers
    in other languages tell them apart.
    """
    return compact(one) == compact(other)


def pointer(path: Iterable[str | int]) -> str:
    """The JSON pointer (RFC 6901) of a path, cut short where it is very long; the root's is empty."""
    return clipped("".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path))


def clipped(text: str) -> str:
    """At most 200 characters of a text that goes into a message."""
    return text if len(text) <= _CLIP else f"{text[:_CLIP]}…"


class _KeyTwiceError(Exception):
    """An object says a key twice; readers disagree about which one counts."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _KeyTwiceError(f"says the key {clipped(json.dumps(key))} twice in one object")
            seen.add(key)
    return members


def _require_readable(value: object, field: str, limits: JsonLimits) -> None:
    path: list[str | int] = []
    fault = _fault(value, path, limits.depth)
    if fault == _DEPTH:
        raise _too_deep(field, limits)
    if fault is not None:
        raise _refused(field, f"{fault} at {json.dumps(pointer(path))}")


_DEPTH = "is nested too deep"


def _fault(value: object, path: list[str | int], depth: int) -> str | None:
    """What is wrong first, with `path` left at its place; one list for all, as most values have no fault."""
    if isinstance(value, str):
        return _fault_of_text(value)
    if isinstance(value, float):
        return None if math.isfinite(value) else "holds a number that JSON cannot say"
    members: Iterable[tuple[str | int, object]]
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    else:
        return None
    if len(path) >= depth:
        return _DEPTH
    for step, member in members:
        path.append(step)
        fault = (_fault_of_text(step) if isinstance(step, str) else None) or _fault(member, path, depth)
        if fault is not None:
            return fault
        path.pop()
    return None


def _fault_of_text(text: str) -> str | None:
    if "\0" in text:
        return "holds the character NUL"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "holds half of a surrogate pair"
    return None


def _size(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))


def _refused(field: str, sentence: str) -> ValidationFailed:
    return ValidationFailed(errors=[(field, sentence)])


def _too_large(field: str, limits: JsonLimits) -> ValidationFailed:
    return _refused(field, f"is larger than {limits.bytes} bytes")


def _too_deep(field: str, limits: JsonLimits) -> ValidationFailed:
    return _refused(field, f"is nested deeper than {limits.depth} objects and arrays")
