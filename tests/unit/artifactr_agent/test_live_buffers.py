"""The rings of live frames: what a watcher gets, whenever it comes and however slow it is."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest
from artifactr.agent import live
from artifactr.agent.live import LiveBuffers, until
from artifactr.core.actors import WorkspaceKey
from artifactr.core.frames import Frame, RunKey, TextDelta
from hypothesis import given
from hypothesis import strategies as st

HERE = WorkspaceKey(tenant="acme", workspace="main")
RUN = RunKey(workspace=HERE, run_id="run_1")
KEPT = 4


def words(first: int, after: int) -> list[Frame]:
    return [TextDelta(str(number)) for number in range(first, after)]


@pytest.fixture
def buffers() -> LiveBuffers:
    """Rings of four frames, in one of which a run has begun."""
    made = LiveBuffers(kept=KEPT)
    made.begin(RUN)
    return made


def put(buffers: LiveBuffers, frames: list[Frame]) -> None:
    for frame in frames:
        buffers.put(RUN, frame)


async def read(watch: AsyncGenerator[Frame, None], count: int) -> list[Frame]:
    return [await anext(watch) for _ in range(count)]


async def rest(watch: AsyncGenerator[Frame, None]) -> list[Frame]:
    return [frame async for frame in watch]


async def test_who_comes_in_the_middle_gets_what_there_was_and_then_the_rest(buffers: LiveBuffers) -> None:
    """LO-02."""
    put(buffers, words(0, 3))
    async with aclosing(buffers.watch(RUN)) as watch:
        assert await read(watch, 3) == words(0, 3)
        waiting = asyncio.ensure_future(anext(watch))
        await asyncio.sleep(0)
        put(buffers, words(3, 4))
        assert [await waiting] == words(3, 4)
        put(buffers, words(4, 6))
        buffers.end(RUN)
        assert await rest(watch) == words(4, 6)


async def test_a_slow_watcher_loses_its_oldest_frames_and_slows_nobody_down(buffers: LiveBuffers) -> None:
    """LO-02: the fast one beside it gets all, and both get the end."""
    async with aclosing(buffers.watch(RUN)) as slow, aclosing(buffers.watch(RUN)) as fast:
        put(buffers, words(0, 1))
        assert await read(slow, 1) == words(0, 1)
        seen = await read(fast, 1)
        for number in range(1, 10):
            put(buffers, words(number, number + 1))
            seen += await read(fast, 1)
        buffers.end(RUN)
        assert seen == words(0, 10)
        assert await rest(slow) == words(10 - KEPT, 10)
        assert await rest(fast) == []


async def test_as_many_frames_are_kept_as_are_promised() -> None:
    """LO-02."""
    buffers = LiveBuffers()
    buffers.begin(RUN)
    put(buffers, words(0, 2_000))
    watch = buffers.watch(RUN)
    first = await anext(watch)
    buffers.end(RUN)
    assert [first, *await rest(watch)] == words(2_000 - 1_024, 2_000)


async def test_watching_a_run_that_ended_ends_at_once(buffers: LiveBuffers) -> None:
    """LO-02: what it produced is the log's to tell; a frame that comes too late is left out."""
    put(buffers, words(0, 2))
    buffers.end(RUN)
    put(buffers, words(2, 3))
    assert await rest(buffers.watch(RUN)) == []


async def test_ten_thousand_ended_runs_are_remembered_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """LO-02: a watch of one that is forgotten waits, as for a run that may still begin here."""
    assert live.ENDED_RUNS == 10_000
    monkeypatch.setattr(live, "ENDED_RUNS", 2)
    buffers = LiveBuffers()
    runs = [RunKey(workspace=HERE, run_id=f"run_{number}") for number in range(3)]
    for run in runs:
        buffers.begin(run)
        buffers.end(run)
    assert [await rest(buffers.watch(run)) for run in runs[1:]] == [[], []]
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await rest(buffers.watch(runs[0]))


async def test_runs_are_kept_apart_by_their_workspaces_too(buffers: LiveBuffers) -> None:
    """LO-01, TN-03: though their ids agree."""
    theirs = RunKey(workspace=WorkspaceKey(tenant="other", workspace="main"), run_id=RUN.run_id)
    buffers.begin(theirs)
    put(buffers, words(0, 2))
    buffers.put(theirs, TextDelta("theirs"))
    watch = buffers.watch(theirs)
    assert await anext(watch) == TextDelta("theirs")
    buffers.end(theirs)
    assert await rest(watch) == []


