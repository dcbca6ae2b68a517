"""The unified log: gap-free under writers, windows, and streams without a seam."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import grpc
import pytest
from artifactr.core.actors import UserActor, WorkspaceKey
from artifactr.core.events import Batch, Envelope, MessagePosted, ThreadCreated
from artifactr.core.rejections import ValidationFailed
from artifactr.store import log
from artifactr.workspace import Workspace, Workspaces, open_workspaces
from lattice.files.v1 import changes_service_pb2 as pb
from lattice_chassis.postgres.embedded import DatabaseUrls
from service.agent.scripted_files import ALICE, ScriptedFiles
from sqlalchemy.ext.asyncio import AsyncConnection


async def entries(batches: AsyncIterator[Batch], count: int) -> list[Envelope]:
    """The first so many entries of a stream."""
    found: list[Envelope] = []
    async with asyncio.timeout(30):
        async for batch in batches:
            found += batch
            if len(found) >= count:
                break
    return found


async def test_the_log_has_no_gap_whoever_writes_at_once(
    alice: Workspace, bob: Workspace, files: ScriptedFiles, name: str
) -> None:
    """EV-01, X-01: writers of two replicas and two ingesting replicas yield 1, 2, 3, … in one order for all."""
    await alice.create_thread("Launch", thread_id="thr_1")
    changes = [await files.create(name, f"plan_{number}") for number in range(10)]
    await asyncio.gather(
        *(writer.post_message("thr_1", f"message {number}") for number in range(10) for writer in (alice, bob)),
        *(reader.ingest(change) for change in changes for reader in (alice, bob)),
    )
    seen_by_alice, seen_by_bob = await alice.read(), await bob.read()
    assert [entry.log_sequence for entry in seen_by_alice] == list(range(1, 32))
    assert seen_by_alice == seen_by_bob


async def test_a_stream_has_no_seam_between_stored_and_live(alice: Workspace, bob: Workspace) -> None:
    """SB-02: entries appended before, while and after a subscription begins arrive once each, in order."""
    await alice.create_thread("Launch", thread_id="thr_1")

    async def write(writer: Workspace) -> None:
        for number in range(15):
            await writer.post_message("thr_1", f"{number}")

    writing = asyncio.gather(write(alice), write(bob))
    streams = [entries(reader.subscribe(0), 31) for reader in (alice, bob, alice)]
    seen = await asyncio.gather(*streams)
    await writing
    assert [[entry.log_sequence for entry in stream] for stream in seen] == [list(range(1, 32))] * 3


async def test_a_stream_goes_on_from_a_position(alice: Workspace) -> None:
    """SB-04: whoever reconnects resumes from what it saw."""
    await alice.create_thread("Launch", thread_id="thr_1")
    for number in range(5):
        await alice.post_message("thr_1", f"{number}")
    assert [entry.log_sequence for entry in await entries(alice.subscribe(4), 2)] == [5, 6]


async def test_quiet_streams_leave_the_reading_to_one_poll(
    agent_urls: DatabaseUrls, files_channel: grpc.aio.Channel, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SB-07: they read again where the head of their workspace has moved, and not as often as they are polled for."""
    reads = 0
    read = log.commits_after

    async def counted(connection: AsyncConnection, key: WorkspaceKey, after: int) -> Batch:
        nonlocal reads
        reads += 1
        return await read(connection, key, after)

    monkeypatch.setattr(log, "commits_after", counted)
    async with open_workspaces(agent_urls.service, files_channel, poll=timedelta(milliseconds=20)) as replica:
        alice = replica.open(tenant, "main", ALICE)
        streams = [asyncio.create_task(entries(alice.subscribe(0), 1)) for _ in range(5)]
        await asyncio.sleep(1)
        quiet = reads
        await alice.create_thread("Launch", thread_id="thr_1")
        assert [len(seen) for seen in await asyncio.gather(*streams)] == [1] * 5
    assert quiet <= 4 * len(streams)  # each at first, at the first look and once the listener is connected


async def test_a_batch_never_ends_inside_a_commit(alice: Workspace, files: ScriptedFiles, name: str) -> None:
    """MP-12, CN-10: pages are cut between commits, however long the log."""
    changed = [pb.ArtifactChanged(artifact_id="plan_1", kind="plan", version=2, summary="x")] * 3
    head = 0
    for _ in range(200):
        head = await files.append(name, *changed)
    await alice.ingest(head)
    sizes = []
    async with asyncio.timeout(30):
        async for batch in alice.subscribe(0):
            assert batch[0].commit == batch[0].log_sequence
            assert len(batch) % 3 == 0
            sizes.append(len(batch))
            if sum(sizes) == 600:
                break
    assert len(sizes) > 1


async def test_a_window_is_the_first_or_the_last_that_match(alice: Workspace) -> None:
    """SB-01: after < seq < before, oldest first in either case."""
    await alice.create_thread("Launch", thread_id="thr_1")
    for number in range(8):
        await alice.post_message("thr_1", f"{number}")
    assert [entry.log_sequence for entry in await alice.read(after=2, before=7, limit=3)] == [3, 4, 5]
    assert [entry.log_sequence for entry in await alice.read(after=2, before=7, last=3)] == [4, 5, 6]
    assert [entry.log_sequence for entry in await alice.since(2)] == [3, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    "window", [{"limit": 1, "last": 1}, {"limit": -1}, {"last": -1}, {"after": -1}, {"before": -1}]
)
async def test_a_window_that_makes_no_sense_is_refused(alice: Workspace, window: dict[str, int]) -> None:
    """SB-01."""
    with pytest.raises(ValidationFailed):
        await alice.read(**window)  # type: ignore[arg-type]  # the parameters are integers


async def test_followers_of_a_thread_hear_what_all_threads_share(
    alice: Workspace, files: ScriptedFiles, name: str
) -> None:
    """SB-03: artifacts are everybody's, messages are their thread's."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await alice.create_thread("Press", thread_id="thr_2")
    await alice.post_message("thr_2", "hello")
    await alice.ingest(await files.create(name, "plan_1", thread_id="thr_2"))
    heard = [type(entry.event).__name__ for entry in await alice.read(thread_ids=["thr_1"])]
    assert heard == ["ThreadCreated", "ArtifactCreated"]
    since = await alice.since(0, thread_id="thr_1")
    assert since == await alice.read(thread_ids=["thr_1"])
    assert await alice.since(since[-1].log_sequence - 1, thread_id="thr_1") == since[-1:]


async def test_an_entry_says_who_when_and_where(alice: Workspace) -> None:
    """AC-01, EV-01: actor, thread and time are on the envelope."""
    await alice.create_thread("Launch", thread_id="thr_1")
    await alice.post_message("thr_1", "hello", message_id="msg_1")
    created, posted = await alice.read()
    assert created.event == ThreadCreated(thread_id="thr_1", title="Launch")
    assert posted.event == MessagePosted(thread_id="thr_1", message_id="msg_1", content="hello")
    assert (posted.actor, posted.thread_id, posted.run_id) == (alice.actor, "thr_1", "")
    assert created.time <= posted.time
    assert created.entry_id != posted.entry_id


async def test_tenants_see_nothing_of_each_other(alice: Workspace, workspaces: Workspaces) -> None:
    """TN-03, X-08: the same workspace id of another tenant is another workspace."""
    await alice.create_thread("Launch", thread_id="thr_1")
    stranger = workspaces.open(f"{alice.tenant}-other", "main", UserActor(id="eve"))
    assert await stranger.read() == []
    assert await stranger.threads() == []
    assert await stranger.head() == 0
