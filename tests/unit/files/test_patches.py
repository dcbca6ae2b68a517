"""Patches: applied, computed and told."""

import copy
from typing import Any

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_files.domain.json_data import same_json
from lattice_files.domain.patches import JsonPatch, TextEdit, TextEdits, difference, patched, summary_of
from lattice_files.domain.rejections import PatchFailed, ValidationFailed


def operations(*given: dict[str, Any]) -> JsonPatch:
    return JsonPatch(operations=given)


def edits(*pairs: tuple[str, str], field: str = "text") -> TextEdits:
    return TextEdits(field=field, edits=tuple(TextEdit(old=old, new=new) for old, new in pairs))


def test_replacements_apply_in_order_each_to_what_the_one_before_left() -> None:
    """AT-10, AT-11."""
    before = {"text": "one two", "title": "x"}
    assert patched(before, edits(("one", "three"), ("three two", "four"))) == {"text": "four", "title": "x"}
    assert patched({"text": ""}, edits(("", "begun"), ("begun", "done"))) == {"text": "done"}
    assert patched({"body": "a"}, edits(("a", "b"), field="body")) == {"body": "b"}
    assert before == {"text": "one two", "title": "x"}


@pytest.mark.parametrize(
    ("data", "patch", "why"),
    [
        ({"text": "one"}, edits(("two", "x")), "not in the text"),
        ({"text": "aaa"}, edits(("a", "x")), "3 times"),
        ({"text": "aaa"}, edits(("aa", "x")), "2 times"),  # overlapping ones are as ambiguous
        ({"text": "one"}, edits(("", "x")), "no anchor"),
        ({"text": "one"}, edits(("one", "two"), ("one", "x")), "replacement 1"),
        ({"text": 5}, edits(("5", "x")), "no text field"),
        ({"text": "one"}, edits(("one", "x"), field="body"), "no text field"),
        ({"text": "one"}, edits(("one", "one")), "changes nothing"),
        ({"text": "one"}, edits(("one", "two"), ("two", "one")), "changes nothing"),
    ],
)
def test_a_replacement_that_is_not_certain_is_refused(data: dict[str, Any], patch: TextEdits, why: str) -> None:
    """AT-11, AT-12: with the count where its place is ambiguous."""
    with pytest.raises(PatchFailed, match=why):
        patched(data, patch)


@pytest.mark.parametrize(
    "patch",
    [
        operations({"op": "remove", "path": "/b"}),
        operations({"op": "replace", "path": "/b", "value": 1}),
        operations({"op": "test", "path": "/a", "value": 2}),
        operations({"op": "add", "path": "/l/7", "value": 1}),
        operations({"op": "add", "path": "/l/01", "value": 1}),
        operations({"op": "add", "path": "/l/x", "value": 1}),
        operations({"op": "add", "path": "no pointer", "value": 1}),
        operations({"op": "add", "path": "/a/b/c", "value": 1}),
        operations({"op": "replace", "path": "/t/0", "value": "x"}),
        operations({"op": "move", "from": "/a", "path": "/a/b"}),
        operations({"op": "copy", "from": "/nowhere", "path": "/b"}),
        operations({"op": "add", "path": "/b", "value": 1}, {"op": "remove", "path": "/b"}),
        operations({"op": "replace", "path": "/a", "value": 1}),
    ],
)
def test_a_json_patch_that_does_not_apply_or_changes_nothing_is_refused(patch: JsonPatch) -> None:
    """AT-12: and the data stay as they were."""
    data = {"a": 1, "l": [1, 2], "t": "text"}
    kept = copy.deepcopy(data)
    with pytest.raises(PatchFailed):
        patched(data, patch)
    assert data == kept


def test_true_and_one_are_two_values() -> None:
    """AT-12: Python calls them equal, JSON does not."""
    assert patched({"a": 1}, operations({"op": "replace", "path": "/a", "value": True}))["a"] is True


def test_the_patch_stays_as_it_was_submitted() -> None:
    """AT-13: what one operation adds, a later one changes in the data, never in the patch on record."""
    patch = operations({"op": "add", "path": "/a", "value": {}}, {"op": "add", "path": "/a/b", "value": 1})
    assert patched({}, patch) == {"a": {"b": 1}}
    assert patch.operations[0]["value"] == {}


def test_copies_that_double_are_refused_before_they_fill_the_memory() -> None:
    """SE-06: 40 of them would make a trillion values."""
    doubling = [{"op": "copy", "from": "", "path": f"/{number}"} for number in range(40)]
    with pytest.raises(PatchFailed, match="copies too much"):
        patched({"seed": "x" * 100}, JsonPatch(operations=tuple(doubling)))


def test_a_result_that_cannot_be_stored_is_refused() -> None:
    """AT-02."""
    deep: Any = 1
    for _ in range(99):
        deep = [deep]
    with pytest.raises(ValidationFailed):
        patched({"a": {}}, operations({"op": "add", "path": "/a/b", "value": deep}))
    text = "x" * 700_000
    with pytest.raises(ValidationFailed):
        patched({"a": text}, operations({"op": "add", "path": "/b", "value": text}))


def test_a_summary_tells_the_first_operations_and_how_many_more() -> None:
    """AT-14."""
    one = {"op": "add", "path": "/a", "value": 1}
    assert summary_of(operations(one)) == "add /a"
    assert summary_of(operations(one, {"op": "remove", "path": "/b"})) == "add /a; remove /b"
    assert summary_of(operations(*[one] * 5)) == "add /a; add /a; add /a and 2 more"
    assert summary_of(edits(("a", "b"))) == "text: 1 replacement"
    assert summary_of(edits(("a", "b"), ("c", "d"), field="body")) == "body: 2 replacements"
    assert len(summary_of(operations({"op": "add", "path": "/" + "x" * 5000, "value": 1}))) == 1000


_scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.text(max_size=5)
_json = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)
_data = st.dictionaries(st.text(max_size=3), _json, max_size=4)


@given(before=_data, after=_data)
def test_the_patch_on_record_turns_one_version_into_the_next(before: dict[str, Any], after: dict[str, Any]) -> None:
    """AT-13: exactly, whatever the two are."""
    computed = difference(before, after)
    assert same_json(jsonpatch.apply_patch(before, list(computed.operations)), after)
    assert bool(computed.operations) == (not same_json(before, after))
