"""The service and a model of its rules, asked the same by several actors in any order."""

import asyncio
from typing import Final

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from service.files.machine.commands import Accept, CheckIn, CheckOut, Edit, Pass, Refused, Restore, Upload
from service.files.machine.machine import Exploration
from service.files.machine.stage import Stage

pytestmark = pytest.mark.long

_FAST: Final = settings(
    max_examples=4, stateful_step_count=30, derandomize=True, deadline=None, phases=[Phase.generate], database=None
)
"""What `make test` has time for."""

_LONG: Final = settings(max_examples=15, stateful_step_count=40, deadline=None)
"""What `--hypothesis-profile soak` does: at random and at length, and it shrinks what it finds."""


@pytest.mark.hypothesis
async def test_whatever_several_actors_do_the_service_answers_and_keeps_what_the_rules_say(stage: Stage) -> None:
    """WP-01 to WP-05, CM-02, CM-03, CM-06, CM-07, AT-03 to AT-06, AT-10 to AT-15.

    And PR-01 to PR-09, F-01 to F-12, F-18, L-01 to L-08.
    """
    Exploration.stage = stage
    chosen = _LONG if settings.get_current_profile_name() == "soak" else _FAST
    await asyncio.to_thread(run_state_machine_as_test, Exploration, settings=chosen)
    for (command, answer), count in sorted(stage.told.items()):
        print(f"{count:6} {command}: {answer}")


async def test_a_restore_is_not_accepted_where_its_content_stands_already(stage: Stage) -> None:
    """AT-12, F-11, F-18: somebody else brought it back meanwhile; no version comes of a change of nothing."""
    play = stage.new_play()
    for command in (
        Upload(id="f1", paragraphs=("one",)),
        Edit(id="f1", base=1, batch=(("append", "two"),)),
        Restore(by="assistant", id="f1", base=2, version=1, must_propose=True, proposal="p"),
        Restore(id="f1", base=2, version=1),
        Accept(by="bob", proposal="p", rebase=True),
    ):
        await play.do(command)
    assert play.model.state.proposals["p"].state == "pending"


@pytest.mark.parametrize("batch", [(("append", "two"),), (("refuse", "no"),)], ids=["applied", "refused by the app"])
async def test_a_lapsed_check_out_is_over_once_an_edit_took_its_lease(
    stage: Stage, batch: tuple[tuple[str, ...], ...]
) -> None:
    """F-05, L-01: a later token was given out, whatever came of it; the copy is still on disk."""
    play = stage.new_play()
    for command in (
        Upload(id="f1", paragraphs=("one",)),
        CheckOut(by="alice", id="f1"),
        Pass(id="f1"),
        Edit(by="bob", id="f1", base=1, batch=batch),
    ):
        await play.do(command)
    late = await play.do(CheckIn(by="alice", id="f1", token=1, paragraphs=("three",)))
    assert late == Refused(reasons=frozenset({"LEASE_EXPIRED"}))
