"""What no span may carry: words, names, credentials. Ids, counts, reasons and names of ours have no spaces [TR-03]."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from suite.tracing.spans import Span

_PLAIN: Final = re.compile(r"[\w.:/@+\-\[\]]{0,200}")
"""Ids, counts, reasons, methods and addresses."""

_CREDENTIAL: Final = re.compile(r"eyJ[\w-]+\.|Bearer|-----BEGIN|password", re.IGNORECASE)

_OF_THE_LIBRARY: Final = {
    "logfire.msg": re.compile(r"(running tool|invalid tool call|tool call deferred): [\w-]+|[\w-]+ run"),
    "logfire.json_schema": re.compile(r"\{.*\}"),
    "gen_ai.tool.definitions": re.compile(r"\[.*\]", re.DOTALL),
}
"""What pydantic-ai says of itself and of the application's tools."""

_MESSAGES: Final = frozenset({"gen_ai.input.messages", "gen_ai.output.messages", "pydantic_ai.all_messages"})
_SHAPE: Final = frozenset({"role", "parts", "type", "id", "name", "finish_reason"})
"""What may stand in messages: of which parts they consist, never what stands in these."""


def words_in(span: Span) -> Iterator[str]:
    """The attributes of a span that look like content or a credential, each with the reason."""
    for event in span.events:
        for name, value in event["attributes"].items():
            yield from _of_attribute(f"{span.name}: event {event['name']}: {name}", name, value)
    for name, value in span.attributes.items():
        yield from _of_attribute(f"{span.name}: {name}", name, value)


def _of_attribute(where: str, name: str, value: Any) -> Iterator[str]:  # noqa: ANN401 - as the SDK has it
    if not isinstance(value, str):
        return
    if _CREDENTIAL.search(value):
        yield f"{where} looks like a credential"
    elif name in _MESSAGES:
        yield from (f"{where} tells {key} of messages" for key in _keys(json.loads(value)) - _SHAPE)
    elif not _OF_THE_LIBRARY.get(name, _PLAIN).fullmatch(value):
        yield f"{where} is no id, count or reason: {value[:80]!r}"


def _keys(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_keys, value.values()))
    return set().union(*map(_keys, value)) if isinstance(value, list) else set()
