"""The change feed as it is watched: every commit once, in order, whole, whoever cuts the watch and wherever."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from uuid import uuid4

import pytest
from lattice.type.v1 import names_pb2
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.workspaces import workspaces
from lattice_chassis.server import BoundServer
from lattice_files.main import running
from service.files.conftest import MakeSettings
from service.files.feed_writer import FeedWriter, feed_writer
from service.files.people import Participant, append, participant, user
from service.files.watches import Watch, watching
from sqlalchemy import update


@pytest.fixture
async def writer(files_urls: DatabaseUrls, tenant: str) -> AsyncIterator[FeedWriter]:
    """Another process that commits in alice's workspace."""
    async with feed_writer(files_urls.service, tenant) as found:
        yield found


@pytest.fixture(scope="session")
async def small_server(make_settings: MakeSettings) -> AsyncIterator[BoundServer]:
    """A server whose watches read little at once and mark often, and never poll."""
    settings = make_settings(apps=(), watch_page=3, watch_progress="200ms", watch_poll="10min")
    async with running(settings) as bound:
        yield bound


@pytest.fixture
async def carol(small_server: BoundServer, tenant: str) -> AsyncIterator[Participant]:
    """A person who watches at that server."""
    async with participant(small_server.address, user(tenant, "carol"), "main") as person:
        yield person


async def test_a_watch_has_no_seam_between_what_is_stored_and_what_comes(alice: Participant) -> None:
    """SB-02, SB-07: stored commits, a mark, live ones; resumed it misses and repeats nothing."""
    artifact_id = await alice.has_file("One.")
    async with watching(alice) as watch:
        assert (await watch.change()).change_sequence == 1
        assert (await watch.mark()).sequence == 1
        await alice.edits(artifact_id, 1, append("x"))
        assert (await watch.change()).artifact_changed.version == 2
    await alice.edits(artifact_id, 2, append("y"))
    async with watching(alice, watch.cursor) as resumed:
        assert (await resumed.change()).artifact_changed.version == 3


async def test_a_watch_from_the_head_tells_only_what_comes(alice: Participant) -> None:
    """SB-04: also in a workspace that nobody wrote to yet."""
    async with watching(alice, from_head=True) as fresh:
        assert (await fresh.mark()).sequence == 0
        artifact_id = await alice.has_file("One.")
        assert (await fresh.change()).artifact_created.artifact_id == artifact_id
    async with watching(alice, from_head=True) as watch:
        head = await watch.mark()
        assert head.sequence == 1
        await alice.edits(artifact_id, 1, append("x"))
        assert (await watch.change()).change_sequence == 2
    async with watching(alice, head, from_head=True) as both:
        assert (await both.refusal()).reason == "VALIDATION_FAILED"


async def test_what_waits_for_a_watch_comes_in_one_message(alice: Participant, writer: FeedWriter) -> None:
    """SB-07: as many whole commits as fit."""
    await writer.commits(40, changes=2)
    async with watching(alice) as watch:
        assert [len(it.changes) for it in await watch.commits()] == [2] * 40
        await writer.commits(3, text="x" * 100_000)
        assert [len(await watch.commits()) for _ in range(3)] == [1, 1, 1], "each is larger than a message should be"


@pytest.mark.parametrize("seed", range(3))
async def test_a_watch_resumes_wherever_it_was_cut_without_gap_or_repeat(
    carol: Participant, writer: FeedWriter, seed: int
) -> None:
    """SB-02, SB-04, MP-12: cut after a random number of messages, again and again, while others commit."""
    chance = random.Random(seed)  # noqa: S311 - any would do
    sizes = [chance.choice((1, 1, 2, 3, 5)) for _ in range(60)]
    told: list[int] = []

    async def write() -> None:
        for size in sizes:
            await writer.commits(changes=size)

    writing = asyncio.create_task(write())
    cursor: names_pb2.Cursor | None = None
    while sum(told) < sum(sizes):
        async with watching(carol, cursor) as watch:
            for _ in range(chance.randint(1, 6)):
                message = await watch.read()
                told += [len(it.changes) for it in message.commits]
                cursor = message.cursor
                assert cursor.sequence == sum(told)
    await writing
    assert told == sizes


async def test_many_who_watch_from_everywhere_are_each_told_everything_once(
    carol: Participant, writer: FeedWriter
) -> None:
    """SB-02, EV-01, SG-03: from the first commit, from a position, from the head, while others commit."""
    await writer.commits(10)
    async with watching(carol) as watch:
        positions = [(await watch.read()).cursor for _ in range(3)]
    async with AsyncExitStack() as stack:
        starts = [None, *positions] * 5
        watches = [await stack.enter_async_context(watching(carol, it)) for it in starts]
        heads = [await stack.enter_async_context(watching(carol, from_head=True)) for _ in range(5)]
        assert {(await it.mark()).sequence for it in heads} == {10}
        told = asyncio.gather(*(_numbers(it, 30) for it in (*watches, *heads)))
        await writer.commits(20)
        reached = [0 if it is None else it.sequence for it in starts] + [10] * len(heads)
        assert await told == [list(range(it + 1, 31)) for it in reached]


async def _numbers(watch: Watch, last: int) -> list[int]:
    return [number for commit in await watch.sequences(last) for number in commit]


