"""Two replicas of agent before the real files: one log, whole ends, and each note once, whoever takes a turn."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable

import grpc
import pytest
from artifactr import Workspace, Workspaces, open_workspaces
from artifactr.core.events import RunEnded, RunPaused
from lattice_chassis.postgres.embedded import EmbeddedPostgres
from psycopg2.extensions import make_dsn
from service.agent.database_administration import DatabaseAdministration
from service.agent.notes.judging import require_each_once
from service.agent.notes.playing import Play
from service.agent.notes.schedules import Deed, End, Resumption, Step, Turn, What, Who
from sqlalchemy import make_url
from suite.agent.files_writer import FilesWriter

pytestmark = pytest.mark.long

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


@pytest.fixture(scope="module")
async def other_replica(agent_url: str, files_channel: grpc.aio.Channel) -> AsyncIterator[Workspaces]:
    async with open_workspaces(agent_url, files_channel) as opened:
        yield opened


@pytest.fixture
def alice_elsewhere(other_replica: Workspaces, alice_at_work: Workspace) -> Workspace:
    return other_replica.open(alice_at_work.tenant, alice_at_work.workspace, alice_at_work.actor)


@pytest.fixture
async def play(
    alice_at_work: Workspace,
    files_channel: grpc.aio.Channel,
    postgres: EmbeddedPostgres,
    agent_url: str,
    eventually: Eventually,
    _registered: None,
) -> Play:
    """A thread of Alice's, and the people and agents around it."""
    thread = await alice_at_work.create_thread("Launch")
    at_files = FilesWriter(files_channel, alice_at_work.tenant, alice_at_work.workspace)
    database = DatabaseAdministration(make_dsn(postgres.admin_dsn, dbname=make_url(agent_url).database))
    return Play(alice_at_work, thread.id, at_files, database, eventually)


NEWS = [
    Deed(What.EDIT, which=1, odd=True),
    Deed(What.EDIT, Who.AGENT, which=1),
    Deed(What.PROPOSE, Who.AGENT, which=1),
    Deed(What.PROPOSE, which=1),
    Deed(What.EDIT, Who.OTHER_AGENT, which=2),
]
DECISIONS = [Deed(What.DECIDE, Who.ALICE, which=number, odd=number % 2 == 0) for number in range(3)]
FOLLOWED = [Deed(What.FOCUS, which=2, odd=True)]
TOLD = [Deed(What.INGEST)]
SAID = [Deed(What.SAY)]

TURNS = [
    Turn(before=[*NEWS, *FOLLOWED], steps=[Step(NEWS, [*DECISIONS, *TOLD])], end=End.ASKS, late=[*NEWS, *TOLD]),
    Turn(before=[*DECISIONS, *FOLLOWED], thinking=[*NEWS, *TOLD], end=End.LOST_IN_THE_MODEL, late=NEWS),
    Turn(before=SAID, steps=[Step([*NEWS, *SAID], TOLD)], end=End.STOPPED_IN_A_TOOL, late=[*NEWS, *TOLD]),
    Turn(before=NEWS, thinking=[*DECISIONS, *TOLD], end=End.ASKS_FOR_LEAVE, late=NEWS),
    Turn(resumption=Resumption.MESSAGE, steps=[Step(NEWS, TOLD)], end=End.MODEL_FAILS, late=[*SAID, *TOLD]),
    Turn(thinking=[*NEWS, *TOLD], end=End.OUT_OF_REQUESTS, late=[*NEWS, *SAID]),
]


async def test_notes_are_told_once_though_each_turn_is_taken_by_the_other_replica(
    play: Play, alice_elsewhere: Workspace
) -> None:
    """X-05: over slow ingestion, failover, pauses and their resumption, failed and stopped runs; at the real files."""
    for turn, alice in zip(TURNS, itertools.cycle([play.alice, alice_elsewhere]), strict=False):
        play.alice = alice
        await play.take(turn)
    await play.settle()
    await require_each_once(play)


async def test_both_replicas_tell_one_log_of_everything_that_files_committed(
    play: Play, alice_elsewhere: Workspace
) -> None:
    """X-01, X-02: gap-free from 1, in one order for everyone; each change of files once, in files' order."""
    here, there = play.alice, alice_elsewhere
    watching = [asyncio.create_task(_watched(it, "That is all.")) for it in (here, there)]
    for number in range(3):
        await play.do(NEWS)
        await asyncio.gather(
            here.post_message(play.thread_id, f"here {number}"),
            there.post_message(play.thread_id, f"there {number}"),
            here.ingest(play.feed.head),
            there.ingest(play.feed.head),
        )
    await there.post_message(play.thread_id, "That is all.")
    async with asyncio.timeout(30):
        heard = await asyncio.gather(*watching)
    log = await here.since(0)
    assert [it.log_sequence for it in log] == list(range(1, len(log) + 1))
    assert await there.since(0) == log
    assert heard == [log, log]
    assert [it.change_sequence for it in log if it.change_sequence] == list(range(1, play.feed.head + 1))


async def test_an_end_its_history_and_its_positions_are_seen_together_from_the_other_replica(
    play: Play, alice_elsewhere: Workspace
) -> None:
    """X-04, HI-02: at no moment one without the others, whichever is read first."""
    over = asyncio.Event()

    async def compare() -> int:
        looks = 0
        while not over.is_set():
            earlier = await _closings(alice_elsewhere)
            chunks = await alice_elsewhere.history(play.thread_id)
            later = await _closings(alice_elsewhere)
            assert earlier <= len(chunks) <= later
            thread = await alice_elsewhere.thread(play.thread_id)
            assert thread.notes_through >= max((it.notes_through for it in chunks), default=0)
            looks += 1
        return looks

    comparing = asyncio.create_task(compare())
    for turn in (
        Turn(before=[*NEWS, *FOLLOWED], thinking=SAID, end=End.ASKS),
        Turn(thinking=[*NEWS, *TOLD], end=End.STOPPED_IN_THE_MODEL),
        Turn(thinking=[*NEWS, *TOLD], end=End.TOOL_FAILS),
        Turn(thinking=SAID),
    ):
        await play.take(turn)
    over.set()
    assert await comparing > 0
    assert await _closings(play.alice) == len(await play.alice.history(play.thread_id))
    thread = await play.alice.thread(play.thread_id)
    assert thread.notes_through == max(head for _, head in play.heads)


async def _watched(alice: Workspace, last_words: str) -> list[object]:
    heard: list[object] = []
    async for batch in alice.subscribe(0):
        heard += batch
        if any(getattr(it.event, "content", "") == last_words for it in batch):
            break
    return heard


async def _closings(alice: Workspace) -> int:
    return sum(isinstance(it.event, RunPaused | RunEnded) for it in await alice.read())
