"""Where a watcher stands."""

import pytest
from lattice_chassis.paging import Cursor, CursorReset
from lattice_integrations.domain.registry import Registry
from lattice_integrations.settings import WORDCRAFT
from lattice_integrations.store.positions import cursor_at, revision_after

REGISTRY = Registry([WORDCRAFT.integration()])
OTHER = Registry([])
NOW = Cursor(epoch="3f0c", sequence=5)


@pytest.mark.parametrize("sequence", range(6))
def test_a_position_that_was_given_out_is_one_to_go_on_from(sequence: int) -> None:
    """SB-02."""
    assert revision_after(cursor_at(sequence, NOW, REGISTRY), NOW, REGISTRY) == sequence


def test_the_start_of_an_empty_workspace_stays_its_start_once_it_is_written_to() -> None:
    """TN-02, MP-22."""
    start = cursor_at(0, None, REGISTRY)
    assert start.epoch  # the contract requires one
    assert revision_after(start, None, REGISTRY) == 0
    assert revision_after(start, NOW, REGISTRY) == 0


@pytest.mark.parametrize(
    "cursor",
    [
        cursor_at(6, NOW, REGISTRY),
        cursor_at(3, Cursor(epoch="9a1b", sequence=5), REGISTRY),
        cursor_at(3, NOW, OTHER),
        cursor_at(0, NOW, OTHER),
        cursor_at(-1, NOW, REGISTRY),
        cursor_at(1, None, REGISTRY),
        Cursor(epoch="", sequence=0),
        Cursor(epoch="3f0c", sequence=3),
    ],
)
def test_a_position_that_the_history_does_not_have_is_reset(cursor: Cursor) -> None:
    """SB-05, MP-22: with the epoch that holds now."""
    with pytest.raises(CursorReset) as reset:
        revision_after(cursor, NOW, REGISTRY)
    assert reset.value.epoch == cursor_at(0, NOW, REGISTRY).epoch
