"""Names of files in an export, and what spoils one."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lattice_cli.export import _require_one_history, _safe
from lattice_cli.paging import HistoryChanged


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=255))
def test_whatever_a_file_is_called_it_has_a_name_that_file_systems_take(name: str) -> None:
    """ER-04: 255 characters are up to 1,020 bytes."""
    safe = _safe(name)
    assert len(safe.encode()) <= 255
    assert safe not in {"", ".", ".."}
    assert not set(safe) & {"/", "\0"}
    if name.isalnum() and name.isascii():
        assert safe == name


@given(st.sets(st.text("%.ab/2e5", min_size=1, max_size=4), min_size=2))
@example({"..", "2e2e", "%2e2e", "%", "%25"})
def test_no_two_ids_are_one_folder(names: set[str]) -> None:
    """ER-04."""
    assert len({_safe(it) for it in names}) == len(names)


def test_a_name_that_is_too_long_keeps_what_says_its_kind() -> None:
    assert _safe("ä" * 200 + ".docx").endswith(".docx")


def positions(epoch: str, sequence: int, switches: int = 2) -> dict[str, Any]:
    at = {"epoch": epoch, "sequence": sequence}
    return {"feed": at, "log": at, "switches": {"sequence": switches}}


@pytest.mark.parametrize(
    "after",
    [positions("new", 0), positions("second", 7), positions("first", 6), positions("first", 7, switches=1)],
    ids=["erased", "restored", "shorter", "fewer switches"],
)
def test_what_changed_its_history_meanwhile_is_no_export(after: dict[str, Any]) -> None:
    """ER-04: it would lack what was there, and look whole."""
    with pytest.raises(HistoryChanged, match="export again"):
        _require_one_history(positions("first", 7), after)


@pytest.mark.parametrize("before", [positions("first", 7), positions("new", 0)], ids=["written", "never written"])
def test_what_went_on_meanwhile_is_one(before: dict[str, Any]) -> None:
    """ER-04: positions say up to where."""
    _require_one_history(before, positions("first", 9, switches=3))
