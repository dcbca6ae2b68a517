"""Patches that artifactr computes, applied by files."""

from typing import Any

import pytest
from artifactr.core.patches import LONGEST_PATCH, difference, same_json
from hypothesis import given, settings
from hypothesis import strategies as st
from lattice_files.domain.patches import JsonPatch as FilesPatch
from lattice_files.domain.patches import patched

TEXT = st.text(
    st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs"]), max_size=2
)  # what can be stored
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.0, 1.0, 1.5]) | TEXT
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4))
OBJECTS = st.dictionaries(st.sampled_from(["a", "b", "c", "", "a/b", "~"]), VALUES, max_size=4)


def applied(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return dict(patched(before, FilesPatch(operations=tuple(difference(before, after).operations))))


@settings(max_examples=40)  # each draws two whole documents
@given(OBJECTS, OBJECTS)
def test_a_difference_turns_exactly_the_one_into_the_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    """AT-13."""
    if not same_json(before, after):
        assert same_json(applied(before, after), after)


@pytest.mark.parametrize(
    ("before", "after"), [({"a": 1}, {"a": True}), ({"a": 1}, {"a": 1.0}), ({"a": [0]}, {"a": [False]})]
)
def test_what_only_python_takes_for_equal_is_a_difference(before: dict[str, Any], after: dict[str, Any]) -> None:
    """AT-12, AT-13."""
    assert not same_json(before, after)
    assert same_json(applied(before, after), after)


def test_a_difference_is_never_longer_than_files_takes_a_patch() -> None:
    """AT-13."""
    before, after = ({"n": {str(key): key + shift for key in range(LONGEST_PATCH + 1)}} for shift in (0, 1))
    assert len(difference(before, after).operations) == 1
    assert applied(before, after) == after
