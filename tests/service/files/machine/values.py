"""What artifacts hold in the model, and how patches and batches change it: written from the rules, not from files."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from service.files.machine.commands import FILE, NOTE, Patch, Replacements

Data: TypeAlias = dict[str, Any]

_SIZE: Final = -1
"""Stands for the size of a file, which no patch may change."""


class Refusal(Exception):
    """A rule refuses."""

    def __init__(self, *reasons: str) -> None:
        super().__init__(*reasons)
        self.reasons = frozenset(reasons)


@dataclass(frozen=True)
class Content:
    """A file of the fake app; what agents track carries the number of the batch that did it."""

    paragraphs: tuple[str, ...]
    tracked: tuple[tuple[int, str], ...] = ()


def patched(kind: str, data: Data, patch: Patch) -> Data:
    """The data with a patch applied [AT-10 to AT-12, N-44]."""
    document: Data = {"name": data["name"], "native": {"size": _SIZE}} if kind == FILE else copy.deepcopy(data)
    before = copy.deepcopy(document)
    if isinstance(patch, Replacements):
        document["text"] = _replaced(document.get("text"), patch.edits)
    else:
        for operation in patch.operations:
            _operate(document, operation)
    if document == before:
        raise Refusal("PATCH_FAILED")
    if kind != FILE:
        require_data(kind, document)
        return document
    if {**document, "name": data["name"]} != before:
        raise Refusal("VALIDATION_FAILED")
    require_file_name(document["name"])
    return {**data, "name": document["name"]}


def require_data(kind: str, data: Data) -> None:
    """Let data through that fit their type [AT-02]."""
    if kind == NOTE:
        fits = data.keys() == {"text"} and isinstance(data["text"], str)
    else:
        fits = (
            {"name"} <= data.keys() <= {"name", "done", "steps"}
            and isinstance(data["name"], str)
            and isinstance(data.get("done", False), bool)
            and isinstance(data.get("steps", {}), dict)
        )
    if not fits:
        raise Refusal("VALIDATION_FAILED")


def require_file_name(name: object) -> None:
    """Let a name through that ends as the format's files do."""
    if not isinstance(name, str) or "/" in name or not name.endswith(".fake") or name == ".fake":
        raise Refusal("VALIDATION_FAILED")


def edited(content: Content, batch: Sequence[Sequence[str]], stamp: int | None) -> Content:
    """The file with a batch applied; tracked under a stamp of its own, or directly [F-08, F-09, F-10]."""
    paragraphs, tracked = list(content.paragraphs), list(content.tracked)
    for name, *arguments in batch:
        told: list[str] = []
        if name == "append":
            paragraphs.append(arguments[0])
            told = [arguments[0]]
        elif name == "replace" and sum(it.count(arguments[0]) for it in paragraphs) == 1:
            paragraphs = [it.replace(arguments[0], arguments[1]) for it in paragraphs]
            told = [arguments[0], arguments[1]]
        elif name == "delete" and 1 <= int(arguments[0]) <= len(paragraphs):
            told = [paragraphs.pop(int(arguments[0]) - 1)]
        else:
            raise Refusal("APP_REFUSED")
        if stamp is not None:
            tracked.extend((stamp, it) for it in told)
    result = Content(tuple(paragraphs), tuple(tracked))
    if result == content:
        raise Refusal("APP_REFUSED")
    return result


def _operate(document: Data, operation: Mapping[str, Any]) -> None:
    """One operation of RFC 6902 on a document of objects."""
    *parents, last = operation["path"].removeprefix("/").split("/")
    target: Any = document
    for name in parents:
        target = target.get(name) if isinstance(target, dict) else None
    if not isinstance(target, dict):
        raise Refusal("PATCH_FAILED")
    kind, value = operation["op"], operation.get("value")
    if kind in {"replace", "remove", "test"} and last not in target:
        raise Refusal("PATCH_FAILED")
    if kind == "test":
        if target[last] != value or type(target[last]) is not type(value):
            raise Refusal("PATCH_FAILED")
    elif kind == "remove":
        del target[last]
    else:
        target[last] = value


def _replaced(text: object, edits: Sequence[tuple[str, str]]) -> str:
    """A text with replacements made one after the other [AT-11]."""
    if not isinstance(text, str):
        raise Refusal("PATCH_FAILED")
    for old, new in edits:
        places = [at for at in range(len(text)) if text.startswith(old, at)] if old else []
        if (old and len(places) != 1) or (not old and text):
            raise Refusal("PATCH_FAILED")
        text = text[: places[0]] + new + text[places[0] + len(old) :] if old else new
    return text
