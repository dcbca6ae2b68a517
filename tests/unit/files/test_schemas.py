"""Which schemas files accepts, and what they say about data."""

import asyncio
import time
from typing import Any

import pytest
from lattice_files.domain.rejections import ValidationFailed
from lattice_files.domain.schemas import Schema
from pydantic import BaseModel, ConfigDict, Field


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Task(Model):
    title: str = Field(max_length=20)
    steps: "list[Task]" = []


class Plan(Model):
    tasks: dict[str, Task] = {}
    budget: int | None = None


class Note(Model):
    text: str = ""


def closed(**keywords: object) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, **keywords}


def faults(document: dict[str, Any]) -> str:
    with pytest.raises(ValidationFailed) as refused:
        Schema.of(document)
    assert {error[0] for error in refused.value.errors} == {"schema"}
    return str(refused.value)


OPEN = {"properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({}, 'must say "type": "object"'),
        ({"type": ["object", "null"], "additionalProperties": False}, 'must say "type": "object"'),
        ({"$ref": "#"}, 'must say "type": "object"'),
        ({"type": "object"}, "its root needs"),
        ({"type": "object", "additionalProperties": True}, "its root needs"),
        ({"type": "object", **OPEN, "additionalProperties": {}}, "its root needs"),
        (closed(properties={"a": OPEN}), '"/properties/a" needs'),
        (closed(properties={"a": {"items": OPEN}}), '"/properties/a/items" needs'),
        (closed(properties={"a": {"anyOf": [{"type": "null"}, OPEN]}}), '"/properties/a/anyOf/1" needs'),
        (closed(**{"$defs": {"a/b": OPEN}}), '"/$defs/a~1b" needs'),
        (closed(allOf=[{"properties": {"a": OPEN}}]), '"/allOf/0/properties/a" needs'),
        (closed(properties={"a": {"type": "strin"}}), 'is no valid JSON Schema at "/properties/a/type"'),
        (closed(required="a"), 'is no valid JSON Schema at "/required"'),
        (closed(**{"$schema": "http://json-schema.org/draft-07/schema#"}), "must be of the dialect"),
        (closed(properties={"a": {"$schema": "http://127.0.0.1/meta"}}), "must be of the dialect"),
        (closed(properties={"a": {"$id": "http://127.0.0.1/a"}}), "only the root may have one"),
        (closed(properties={"a": {"$dynamicRef": "#a"}}), 'only "$ref" is understood'),
        (closed(properties={"a": {"$ref": "http://127.0.0.1/a"}}), "refers at"),
        (closed(properties={"a": {"$ref": "other.json"}}), "refers at"),
        (closed(properties={"a": {"$ref": "https://json-schema.org/draft/2020-12/schema"}}), "refers at"),
        (closed(properties={"a": {"$ref": "#name"}}), "refers at"),
        (closed(properties={"a": {"$ref": "#/$defs/a"}}), "refers at"),
        (closed(hidden=OPEN, properties={"a": {"$ref": "#/hidden"}}), "refers at"),
        (closed(properties={"a": {"$ref": "#/properties/a"}}), 'applies itself to the same value at "/properties/a"'),
        (closed(anyOf=[True, {"not": {"$ref": "#"}}]), "applies itself to the same value at"),
        (closed(properties={"a": {"pattern": "(?=a)"}}), 'a pattern at "/properties/a/pattern"'),
        (closed(patternProperties={r"(a)\1": {}}), "a pattern at"),
        (closed(properties={"a": {"pattern": "((a{99}){99}){99}"}}), "a pattern at"),
        (closed(description="x" * 256 * 1024), "larger than 262144 bytes"),
        (closed(const=float("nan")), "a number that JSON cannot say"),
    ],
    ids=lambda it: str(it)[:50].encode("ascii", "replace").decode(),
)
def test_a_schema_that_files_cannot_stand_by_is_refused(document: dict[str, Any], sentence: str) -> None:
    """AT-01, AT-02: not valid, not of an object, letting unknown fields through, or leaving its document."""
    assert sentence in faults(document)


def test_a_schema_nested_too_deep_is_refused() -> None:
    """AT-01."""
    document: dict[str, Any] = closed()
    for _ in range(60):
        document = closed(properties={"a": document})
    assert "deeper than 100" in faults(document)


@pytest.mark.parametrize(
    "document",
    [
        Plan.model_json_schema(),
        Task.model_json_schema(),
        {"type": "object", "additionalProperties": {"type": "array"}},
        {"type": "object", "unevaluatedProperties": False, "allOf": [OPEN, {"anyOf": [OPEN, {"not": OPEN}]}]},
        closed(properties={"a": {}}, **{"if": {"properties": {"a": OPEN}}, "then": {"required": ["a"]}}),
        closed(properties={"a": {"type": "object"}, "b": {"enum": [OPEN, {"$ref": "http://127.0.0.1/"}]}}),
        closed(**{"$id": "http://127.0.0.1/a", "$schema": "https://json-schema.org/draft/2020-12/schema"}),
        closed(properties={"a b": {"type": "null"}, "c": {"$ref": "#/properties/a%20b"}}),
    ],
    ids=lambda it: str(it)[:50],
)
def test_a_closed_schema_of_an_object_is_accepted(document: dict[str, Any]) -> None:
    """AT-02, AT-09: maps keyed by id, models that contain themselves, and data that looks like a schema."""
    assert Schema.of(document).document == document


