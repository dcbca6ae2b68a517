"""Schemas of artifact types: JSON Schema 2020-12, the validation of record for every language [AT-02].

A schema describes an object, says what happens to fields that it does not name, and refers to nothing
outside itself: nothing is ever fetched. Patterns are matched in linear time, so they have neither
look-around nor back-references. `format` is an annotation, as the standard has it, and asserts nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from typing import Any, Self
from urllib.parse import unquote

from jsonschema_rs import Draft202012Validator, ReferencingError, RegexOptions, ValidationError, ValidationErrorKind

from lattice_files.domain.json_data import Data, JsonLimits, clipped, compact, pointer, require_storable
from lattice_files.domain.rejections import ValidationFailed

DIALECT = "https://json-schema.org/draft/2020-12/schema"
LIMITS = JsonLimits(bytes=256 * 1024)
IN_PLACE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
"""The keywords whose subschemas are about the same value as the schema that has them; `$ref` apart."""

_MOST_ERRORS = 20
_ALL_ERRORS_UP_TO = 16 * 1024
_CONDITIONS = frozenset({"not", "if"})
_OF_ONE = _CONDITIONS | {
    "then", "else", "additionalProperties", "unevaluatedProperties", "propertyNames", "items", "contains",
    "unevaluatedItems", "contentSchema",
}  # fmt: skip
_OF_MANY = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_OF_NAMED = frozenset({"$defs", "properties", "patternProperties", "dependentSchemas"})


@dataclass(frozen=True, kw_only=True, eq=False)
class Schema:
    """A schema that files accepted, ready to validate."""

    document: Mapping[str, Any]
    _validator: Draft202012Validator

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Self:
        """Compile a document of at most 256 KiB; ValidationFailed names each fault under `schema`."""
        require_storable(document, field="schema", limits=LIMITS)
        faults = [*_faults_of_root(document), *_faults_of_subschemas(document), *_faults_of_circles(document)]
        if faults:
            raise ValidationFailed(errors=[("schema", fault) for fault in faults[:_MOST_ERRORS]])
        try:
            validator = Draft202012Validator(
                dict(document),
                validate_formats=False,
                offline=True,
                mask="the value",  # values may be large, and are the reader's own
                pattern_options=RegexOptions(size_limit=1024 * 1024),
            )
        except ValidationError as error:
            raise ValidationFailed(errors=[("schema", _invalid(error))]) from None
        except ReferencingError as error:
            raise ValidationFailed(errors=[("schema", clipped(str(error)))]) from None
        return cls(document=document, _validator=validator)

    @property
    def is_text(self) -> bool:
        """Whether the type is a text type: one field, `text`, which is a string [AT-09]."""
        properties = _root(self.document).get("properties", {})
        return list(properties) == ["text"] and _says(properties["text"], "type", "string")

    def errors_of(self, data: Data) -> list[tuple[str, str]]:
        """What is wrong with an object that `json_data` let in: JSON pointers and sentences, at most 20.

        Of large data only the first error: the validator finds all before it tells any, which takes seconds
        where each of a million values is wrong.
        """
        instance = dict(data)
        if self._validator.is_valid(instance):
            return []
        if len(compact(instance)) <= _ALL_ERRORS_UP_TO:
            errors = list(islice(self._validator.iter_errors(instance), _MOST_ERRORS))
        else:
            errors = [self._first_error(instance)]
        return [(pointer(error.instance_path), clipped(error.message)) for error in errors]

    def require(self, data: Data) -> None:
        """Refuse data that does not fit with ValidationFailed [AT-02]."""
        errors = self.errors_of(data)
        if errors:
            raise ValidationFailed(errors=errors)

    def _first_error(self, instance: dict[str, Any]) -> ValidationError:
        try:
            self._validator.validate(instance)
        except ValidationError as error:
            return error
        raise AssertionError("the validator refused this data a moment ago")


def target_of(document: Mapping[str, Any], reference: str) -> Any:  # noqa: ANN401 (a schema, or whatever stands there)
    """What a `$ref` of an accepted schema refers to; None if nothing stands there."""
    path = _path_of(reference)
    if path is None:
        return None
    place: Any = document
    for step in path:
        if isinstance(place, Mapping):
            place = place.get(step)
        elif isinstance(place, list) and step.isdecimal() and int(step) < len(place):
            place = place[int(step)]
        else:
            return None
    return place


def _path_of(reference: str) -> tuple[str, ...] | None:
    """The steps of a reference by pointer into its own document; None for any other."""
    if reference == "#":
        return ()
    if not reference.startswith("#/"):
        return None
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in unquote(reference[2:]).split("/"))


def _root(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Where the root is described: pydantic keeps a model that contains itself under `$defs`."""
    reference = document.get("$ref")
    if "type" in document or not isinstance(reference, str):
        return document
    target = target_of(document, reference)
    return target if isinstance(target, Mapping) else document


