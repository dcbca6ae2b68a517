"""Whatever happens between and within the runs of a thread, its agent is told of each change once, in order."""

import uuid
from collections.abc import Awaitable, Callable, Sequence

import pytest
from artifactr import Workspaces
from artifactr.agent import load_history
from artifactr.core.actors import UserActor
from artifactr.core.events import MessagePosted, RunStatus
from hypothesis import HealthCheck, Phase, given, settings
from pydantic_ai import models
from service.agent.database_administration import DatabaseAdministration
from service.agent.notes.expectations import told
from service.agent.notes.feed_writer import FeedWriter
from service.agent.notes.judging import require_each_once
from service.agent.notes.playing import Play
from service.agent.notes.schedules import SCHEDULES, Deed, End, Step, Turn, What
from service.agent.scripted_files import ScriptedFiles

pytestmark = pytest.mark.long

models.ALLOW_MODEL_REQUESTS = False

ALICE = UserActor(id="alice", name="Alice")
Perform = Callable[[Sequence[Turn]], Awaitable[Play]]

_FAST = settings(max_examples=3, derandomize=True, deadline=None, phases=[Phase.generate], database=None)
"""What `make test` has time for."""

_LONG = settings(max_examples=200, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
"""What `--hypothesis-profile soak` does, at random; it does not shrink, for which an example takes too long."""


@pytest.fixture(scope="session")
def perform(
    workspaces: Workspaces,
    files: ScriptedFiles,
    agent_database: DatabaseAdministration,
    eventually: Callable[[Callable[[], Awaitable[object]]], Awaitable[None]],
) -> Perform:
    """Plays a schedule in a workspace of its own, until the agent has heard of everything."""

    async def play(turns: Sequence[Turn]) -> Play:
        alice = workspaces.open(f"notes-{uuid.uuid4().hex}", "main", ALICE)
        thread = await alice.create_thread("Launch")
        feed = FeedWriter(files, f"tenants/{alice.tenant}/workspaces/main")
        played = Play(alice, thread.id, feed, agent_database, eventually)
        for turn in turns:
            await played.take(turn)
        await played.settle()
        return played

    return play


@given(turns=SCHEDULES)
@settings(_LONG if settings.get_current_profile_name() == "soak" else _FAST)
async def test_each_change_is_told_once_whatever_happens(perform: Perform, turns: Sequence[Turn]) -> None:
    """CN-02 to CN-05, CN-09 to CN-16, HI-03, HI-04, MP-17, TH-08, 29.4; X-05 without the crashes of processes."""
    await require_each_once(await perform(turns))


@pytest.mark.parametrize("end", [End.REQUEST_FAILS, End.STOPPED_BEFORE_THE_MODEL])
async def test_what_was_put_into_a_request_stays_though_it_is_never_sent(perform: Perform, end: End) -> None:
    """CN-12, CN-13, TH-08: an application's own part of the run fails it, or waits and is stopped."""
    news = [Deed(What.EDIT, odd=True), Deed(What.INGEST), Deed(What.SAY)]
    play = await perform([Turn(steps=[Step(thinking=news)], end=end)])
    await require_each_once(play)


async def test_what_was_heard_for_a_request_that_is_never_made_is_told_by_the_next_turn(perform: Perform) -> None:
    """CN-13: it was judged, and counts as told only once it is in the history."""
    news = [Deed(What.EDIT, odd=True), Deed(What.INGEST), Deed(What.SAY)]
    play = await perform([Turn(steps=[Step(thinking=news)], end=End.ONE_REQUEST_TOO_MANY)])
    await require_each_once(play)


async def test_news_that_no_request_is_left_for_wait_for_the_next_turn(perform: Perform) -> None:
    """29.4 step 5, CN-11: they fail no run that has its answer, and are told once."""
    news = [Deed(What.EDIT, odd=True), Deed(What.SAY), Deed(What.EDIT, odd=True), Deed(What.INGEST)]
    play = await perform([Turn(thinking=news, end=End.OUT_OF_REQUESTS)])
    await require_each_once(play)
    assert {run.status for _, run in await play.alice.runs()} == {RunStatus.COMPLETED}


async def test_what_a_pause_missed_is_judged_by_the_focus_at_its_end(perform: Perform) -> None:
    """CN-15, 29.4 step 8: whenever in the pause the focus changed."""
    first, second = Deed(What.EDIT, which=1), Deed(What.EDIT, which=2)
    pause = [
        Deed(What.FOCUS, which=1),
        second,
        Deed(What.INGEST),
        Deed(What.FOCUS, which=2, odd=True),
    ]
    play = await perform([Turn(before=[first, second], end=End.ASKS), Turn(before=pause)])
    await require_each_once(play)
    history = await load_history(play.alice, play.thread_id)
    assert told(history) == [["s1"]]


async def test_what_a_lost_run_heard_is_heard_again(perform: Perform) -> None:
    """TH-12, CN-14, HI-03: the messages it was steered with, too, of which nothing was recorded."""
    news = [Deed(What.EDIT, odd=True), Deed(What.INGEST), Deed(What.SAY)]
    play = await perform([Turn(steps=[Step(thinking=news)], end=End.LOST_IN_THE_MODEL)])
    await require_each_once(play)
    lost, taken_up = [run for _, run in await play.alice.runs()][:2]
    assert (lost.status, lost.reason) == (RunStatus.FAILED, "abandoned")
    (steering,) = [
        it.log_sequence
        for it in await play.alice.since(0)
        if isinstance(it.event, MessagePosted) and it.event.content == play.said[1]
    ]
    assert steering <= max(head for run_id, head in play.heads if run_id == lost.id)
    assert taken_up.taken == steering
