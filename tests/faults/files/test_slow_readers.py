"""Readers of a watch that are slower than the writers: cut off, resumed, and never a burden on the server."""

import resource
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_files.domain.rejections import SlowConsumer
from lattice_files.service.feed import Feed, WatchLimits
from lattice_files.store.feed import FeedCommit
from service.files.conftest import MakeSettings
from service.files.feed_writer import FeedWriter, feed_writer
from service.files.people import participant, user
from service.files.program import files_program
from service.files.watches import watching

LARGE = "x" * 100_000
"""More than a message should be, so each commit comes alone."""


@pytest.fixture
async def writer(files_urls: DatabaseUrls, tenant: str) -> AsyncIterator[FeedWriter]:
    """A process that commits, and in which the feed can be watched without a server."""
    async with feed_writer(files_urls.service, tenant) as found:
        yield found


async def test_a_reader_that_had_caught_up_and_falls_too_far_behind_is_cut_off(writer: FeedWriter) -> None:
    """SB-08: not one that is still sent what was stored; cut off, it goes on from its cursor."""
    feed = Feed(writer.unit, WatchLimits(page=2, backlog=4), lambda commit: commit.end)
    await writer.commits(10)
    watch = feed.watch(writer.scope, None, from_head=False)
    stored = [await anext(watch) for _ in range(6)]
    assert [number for batch in stored for number in batch.commits] == list(range(1, 11))
    mark = stored[-1]
    assert list(mark.commits) == []
    await writer.commits(4)
    kept_up = await anext(watch)
    assert kept_up.commits
    await writer.commits(5)
    with pytest.raises(SlowConsumer) as cut_off:
        await anext(watch)
    assert cut_off.value.waiting == 7
    resumed = feed.watch(writer.scope, kept_up.cursor, from_head=False)
    told: list[int] = []
    while not told or told[-1] < 19:
        told += (await anext(resumed)).commits
    assert told == list(range(kept_up.cursor.sequence + 1, 20))
    await resumed.aclose()


async def test_a_commit_is_read_once_for_all_who_watch_it(writer: FeedWriter) -> None:
    """SB-07: however many watch a workspace, they share what comes, and the last one ends the sharing."""
    translated: list[int] = []

    def translate(commit: FeedCommit) -> int:
        translated.append(commit.end)
        return commit.end

    feed = Feed(writer.unit, WatchLimits(), translate)
    await writer.commits()
    async with AsyncExitStack() as stack:
        watches = [feed.watch(writer.scope, None, from_head=True) for _ in range(50)]
        for watch in watches:
            stack.push_async_callback(watch.aclose)
            await anext(watch)
        for number in range(2, 5):
            await writer.commits()
            assert [list((await anext(watch)).commits) for watch in watches] == [[number]] * 50
        assert translated == [2, 3, 4]
    later = feed.watch(writer.scope, None, from_head=False)
    assert list((await anext(later)).commits) == [1, 2, 3, 4]
    await later.aclose()


async def test_readers_that_read_no_more_neither_fill_the_server_nor_stay(
    make_settings: MakeSettings,
    writer: FeedWriter,
    tenant: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SB-08: a message each at the most; once they read again they learn that they were cut off, and can resume."""
    stalled, readers = 1.0, 20
    monkeypatch.setenv("LATTICE_FILES_STALLED", f"{stalled}s")
    monkeypatch.setenv("LATTICE_FILES_WATCH_PROGRESS", f"{stalled}s")
    async with (
        files_program(make_settings(apps=()), tmp_path) as program,
        participant(program.address, user(tenant, "alice"), "main") as alice,
        AsyncExitStack() as stack,
    ):
        watches = [await stack.enter_async_context(watching(alice)) for _ in range(readers)]
        for watch in watches:
            await watch.mark()
        head = await writer.commits(20, text=LARGE)
        before = _resident(program.service.pid)

        async def neglected(at_least: int = 0) -> int:
            """Written to, and read by nobody, for longer than a reader may leave a message; the head afterwards."""
            began, written = time.monotonic(), 0
            while time.monotonic() < began + 3 * stalled or written < at_least:
                written = await writer.commits(20, text=LARGE)
            return written

        head = await neglected(at_least=250)
        grown = _resident(program.service.pid) - before
        assert grown < readers * len(LARGE) * 4, f"grown by {grown} bytes with {head} commits"
        for watch in watches:
            while (refusal := await watch.refusal_or_mark()) is None:
                await neglected()  # a server with too much to do had not come to wait for this one yet
            assert refusal.reason == "SLOW_CONSUMER"
        position = watches[0].cursor
        assert position is not None
        async with watching(alice, position) as resumed:
            next_one = position.sequence + 1
            assert await resumed.sequences(next_one + 1) == [[next_one], [next_one + 1]]


def _resident(pid: int) -> int:
    """The bytes of memory that a process has."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize()
