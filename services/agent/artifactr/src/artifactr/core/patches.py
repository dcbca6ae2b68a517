"""What turns an artifact's data into the next version's: an RFC 6902 patch, or replacements in a text [AT-10]."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import jsonpatch

LONGEST_PATCH: Final = 1000
"""Operations that files takes in one patch."""

# What jsonpatch lets out where a patch of its own making does not apply.
_UNFIT: Final = (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, KeyError, IndexError, TypeError)


@dataclass(frozen=True, kw_only=True)
class JsonPatch:
    """Operations of RFC 6902, for an artifact of any type."""

    operations: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class TextEdit:
    """One replacement; `old` occurs exactly once, and is empty only where the field is [AT-11]."""

    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class TextEdits:
    """Replacements in a text field, applied in order."""

    edits: Sequence[TextEdit]
    field: str = "text"


Patch = JsonPatch | TextEdits


def same_json(one: object, other: object) -> bool:
    """Whether both are the same JSON, whatever the order of keys; 1 differs from true and from 1.0 [AT-12]."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> JsonPatch:
    """A patch that turns exactly the one into the other [AT-13]; the whole is replaced where no shorter one does."""
    operations = list(jsonpatch.make_patch(before, after))
    try:
        exact = same_json(jsonpatch.apply_patch(before, operations), after)
    except _UNFIT:
        exact = False
    if not exact or len(operations) > LONGEST_PATCH:
        operations = [{"op": "replace", "path": "", "value": after}]
    return JsonPatch(operations=operations)