def _faults_of_root(document: Mapping[str, Any]) -> Iterator[str]:
    root = _root(document)
    if not _says(root, "type", "object"):
        yield 'must say "type": "object" at its root'
    elif not _is_closed(root):
        yield _OPEN.format("its root")


@dataclass(frozen=True, kw_only=True)
class _Place:
    """A subschema, and what the schemas around it mean for it."""

    path: tuple[str, ...]
    schema: Mapping[str, Any]
    is_closed: bool
    """A schema around it that is about the same value refuses, or describes, fields that no one names."""
    is_condition: bool
    """It decides what else applies, and lets nothing through by itself."""


_OPEN = (
    'lets unknown fields through: {} needs "additionalProperties" (false or a schema of what they hold) '
    'or "unevaluatedProperties": false'
)


def _faults_of_subschemas(document: Mapping[str, Any]) -> Iterator[str]:
    places = {place.path: place for place in _places_of(document)}
    for place in places.values():
        schema, where = place.schema, f'"{pointer(place.path)}"'
        if place.path and "properties" in schema and not (place.is_closed or place.is_condition or _is_closed(schema)):
            yield _OPEN.format(where)
        if schema.get("$schema", DIALECT) != DIALECT:
            yield f"must be of the dialect {DIALECT}"
        if place.path and "$id" in schema:
            yield f'has an "$id" at {where}: only the root may have one'
        if "$dynamicRef" in schema:
            yield f'has a "$dynamicRef" at {where}: only "$ref" is understood'
        reference = schema.get("$ref")
        if isinstance(reference, str) and _path_of(reference) not in places:
            yield f"refers at {where} to {clipped(reference)}, which is no JSON pointer to a schema in the document"


def _faults_of_circles(document: Mapping[str, Any]) -> Iterator[str]:
    """A schema that applies itself to the same value says nothing that the standard defines."""
    applied: TopologicalSorter[tuple[str, ...]] = TopologicalSorter()
    for place in _places_of(document):
        reference = place.schema.get("$ref")
        target = _path_of(reference) if isinstance(reference, str) else None
        if target is not None:
            applied.add(place.path, target)
        for keyword in IN_PLACE & place.schema.keys():
            for steps, _ in _children(keyword, place.schema[keyword]):
                applied.add(place.path, (*place.path, keyword, *steps))
    try:
        applied.prepare()
    except CycleError as circle:
        yield f'applies itself to the same value at "{pointer(circle.args[1][0])}"'


def _places_of(document: Mapping[str, Any]) -> Iterator[_Place]:
    return _places(_Place(path=(), schema=document, is_closed=False, is_condition=False))


def _places(place: _Place) -> Iterator[_Place]:
    """All subschemas, this one first; what is no schema is passed over, the validator refuses it."""
    yield place
    closed = place.is_closed or _is_closed(place.schema)
    for keyword, value in place.schema.items():
        for steps, schema in _children(keyword, value):
            if isinstance(schema, Mapping):
                yield from _places(
                    _Place(
                        path=(*place.path, keyword, *steps),
                        schema=schema,
                        is_closed=closed and keyword in IN_PLACE,
                        is_condition=place.is_condition or keyword in _CONDITIONS,
                    )
                )


def _children(keyword: str, value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:  # noqa: ANN401 (not yet validated)
    if keyword in _OF_ONE:
        yield (), value
    elif keyword in _OF_MANY and isinstance(value, list):
        yield from (((str(at),), schema) for at, schema in enumerate(value))
    elif keyword in _OF_NAMED and isinstance(value, Mapping):
        yield from (((name,), schema) for name, schema in value.items())


def _is_closed(schema: Mapping[str, Any]) -> bool:
    others = schema.get("additionalProperties", True)
    return schema.get("unevaluatedProperties") is False or (others is not True and others != {})


def _says(schema: Any, keyword: str, value: str) -> bool:  # noqa: ANN401 (a schema may also be true or false)
    return isinstance(schema, Mapping) and schema.get(keyword) == value


def _invalid(error: ValidationError) -> str:
    at = f'at "{pointer(error.instance_path)}"'
    match error.kind:
        case ValidationErrorKind.Format(format="regex"):
            return f"has a pattern {at} that is none, or that cannot be matched in linear time"
        case ValidationErrorKind.Referencing():
            return f"has a reference to nowhere: {clipped(error.message)}"
        case _:
            return f"is no valid JSON Schema {at}: {clipped(error.message)}"