async def test_no_schema_makes_files_open_a_connection() -> None:
    """AT-02: an address in a schema is a name, never a place to read from."""
    connections: asyncio.Queue[None] = asyncio.Queue()

    async def on_connection(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.put_nowait(None)
        writer.close()

    server = await asyncio.start_server(on_connection, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        address = f"http://127.0.0.1:{port}/schema.json"
        for keyword in ("$ref", "$dynamicRef", "$schema"):
            for document in (closed(properties={"a": {keyword: address}}), closed(**{keyword: address})):
                with pytest.raises(ValidationFailed):
                    await asyncio.to_thread(Schema.of, document)
        named = await asyncio.to_thread(Schema.of, closed(**{"$id": address, "x": {"$ref": address}}))
        assert await asyncio.to_thread(named.errors_of, {}) == []
        # Our own connection is seen, so one that a schema had made before it would have been.
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        async with asyncio.timeout(5):
            await connections.get()
    assert connections.empty()


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|aa)+$", "^(a|a?)+$", "^(.*a){12}$"])
def test_a_pattern_takes_linear_time(pattern: str) -> None:
    """AT-02: where backtracking would take longer than anyone waits."""
    schema = Schema.of(closed(properties={"a": {"type": "string", "pattern": pattern}}))
    begun = time.monotonic()
    assert [path for path, _ in schema.errors_of({"a": "a" * 100_000 + "!"})] == ["/a"]
    assert time.monotonic() - begun < 5


def test_errors_have_the_pointer_of_the_value_and_a_sentence() -> None:
    """AT-02: unknown fields are refused, and nested ones too."""
    schema = Schema.of(Plan.model_json_schema())
    found = schema.errors_of({"tasks": {"a/b": {"title": "x" * 21, "steps": [{"titel": ""}]}}, "colour": 1})
    assert sorted(found) == [
        ("", "Additional properties are not allowed ('colour' was unexpected)"),
        ("/tasks/a~1b/steps/0", '"title" is a required property'),
        ("/tasks/a~1b/steps/0", "Additional properties are not allowed ('titel' was unexpected)"),
        ("/tasks/a~1b/title", "the value is longer than 20 characters"),
    ]
    with pytest.raises(ValidationFailed) as refused:
        schema.require({"budget": "x"})
    assert [error[0] for error in refused.value.errors] == ["/budget"]
    schema.require({"budget": 7})


def test_errors_are_few_and_short_however_large_the_data() -> None:
    """AT-02: a megabyte of faults costs no seconds and no megabyte."""
    schema = Schema.of({"type": "object", "additionalProperties": {"items": {"type": "string"}}})
    assert len(schema.errors_of({"a": list(range(100))})) == 20
    begun = time.monotonic()
    assert [path for path, _ in schema.errors_of({"a": ["x", *range(150_000)]})] == ["/a/1"]
    assert time.monotonic() - begun < 2
    ((path, sentence),) = Schema.of(closed(properties={"a": True})).errors_of({"x" * 100_000: 1})
    assert (len(path), len(sentence)) == (0, 201)


@pytest.mark.parametrize(
    ("schema", "value", "fits"),
    [
        ({"const": 2**64 + 1}, 2**64 + 1, True),
        ({"const": 2**64 + 1}, 2**64, False),
        ({"type": "integer"}, 10**400, True),
        ({"maximum": 2**53}, 2**53 + 1, False),
        ({"maximum": 10**30}, 10**30, True),
        ({"maximum": 10**30}, 10**30 + 1, False),
        ({"enum": [0.1]}, 0.1, True),
        ({"type": "integer"}, 1.0, True),
        ({"type": "integer"}, True, False),
        ({"const": 1}, True, False),
        ({"type": "number"}, 1e300, True),
    ],
)
def test_numbers_are_compared_exactly(schema: dict[str, Any], value: object, fits: bool) -> None:
    """AT-02: beyond 64 bits and 53 too."""
    assert (Schema.of(closed(properties={"a": schema})).errors_of({"a": value}) == []) is fits


@pytest.mark.parametrize(
    ("document", "is_text"),
    [
        (Note.model_json_schema(), True),
        (closed(properties={"text": {"type": "string", "maxLength": 5}}, required=["text"]), True),
        (closed(properties={"text": {"type": ["string", "null"]}}), False),
        (closed(properties={"text": True}), False),
        (closed(properties={"text": {"type": "string"}, "title": {"type": "string"}}), False),
        (closed(properties={"body": {"type": "string"}}), False),
        ({"type": "object", "additionalProperties": {"type": "string"}}, False),
    ],
)
def test_a_text_type_has_one_field_which_is_its_text(document: dict[str, Any], is_text: bool) -> None:
    """AT-09."""
    assert Schema.of(document).is_text is is_text
