"""Which JSON files takes and keeps."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_files.domain.json_data import (
    JsonLimits,
    compact,
    parse,
    parse_object,
    pointer,
    require_storable,
    same_json,
)
from lattice_files.domain.rejections import ValidationFailed

LIMITS = JsonLimits()

_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=12,
)


def fault(work: Callable[[], object]) -> str:
    with pytest.raises(ValidationFailed) as refused:
        work()
    (found,) = refused.value.errors
    assert found[0] == "data"
    return found[1]


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("{} {}", "is not JSON"),
        ("{'a': 1}", "is not JSON"),
        ("[]", "is not a JSON object"),
        ("null", "is not a JSON object"),
        ('{"a": {"b": NaN}}', 'a number that JSON cannot say at "/a/b"'),
        ('{"a": [0, -Infinity]}', 'a number that JSON cannot say at "/a/1"'),
        ('{"a": 1e999}', 'a number that JSON cannot say at "/a"'),
        ('{"a": ' + "1" * 5000 + "}", "too many digits"),
        ('{"a": 1, "b": 2, "a": 1}', 'the key "a" twice'),
        ('{"a": [{"b": 1, "\\u0062": 1}]}', 'the key "b" twice'),
        ('{"a": "\\u0000"}', 'NUL at "/a"'),
        ('{"a/b": {"\\u0000": 1}}', 'NUL at "/a~1b/\\u0000"'),
        ('{"a": "\\ud800"}', 'half of a surrogate pair at "/a"'),
        ('{"\\udc00\\ud800": 1}', "half of a surrogate pair"),
        ('{"a": "\ud800"}', "half of a surrogate pair"),
        ('{"a":' + nested(100) + "}", "deeper than 100"),
        ('{"a":' + nested(100_000) + "}", "deeper than 100"),
        ('{"a": "' + "x" * LIMITS.bytes + '"}', "larger than 1048576 bytes"),
        ('{"a": "' + "é" * (LIMITS.bytes // 2) + '"}', "larger than 1048576 bytes"),
    ],
    ids=lambda it: it[:30].encode("ascii", "replace").decode(),
)
def test_a_text_that_some_reader_could_not_read_the_same_is_refused(text: str, sentence: str) -> None:
    """AT-02, AT-09: and the fault is named, with its place."""
    assert sentence in fault(lambda: parse_object(text, field="data", limits=LIMITS))


@pytest.mark.parametrize("value", [{"a": float("nan")}, {"a": float("inf")}, {"a\0": 1}, {"a": ["\ud800"]}])
def test_a_value_that_a_patch_made_meets_the_same_checks(value: dict[str, Any]) -> None:
    """AT-10."""
    assert "/a" in fault(lambda: require_storable(value, field="data", limits=LIMITS))


def test_a_value_that_a_patch_made_too_large_or_too_deep_is_refused() -> None:
    """AT-10: its size is that of its shortest text."""
    limits = JsonLimits(bytes=12, depth=2)
    require_storable({"a": ["é"]}, field="data", limits=limits)
    assert "larger than 12 bytes" in fault(lambda: require_storable({"a": ["éé"]}, field="data", limits=limits))
    assert "deeper than 2" in fault(lambda: require_storable({"a": [[]]}, field="data", limits=limits))


def test_the_limits_themselves_are_within_them() -> None:
    """AT-09."""
    text = '{"a":"' + "x" * (LIMITS.bytes - 8) + '"}'
    assert len(text) == LIMITS.bytes
    require_storable(parse_object(text, field="data", limits=LIMITS), field="data", limits=LIMITS)
    parse(nested(100), field="data", limits=LIMITS)


@given(_values)
def test_a_value_comes_back_as_it_was_written(value: object) -> None:
    """AT-13: whole numbers of any length and doubles included."""
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1), compact(value)):
        assert same_json(parse(text, field="data", limits=LIMITS), value)
    require_storable(value, field="data", limits=LIMITS)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": 0}, {"a": False}, False),
        ({"a": 1}, {"a": 1.0}, False),
        ({"a": 1}, {"a": "1"}, False),
        ({"a": None}, {}, False),
        ([1, 2], [2, 1], False),
        ({"a": 2**70}, {"a": float(2**70)}, False),
    ],
)
def test_values_are_the_same_where_their_stored_text_is(one: object, other: object, same: bool) -> None:
    """AT-12: whatever the order of keys."""
    assert same_json(one, other) is same


def test_a_pointer_escapes_its_steps_and_is_cut_short() -> None:
    """RFC 6901."""
    assert pointer([]) == ""
    assert pointer(["a/b", "c~d", 0]) == "/a~1b/c~0d/0"
    assert len(pointer(["x" * 5000])) == 201
