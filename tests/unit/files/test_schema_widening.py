"""A new schema of a type accepts all that the old one did, or the comparison says what it might refuse."""

import copy
import itertools
from typing import Annotated, Any, Literal

import jsonschema_rs
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from lattice_files.domain.schema_widening import narrowings
from pydantic import BaseModel, ConfigDict, Field, create_model

pytestmark = pytest.mark.long


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Step(Model):
    title: str


class LongerStep(Step):
    done: bool = False


class Tree(Model):
    children: "list[Tree]" = []


class NamedTree(Model):
    name: str = ""
    children: "list[NamedTree]" = []


def of(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 (fields as pydantic takes them)
    return create_model("Type", __base__=Model, **fields).model_json_schema()


def closed(**properties: object) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties}


REQUIRED = (str, ...)
OPTIONAL = (str, "")
REFERRED = {"$ref": "#/$defs/a"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (of(a=REQUIRED), of(a=REQUIRED, b=OPTIONAL)),
        (of(a=REQUIRED), of(a=OPTIONAL)),
        (of(a=REQUIRED), of(a=(str | None, None))),
        (of(a=(int, ...)), of(a=(float, ...))),
        (of(a=(Literal["x", "y"], ...)), of(a=(Literal["y", "x", "z"], ...))),
        (of(a=(Literal["x"], ...)), of(a=REQUIRED)),
        (of(a=(Annotated[str, Field(max_length=5)], "")), of(a=(Annotated[str, Field(max_length=6)], ""))),
        (of(a=(Annotated[int, Field(gt=5)], 6)), of(a=(Annotated[int, Field(ge=5)], 6))),
        (of(a=(Annotated[str, Field(pattern="^a")], "")), of(a=OPTIONAL)),
        (of(a=(dict[str, Step], {})), of(a=(dict[str, LongerStep], {}))),
        (of(a=(list[Step] | None, None)), of(a=(list[LongerStep] | None, None))),
        (of(a=(tuple[Step, int], ...)), of(a=(tuple[LongerStep, float], ...))),
        (of(a=(Step, ...)), of(a=(int | LongerStep, ...))),
        (Tree.model_json_schema(), NamedTree.model_json_schema()),
        (closed(a={"enum": [1, "x"]}), closed(a={"type": ["integer", "string"]})),
        (closed(a={"allOf": [{"type": "string"}, {"maxLength": 3}]}), closed(a={"type": "string"})),
        (closed(a={"not": {"const": 1}}), closed(a={})),
        (closed(a={"oneOf": [{"type": "string"}]}), closed(a={"oneOf": [{"type": "string"}]}, b={})),
        (closed(a={"oneOf": [{"type": "string"}]}), closed(a={"anyOf": [{"type": "string"}, {"type": "null"}]})),
        (closed(a={"type": "string"}), {"type": "object", "additionalProperties": {"type": "string"}}),
    ],
    ids=str,
)
def test_a_schema_that_only_allows_more_is_wide_enough(old: dict[str, Any], new: dict[str, Any]) -> None:
    """AT-01: and not the other way round, and itself in any case."""
    assert narrowings(old, new) == []
    assert narrowings(new, old)
    assert narrowings(new, copy.deepcopy(new) | {"title": "Other"}) == []


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (of(a=REQUIRED, b=OPTIONAL), of(a=REQUIRED), '"/properties/b": is no longer accepted'),
        (of(a=REQUIRED), of(a=REQUIRED, b=REQUIRED), '"": the property b is required now'),
        (of(a=(Literal["x", "y"], ...)), of(a=(Literal["x"], ...)), 'the value "y" is no longer accepted'),
        (of(a=REQUIRED), of(a=(Literal["x"], ...)), '"/properties/a": const accepts some values only'),
        (of(a=REQUIRED), of(a=(int, ...)), '"/properties/a": the type string is no longer accepted'),
        (of(a=(dict[str, LongerStep], {})), of(a=(dict[str, Step], {})), '"/properties/a/additionalProperties/'),
        (NamedTree.model_json_schema(), Tree.model_json_schema(), '"/properties/name": is no longer accepted'),
        (
            {"additionalProperties": False, "patternProperties": {"^a": {}}},
            {"additionalProperties": False, "patternProperties": {"^a": {}}, "properties": {"a": {"type": "null"}}},
            '"/properties/a": the type string is no longer accepted',
        ),
        (closed(a={}), closed(a={"not": {"const": 1}}), '"/properties/a/not": is new or differs'),
        (closed(a={"const": 1}), closed(a={"const": 1.0}), "the value 1 is no longer accepted"),
        (
            closed(a={"not": REFERRED}) | {"$defs": {"a": {"const": 1}}},
            closed(a={"not": REFERRED}) | {"$defs": {"a": {"type": "integer"}}},
            '"/properties/a/not": is new or differs',
        ),
        (
            closed(a=REFERRED) | {"$defs": {"a": {"type": "string"}}},
            closed(a=REFERRED) | {"$defs": {"a": {"type": "null"}}},
            "the type string is no longer accepted",
        ),
        (
            {"type": "object", "unevaluatedProperties": False, "allOf": [closed(a={}), closed(b={})]},
            {"type": "object", "unevaluatedProperties": False, "allOf": [closed(a={})]},
            "unevaluated may differ",
        ),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_what_the_new_schema_might_refuse_is_told_with_its_place(
    old: dict[str, Any], new: dict[str, Any], sentence: str
) -> None:
    """AT-01."""
    assert any(sentence in found for found in narrowings(old, new)), narrowings(old, new)