async def test_a_page_that_ends_inside_a_commit_does_not_split_it(carol: Participant, writer: FeedWriter) -> None:
    """MP-12, EV-02: stored and live, also one that is larger than a page."""
    for size in (2, 2, 7, 1):
        await writer.commits(changes=size)
    expected = [[1, 2], [3, 4], [*range(5, 12)], [12]]
    async with watching(carol) as watch:
        assert await watch.sequences(12) == expected
        for size in (2, 2, 7, 1):
            await writer.commits(changes=size)
        assert await watch.sequences(24) == [[number + 12 for number in commit] for commit in expected]


async def test_two_processes_hear_of_each_others_commits(
    server: BoundServer, make_settings: MakeSettings, alice: Participant, tenant: str
) -> None:
    """SB-07: by NOTIFY, for neither polls in this time; cursors are the workspace's and good at both."""
    async with (
        running(make_settings(apps=(), watch_poll="10min")) as replica,
        participant(replica.address, user(tenant, "alice"), "main") as elsewhere,
        watching(elsewhere) as far,
    ):
        await far.mark()
        artifact_id = await alice.has_file("One.")
        assert (await far.change()).artifact_created.artifact_id == artifact_id
        async with watching(alice, far.cursor) as near:
            await near.mark()
            await alice.edits(artifact_id, 1, append("x"))
            assert (await near.change()).change_sequence == (await far.change()).change_sequence == 2


async def test_a_notification_that_is_lost_costs_at_most_the_poll(
    make_settings: MakeSettings, files_urls: DatabaseUrls, tenant: str
) -> None:
    """SB-07: the writer announces where nobody listens."""
    async with (
        running(make_settings(apps=(), watch_poll="100ms", watch_progress="10min")) as polling,
        participant(polling.address, user(tenant, "alice"), "main") as alice,
        feed_writer(files_urls.service, tenant, channel="elsewhere") as mute,
        watching(alice) as first,
        watching(alice) as second,
    ):
        await first.mark()
        await second.mark()
        for number in range(1, 4):
            await mute.commits()
            assert (await first.change()).change_sequence == (await second.change()).change_sequence == number


async def test_marks_tell_that_nothing_happens(carol: Participant, writer: FeedWriter) -> None:
    """SB-02: each says that everything up to its cursor was sent."""
    head = await writer.commits(2)
    async with watching(carol) as watch:
        await watch.sequences(head)
        assert [(await watch.mark()).sequence for _ in range(3)] == [head] * 3


@pytest.mark.parametrize("fault", ["past the head", "another history"])
async def test_a_watch_from_a_position_that_the_feed_does_not_have_is_reset(
    carol: Participant, writer: FeedWriter, fault: str
) -> None:
    """SB-05, MP-22: the refusal names the epoch that holds; others who watch are not disturbed."""
    await writer.commits(2)
    async with watching(carol) as undisturbed:
        await undisturbed.sequences(2)
        head = await undisturbed.mark()
        wrong = names_pb2.Cursor(epoch=head.epoch, sequence=3)
        if fault == "another history":
            wrong = names_pb2.Cursor(epoch=str(uuid4()), sequence=2)
        async with watching(carol, wrong) as watch:
            refusal = await watch.refusal()
            assert (refusal.reason, refusal.metadata["epoch"]) == ("CURSOR_RESET", head.epoch)
        await writer.commits()
        assert await undisturbed.sequences(3) == [[3]]


async def test_a_history_that_is_replaced_under_a_watch_resets_it(carol: Participant, writer: FeedWriter) -> None:
    """MP-22: whoever watches the new one is served, also while others still learn that theirs is gone."""
    head = await writer.commits(2)
    async with watching(carol) as first, watching(carol) as second:
        for watch in (first, second):
            await watch.sequences(head)
            await watch.mark()
        async with writer.unit.begin(writer.scope) as work:
            own = (workspaces.c.tenant == writer.scope.tenant) & (workspaces.c.workspace == writer.scope.workspace)
            await work.connection.execute(update(workspaces).where(own).values(epoch=str(uuid4())))
        await writer.commits()
        async with watching(carol) as new:
            assert await new.sequences(3) == [[1], [2], [3]]
            for watch in (first, second):
                assert (await watch.refusal()).reason == "CURSOR_RESET"
            await writer.commits()
            assert await new.sequences(4) == [[4]]


async def test_a_server_that_drains_ends_its_watches(
    make_settings: MakeSettings, writer: FeedWriter, tenant: str
) -> None:
    """SB-02: with SHUTTING_DOWN, and the watch goes on from its cursor elsewhere."""
    async with AsyncExitStack() as stack:
        draining = await stack.enter_async_context(running(make_settings(apps=())))
        async with participant(draining.address, user(tenant, "alice"), "main") as alice, watching(alice) as watch:
            await watch.mark()
            await stack.aclose()
            assert (await watch.refusal()).reason == "SHUTTING_DOWN"
    async with (
        running(make_settings(apps=())) as other,
        participant(other.address, user(tenant, "alice"), "main") as alice,
        watching(alice, watch.cursor) as resumed,
    ):
        await writer.commits()
        assert (await resumed.change()).change_sequence == 1