async def test_who_watches_over_a_pause_gets_each_frame_once(buffers: LiveBuffers) -> None:
    """LO-05: and who comes after it gets what came since."""
    put(buffers, words(0, 2))
    async with aclosing(buffers.watch(RUN)) as watch:
        seen = await read(watch, 1)
        buffers.pause(RUN)
        put(buffers, [TextDelta("nobody runs")])
        buffers.begin(RUN)
        put(buffers, words(2, 4))
        later = buffers.watch(RUN)
        fresh = await read(later, 1)
        buffers.end(RUN)
        assert seen + await rest(watch) == words(0, 4)
        assert fresh + await rest(later) == words(2, 4)


async def test_nothing_is_kept_of_a_paused_run_that_nobody_watches(buffers: LiveBuffers) -> None:
    """PA-02, LO-05: not even the words of a watcher that has left."""
    put(buffers, words(0, 2))
    async with aclosing(buffers.watch(RUN)) as watch:
        await anext(watch)
        buffers.pause(RUN)
    assert not buffers._rings


async def test_long_frames_push_out_as_many_as_they_take_room_for(
    buffers: LiveBuffers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LO-02: the memory of a run is bounded, and what no message could carry is left out."""
    monkeypatch.setattr(live, "KEPT_CHARACTERS", 10)
    monkeypatch.setattr(live, "LONGEST_FRAME", 8)
    put(buffers, [TextDelta("12345"), TextDelta("123456789"), TextDelta("678"), TextDelta("90abc")])
    watch = buffers.watch(RUN)
    first = await anext(watch)
    buffers.end(RUN)
    assert [first, *await rest(watch)] == [TextDelta("678"), TextDelta("90abc")]


async def test_what_was_there_by_the_time_it_is_over_is_still_told(buffers: LiveBuffers) -> None:
    """LO-02: the end of a watch cuts nothing off; what ends it with an error says so."""
    over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    put(buffers, words(0, 3))
    over.set_result(None)
    assert await rest(until(over, buffers.watch(RUN))) == words(0, 3)
    failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    failed.set_exception(LookupError("gone"))
    with pytest.raises(LookupError):
        await rest(until(failed, buffers.watch(RUN)))


Step = tuple[str, int]
steps = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(1, KEPT + 2)),
        st.tuples(st.just("attach"), st.just(0)),
        st.tuples(st.just("read"), st.integers(0, 5)),
        st.tuples(st.just("leave"), st.integers(0, 5)),
        st.tuples(st.just("pause"), st.just(0)),
    ),
    max_size=40,
)


@given(steps)
def test_whatever_happens_a_watcher_gets_the_newest_frames_in_order_and_none_twice(plan: list[Step]) -> None:
    """LO-01, LO-02: at the end it has, without a gap, at least the newest that were kept since it came."""
    asyncio.run(_follow(plan))


async def _follow(plan: list[Step]) -> None:
    buffers = LiveBuffers(kept=KEPT)
    buffers.begin(RUN)
    produced, segment = 0, 0
    watches: list[tuple[AsyncGenerator[Frame, None], int, list[int]]] = []
    for act, number in plan:
        if act == "put":
            put(buffers, words(produced, produced + number))
            produced += number
        elif act == "attach":
            watch = buffers.watch(RUN)
            if produced > segment:  # attached with its first frame; before there is one, with the next
                watches.append((watch, segment, [int(_text(await anext(watch)))]))
        elif act == "pause":
            buffers.pause(RUN)
            buffers.begin(RUN)
            segment = produced
        elif watches and act == "read":
            watch, _, seen = watches[number % len(watches)]
            if seen[-1] < produced - 1:
                seen.append(int(_text(await anext(watch))))
        elif watches and act == "leave":
            watch, _, _ = watches.pop(number % len(watches))
            await watch.aclose()
    buffers.end(RUN)
    for watch, came_at, seen in watches:
        seen += [int(_text(frame)) for frame in await rest(watch)]
        assert seen == sorted(set(seen))
        assert seen[0] >= came_at
        newest = range(max(came_at, produced - KEPT), produced)
        assert set(newest) <= set(seen)
    assert not buffers._rings


def _text(frame: Frame) -> str:
    assert isinstance(frame, TextDelta)
    return frame.text


async def test_a_run_of_another_tenant_with_the_same_id_is_another_run(buffers: LiveBuffers) -> None:
    """X-08, TN-03, LO-02: who watches it hears nothing of this one, and its end ends nobody else's watch."""
    there = RunKey(workspace=WorkspaceKey(tenant="globex", workspace="main"), run_id=RUN.run_id)
    buffers.begin(there)
    put(buffers, words(0, 2))
    async with aclosing(buffers.watch(there)) as theirs, aclosing(buffers.watch(RUN)) as ours:
        assert await read(ours, 2) == words(0, 2)
        buffers.end(RUN)
        assert [frame async for frame in ours] == []
        buffers.put(there, TextDelta("own"))
        assert await read(theirs, 1) == [TextDelta("own")]
