"""Each replica of each service is restarted in turn, as a roll-out does it, and nobody notices."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest
from faults.rolling.replicas import BETWEEN_RESTARTS, Replicas, replicas
from faults.rolling.traffic import Traffic, Watched
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice_cli.connection import Connection, Person, connect
from lattice_cli.suite import SERVICES
from service.agent.agent_people import person
from service.files.people import Participant, append, document, participant, user

pytestmark = pytest.mark.timeout(300)
"""Programs are started and stopped a dozen times."""

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

TENANT = "acme"
WRITERS = ("ann", "ben", "cal")


@pytest.fixture(scope="module")
async def twice() -> AsyncIterator[Replicas]:
    """Two replicas of each service; they take seconds to start."""
    folder = Path(tempfile.mkdtemp(prefix="lattice-rolling-"))
    try:
        async with replicas(folder) as running:
            yield running
    finally:
        shutil.rmtree(folder)


@pytest.fixture
async def bob(twice: Replicas) -> AsyncIterator[Participant]:
    """A person who edits, at any replica."""
    async with participant(twice.addresses.files, user(TENANT, "bob"), "main") as editor:
        yield editor


async def test_under_load_no_call_fails_and_every_watch_tells_everything_once(
    twice: Replicas, bob: Participant, eventually: Eventually
) -> None:
    """RO-02, RO-03, RJ-03, SB-02, RN-20, L-02: nobody repeats a call by hand, and a person's check-out survives."""
    traffic, watched = Traffic(), Watched()
    lent = await bob.checks_out(await bob.has_file("Bob's own."))
    async with AsyncExitStack() as stack:

        async def connected(name: str, *, administrator: bool = False) -> Connection:
            whom = Person(tenant=TENANT, workspace="main", user=name, administrator=administrator)
            return await stack.enter_async_context(connect(twice.addresses, whom))

        ada = await connected("ada", administrator=True)
        work = [traffic.switches(ada, "files:other")]
        for name in WRITERS:
            editor = await stack.enter_async_context(participant(twice.addresses.files, user(TENANT, name), "main"))
            talker = await connected(name)
            work += [traffic.edits(editor), traffic.borrows(editor), traffic.talks(talker, f"thr_{name}")]
        watches = [asyncio.create_task(it) for it in watched.all_of(ada)]
        await watched.begun.wait()
        load = asyncio.gather(*work)
        for service in SERVICES:
            for number in range(2):
                await asyncio.sleep(BETWEEN_RESTARTS)
                assert not load.done(), load.exception()
                assert await twice.restart(service, number) == 0
        await asyncio.sleep(BETWEEN_RESTARTS)
        traffic.over.set()
        await load
        print(f"calls {dict(traffic.calls)}, watches resumed {dict(watched.resumed)}")
        await eventually(lambda: watched.has_all(ada))
        for watch in watches:
            watch.cancel()
        await asyncio.wait(watches)
    assert all(traffic.calls[it] > 0 for it in ("edit", "borrow", "message", "switch"))
    assert set(watched.resumed) == {"SHUTTING_DOWN"}
    assert watched.switches == list(range(1, traffic.calls["switch"] + 1))
    for told in (watched.changes, watched.log):
        assert told == list(range(1, len(told) + 1))
    assert (await bob.checks_in(lent, document("Bob's own, changed."))).applied.version == 2


async def test_a_run_that_outlasts_the_grace_is_stopped_on_record_and_its_thread_goes_on_at_another_replica(
    twice: Replicas, eventually: Eventually
) -> None:
    """RO-03, RN-17, RN-20, HI-03: with its history; whoever writes next does not have to wait for a claim to lapse."""
    async with person(twice.addresses.agent, TENANT, "ann") as ann:
        await ann.creates_thread()
        slow = await ann.sends("think slowly")
        for number in range(2):
            assert await twice.restart("agent", number) == 0
            await asyncio.sleep(BETWEEN_RESTARTS)
        stopped = await ann.run(slow.run_id)
        assert (stopped.status, stopped.failure_reason) == (runs_pb.RUN_STATUS_STOPPED, "shutdown")
        answered = await ann.sends("go on")

        async def has_ended() -> bool:
            run = await ann.run(answered.run_id)
            return run.status == runs_pb.RUN_STATUS_COMPLETED

        await eventually(has_ended)
        said = [it.message_posted.content for it in await ann.reads(last=50) if it.run_id == answered.run_id]
    assert "I remember: ['think slowly', 'go on']" in said


async def test_an_edit_that_outlasts_the_grace_leaves_no_lease(
    twice: Replicas, bob: Participant, eventually: Eventually
) -> None:
    """RO-03, L-02, L-05: the file is free at once, not when the lease would have lapsed; nothing was written."""
    artifact_id = await bob.has_file("Launch.")
    first = twice.running["files"][0].address
    async with participant(first, user(TENANT, "ann"), "main") as ann:
        hanging = asyncio.ensure_future(ann.edits(artifact_id, 1, ("hang", {})))

        async def is_at_it() -> bool:
            return (await bob.lease_of(artifact_id)).HasField("lease")

        await eventually(is_at_it)
        assert await twice.restart("files", 0) == 0
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await hanging
    assert ended.value.code() is grpc.StatusCode.UNAVAILABLE
    assert (await bob.edits(artifact_id, 1, append("In May."))).outcome.applied.version == 2