def test_schemas_too_large_to_compare_are_not_called_wide() -> None:
    """AT-01: alternatives that all have to be compared with each other, and references without end."""
    many = closed(a={"anyOf": [{"const": number} for number in range(500)]})
    others = closed(a={"anyOf": [{"const": number, "maxLength": 1} for number in range(500)]})
    chain = {str(number): {"items": {"$ref": f"#/$defs/{number + 1}"}} for number in range(2000)} | {"2000": {}}
    long = closed(a={"$ref": "#/$defs/0"}) | {"$defs": chain}
    for old, new in ((many, others), (long, long | {"title": "Other"})):
        assert narrowings(old, new) == ["the schemas are too large to tell what the new one refuses"]


_names = st.sampled_from(["a", "b", "ab"])
_SCALARS = [None, False, True, 0, 1, 1.0, 1.5, 2, "", "a", "ab"]
_scalars = st.sampled_from(_SCALARS)


def _containers(inner: list[Any]) -> list[Any]:
    lists = [list(it) for length in range(3) for it in itertools.product(inner, repeat=length)]
    objects = [
        dict(zip(names, values, strict=True))
        for names in ([], ["a"], ["b"], ["ab"], ["a", "b"], ["a", "ab"], ["a", "b", "ab"])
        for values in itertools.product(inner, repeat=len(names))
    ]
    return lists + objects


_VALUES = [*_SCALARS, *_containers([None, 1, "a", {"a": 1}]), *_containers([1.5, [], ["a", 0], {"b": "ab"}])]
"""All values of some size: a fault that random ones would meet rarely is met by one of them."""

_numbers = st.sampled_from([0, 1, 1.5, 2])
_counts = st.integers(min_value=0, max_value=3)
_types = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])


def _keywords(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    named = st.dictionaries(_names, inner, max_size=3)
    some = st.lists(inner, min_size=1, max_size=3)
    return {
        "type": _types | st.lists(_types, min_size=1, max_size=3, unique=True),
        "enum": st.lists(_scalars, min_size=1, max_size=3),
        "const": _scalars,
        **dict.fromkeys(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], _numbers),
        **dict.fromkeys(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"], _counts),
        "multipleOf": st.sampled_from([1, 1.5, 2]),
        "pattern": st.sampled_from(["a", "^b"]),
        "uniqueItems": st.booleans(),
        "required": st.lists(_names, max_size=2, unique=True),
        "dependentRequired": st.just({"a": ["b"]}),
        "properties": named,
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b"]), inner, max_size=2),
        "dependentSchemas": named,
        **dict.fromkeys(["prefixItems", "allOf", "anyOf", "oneOf"], some),
        **dict.fromkeys(["items", "contains", "not", "if", "then", "else", "propertyNames"], inner),
        **dict.fromkeys(["additionalProperties", "unevaluatedProperties", "unevaluatedItems"], inner | st.just(False)),
        **dict.fromkeys(["minContains", "maxContains"], _counts),
        "title": st.just("A title"),
    }


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.lists(st.sampled_from(sorted(_keywords(inner))), max_size=4, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: _keywords(inner)[name] for name in names})
    )


# References go from the root to `a`, and from `a` to itself through a child only.
_of_values = st.recursive(st.booleans() | _schemas(st.booleans()), _schemas, max_leaves=4)
_below_a = st.recursive(st.just(REFERRED) | st.booleans(), _schemas, max_leaves=3)
_roots = st.recursive(st.just(REFERRED) | _of_values, _schemas, max_leaves=4)
_definitions = (
    st.fixed_dictionaries(
        {}, optional={"type": _types, "items": _below_a, "properties": st.dictionaries(_names, _below_a, max_size=2)}
    )
    | _of_values
)
_documents = st.builds(lambda root, a: {"allOf": [root], "$defs": {"a": a}}, _roots, _definitions)


def _places(value: Any) -> list[Any]:  # noqa: ANN401 (any JSON value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [value] * isinstance(value, dict | list) + [place for it in inner for place in _places(it)]


@st.composite
def _mutated(draw: st.DrawFn, document: dict[str, Any]) -> dict[str, Any]:
    """A document with one to three members dropped, added, or put in another's place."""
    changed: dict[str, Any] = copy.deepcopy(document)
    for _ in range(draw(st.integers(min_value=1, max_value=3))):
        place = draw(st.sampled_from(_places(changed["allOf"]) + _places(changed["$defs"]["a"])))
        if isinstance(place, dict) and place and draw(st.booleans()):
            del place[draw(st.sampled_from(sorted(place)))]
        elif isinstance(place, dict):
            place.update(draw(_schemas(_of_values)))
        elif place:
            place[draw(st.integers(min_value=0, max_value=len(place) - 1))] = draw(_of_values | _scalars)
    return changed


def _validator(document: dict[str, Any]) -> jsonschema_rs.Validator | None:
    try:
        return jsonschema_rs.Draft202012Validator(document, offline=True, validate_formats=False)
    except ValueError:
        return None


@settings(max_examples=300, deadline=None)
@given(data=st.data(), old=_documents)
def test_what_an_old_schema_accepts_a_wider_one_accepts_too(data: st.DataObject, old: dict[str, Any]) -> None:
    """AT-01: for schemas of all keywords, changed at random, and all values of some size."""
    new = data.draw(_mutated(old))
    before, after = _validator(old), _validator(new)
    if before is None or after is None:
        event("no schema")
        return
    if narrowings(old, new):
        event("narrower")
        return
    event("wide enough")
    for value in _VALUES:
        assert after.is_valid(value) or not before.is_valid(value), value
