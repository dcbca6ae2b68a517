"""A patch in words, for notes [AT-14, CN-07]."""

import json

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb

_SHOWN = 3  # operations of a JSON Patch that are named


def described(patch: artifacts_pb.Patch) -> str:
    """What a patch does: a text field and the number of replacements, or up to three operations."""
    match patch.WhichOneof("kind"):
        case "text_edits":
            edits = patch.text_edits
            count = len(edits.edits)
            return f"{edits.field or 'text'}: {count} replacement{'' if count == 1 else 's'}"
        case "json_patch":
            return _operations(patch.json_patch)
        case None:
            return ""


def _operations(json_patch: str) -> str:
    try:
        named = [f"{operation['op']} {operation['path']}" for operation in json.loads(json_patch)]
    except (ValueError, TypeError, KeyError):  # files has validated it; a newer form is no reason to fail a run
        return "edited"
    rest = len(named) - _SHOWN
    return "; ".join(named[:_SHOWN] + ([f"{rest} more"] if rest > 0 else []))
