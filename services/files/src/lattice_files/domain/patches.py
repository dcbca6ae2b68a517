"""What turns one version's data into the next: patches, applied, computed and told [AT-10].

Two kinds only: an RFC 6902 patch for any type, and anchored replacements in a text field.
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import jsonpatch
import jsonpointer

from lattice_files.domain.json_data import DEFAULT_LIMITS, Data, clipped, compact, require_storable, same_json
from lattice_files.domain.rejections import PatchFailed, ValidationFailed

LONGEST_PATCH: Final = 1000
"""Operations or replacements of one patch."""

LONGEST_SUMMARY: Final = 1000
"""Characters."""

_TOLD_OPERATIONS: Final = 3

# What jsonpatch lets out where an operation is malformed or does not fit what it is applied to.
_UNFIT: Final = (
    jsonpatch.JsonPatchException,
    jsonpointer.JsonPointerException,
    AttributeError,
    KeyError,
    IndexError,
    TypeError,
    ValueError,
    RecursionError,
)


@dataclass(frozen=True, kw_only=True)
class JsonPatch:
    """An RFC 6902 patch."""

    operations: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, kw_only=True)
class TextEdit:
    """One replacement; what it replaces occurs exactly once."""

    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class TextEdits:
    """Replacements in a text field, applied in order."""

    field: str = "text"
    edits: tuple[TextEdit, ...]


Patch = JsonPatch | TextEdits


def patched(data: Data, patch: Patch) -> Data:
    """The data with the patch applied; the data themselves stay as they are.

    Raises:
        PatchFailed: it does not apply, or changes nothing [AT-11, AT-12].
        ValidationFailed: the result is nothing that can be stored.
    """
    result = _with_operations(data, patch) if isinstance(patch, JsonPatch) else _with_edits(data, patch)
    if not isinstance(result, dict):
        raise ValidationFailed(errors=[("data", "would be no JSON object")])
    require_storable(result, field="data")
    if same_json(result, data):
        raise PatchFailed(why="the patch changes nothing")
    return result


def difference(before: Data, after: Data) -> JsonPatch:
    """A patch that turns exactly the one into the other [AT-13]."""
    operations = tuple(jsonpatch.make_patch(before, after))
    try:
        exact = same_json(jsonpatch.apply_patch(before, operations), after)
    except _UNFIT:
        exact = False
    return JsonPatch(operations=operations if exact else ({"op": "replace", "path": "", "value": after},))


def summary_of(patch: Patch) -> str:
    """What a patch does, for people: the field and the number of replacements, or the first operations [AT-14]."""
    if isinstance(patch, TextEdits):
        count = len(patch.edits)
        summary = f"{patch.field}: {count} replacement{'' if count == 1 else 's'}"
    else:
        told = [f"{it['op']} {it['path'] or '/'}" for it in patch.operations[:_TOLD_OPERATIONS]]
        more = len(patch.operations) - len(told)
        summary = "; ".join(told) + (f" and {more} more" if more else "")
    return summary if len(summary) <= LONGEST_SUMMARY else summary[: LONGEST_SUMMARY - 1] + "…"


def _with_operations(data: Data, patch: JsonPatch) -> Any:  # noqa: ANN401 - a patch may make anything of the root
    document: Any = copy.deepcopy(data)
    room = DEFAULT_LIMITS.bytes
    # Copied, for what one operation adds a later one may change in place, and the patch goes on record as it came.
    for number, operation in enumerate(copy.deepcopy(patch.operations)):
        try:
            if operation["op"] == "copy":  # copies of copies double: what they make is counted before it is made
                room -= len(compact(jsonpointer.resolve_pointer(document, operation["from"])))
                if room < 0:
                    raise PatchFailed(why=f"operation {number} copies too much")
            document = jsonpatch.apply_patch(document, [operation], in_place=True)
        except _UNFIT as error:
            raise PatchFailed(why=f"operation {number} does not apply: {clipped(str(error))}") from error
    return document


def _with_edits(data: Data, patch: TextEdits) -> Data:
    text = data.get(patch.field)
    if not isinstance(text, str):
        raise PatchFailed(why=f"there is no text field {patch.field!r}")
    for number, edit in enumerate(patch.edits):
        text = _replaced(text, edit, number)
    return {**data, patch.field: text}


def _replaced(text: str, edit: TextEdit, number: int) -> str:
    if not edit.old:
        if text:
            raise PatchFailed(why=f"replacement {number} has no anchor, and the field is not empty")
        return edit.new
    found = _occurrences(text, edit.old)
    if not found:
        raise PatchFailed(why=f"the anchor of replacement {number} is not in the text")
    if found > 1:
        raise PatchFailed(why=f"the anchor of replacement {number} is in the text {found} times")
    return text.replace(edit.old, edit.new)


def _occurrences(text: str, anchor: str) -> int:
    """How often the anchor is in the text; overlapping ones count too, for they are as ambiguous."""
    count, start = 0, text.find(anchor)
    while start >= 0:
        count, start = count + 1, text.find(anchor, start + 1)
    return count
