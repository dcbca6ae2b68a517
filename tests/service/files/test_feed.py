"""The change feed: every change once, in order, whole commits, resumable; and the barrier."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias

import grpc
import pytest
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.errors import refusal_of
from lattice_chassis.server import BoundServer
from service.files.people import Participant, agent, append, document, participant, refused

WATCH_DEADLINE = 60.0

WatchCall: TypeAlias = "grpc.aio.UnaryStreamCall[changes_pb.WatchChangesRequest, changes_pb.WatchChangesResponse]"


class Watch:
    """A running watch, read one message at a time."""

    def __init__(self, call: WatchCall) -> None:
        self._call = call

    async def read(self) -> changes_pb.WatchChangesResponse:
        async with asyncio.timeout(WATCH_DEADLINE):
            message = await self._call.read()
        assert isinstance(message, changes_pb.WatchChangesResponse), "a watch never ends in peace"
        return message

    async def commit(self) -> changes_pb.WatchChangesResponse:
        """The next commit; marks are passed over."""
        while not (message := await self.read()).HasField("commit"):
            pass
        return message


@asynccontextmanager
async def watching(
    person: Participant, *, cursor: names_pb2.Cursor | None = None, from_head: bool = False
) -> AsyncIterator[Watch]:
    request = changes_pb.WatchChangesRequest(workspace=person.scope, cursor=cursor, from_head=from_head)
    call = person.changes.WatchChanges(request)
    try:
        yield Watch(call)
    finally:
        call.cancel()


async def listed(person: Participant, cursor: names_pb2.Cursor | None, size: int) -> changes_pb.ListChangesResponse:
    request = changes_pb.ListChangesRequest(workspace=person.scope, cursor=cursor, page_size=size)
    return await person.changes.ListChanges(request)


async def test_each_change_has_the_next_number_and_an_id_of_its_own(alice: Participant, assistant: Participant) -> None:
    """MP-10, SG-03, MP-13: gap-free from 1, with author and time."""
    artifact_id = await alice.has_file("One.")
    for version in range(1, 4):
        await assistant.edits(artifact_id, version, append("x"))
    changes = await alice.feed()
    assert [it.change_sequence for it in changes] == [1, 2, 3, 4]
    assert len({it.change_id for it in changes}) == 4
    created = changes[0].artifact_created
    assert (created.artifact_id, created.kind, created.version) == (artifact_id, "native_fake", 1)
    assert created.data_json == (await alice.revisions_of(artifact_id))[0].artifact.data_json
    times = [it.commit_time.ToNanoseconds() for it in changes]
    assert times == sorted(times)


async def test_a_list_goes_on_from_its_cursor_and_never_splits_a_commit(
    alice: Participant, assistant: Participant
) -> None:
    """MP-11, MP-12: a page is a little larger rather than half a commit."""
    artifact_id = await alice.has_file("One.")
    first = (await assistant.edits(artifact_id, 1, append("x"), must_propose=True)).outcome.proposed.proposal_id
    await assistant.edits(artifact_id, 1, append("y"), base_proposal=first)
    page = await listed(alice, None, 3)
    assert [len(it.changes) for it in page.commits] == [1, 1, 2]
    assert (page.cursor.sequence, page.head_sequence) == (4, 4)
    page = await listed(alice, None, 1)
    assert [it.changes[0].change_sequence for it in page.commits] == [1]
    rest = await listed(alice, page.cursor, 500)
    assert [it.change_sequence for commit in rest.commits for it in commit.changes] == [2, 3, 4]
    assert list((await listed(alice, rest.cursor, 500)).commits) == []


async def test_a_watch_has_no_seam_between_what_is_stored_and_what_comes(alice: Participant) -> None:
    """SB-02, SB-07: stored commits, a mark, live ones; resumed it misses and repeats nothing."""
    artifact_id = await alice.has_file("One.")
    async with watching(alice) as watch:
        stored = await watch.read()
        assert [it.change_sequence for it in stored.commit.changes] == [1]
        mark = await watch.read()
        assert (mark.HasField("commit"), mark.cursor.sequence) == (False, 1)
        await alice.edits(artifact_id, 1, append("x"))
        live = await watch.commit()
        assert live.commit.changes[0].artifact_changed.version == 2
    await alice.edits(artifact_id, 2, append("y"))
    async with watching(alice, cursor=live.cursor) as resumed:
        assert (await resumed.commit()).commit.changes[0].artifact_changed.version == 3


async def test_a_watch_from_the_head_tells_only_what_comes(alice: Participant) -> None:
    """SB-04: also in a workspace that nobody wrote to yet."""
    async with watching(alice, from_head=True) as fresh:
        assert (await fresh.read()).cursor.sequence == 0
        artifact_id = await alice.has_file("One.")
        assert (await fresh.commit()).commit.changes[0].artifact_created.artifact_id == artifact_id
    async with watching(alice, from_head=True) as watch:
        mark = await watch.read()
        assert (mark.HasField("commit"), mark.cursor.sequence) == (False, 1)
        await alice.edits(artifact_id, 1, append("x"))
        assert (await watch.commit()).commit.changes[0].change_sequence == 2
    both = changes_pb.WatchChangesRequest(workspace=alice.scope, from_head=True, cursor=mark.cursor)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await alice.changes.WatchChanges(both).read()
    refusal = refusal_of(caught.value)
    assert refusal is not None
    assert refusal.reason == "VALIDATION_FAILED"


async def test_a_position_that_the_feed_does_not_have_is_reset(alice: Participant) -> None:
    """SB-05, MP-22: past the head, or of another epoch; before the first change any is right."""
    await alice.has_file("One.")
    head = (await listed(alice, None, 500)).cursor
    past = names_pb2.Cursor(epoch=head.epoch, sequence=2)
    other = names_pb2.Cursor(epoch="5e0d7c2e-8b1f-4a57-9a3e-0a8f5f1c2d3e", sequence=1)
    for cursor in (past, other):
        refusal = await refused(listed(alice, cursor, 500))
        assert (refusal.reason, refusal.metadata["epoch"]) == ("CURSOR_RESET", head.epoch)
    assert len((await listed(alice, names_pb2.Cursor(epoch="new"), 500)).commits) == 1


async def test_behind_a_raised_fence_no_overtaken_writer_commits(
    server: BoundServer, assistant: Participant, alice: Participant, tenant: str
) -> None:
    """MP-15, MP-21, MP-19: the barrier's head is the last that the lower token did; the refused edit holds nothing."""
    artifact_id = await alice.has_file("One.")
    await assistant.edits(artifact_id, 1, append("x"), fence=("thr_1", 3))
    async with participant(server.address, agent(tenant, "thr_1", "run_2"), "main") as successor:
        request = changes_pb.EstablishBarrierRequest(
            workspace=successor.scope, fence=names_pb2.Fence(scope="thr_1", token=4)
        )
        head = (await successor.changes.EstablishBarrier(request)).head
        assert head.sequence == 2
        assert (await successor.changes.EstablishBarrier(request)).head == head
        for write in (
            assistant.edits(artifact_id, 2, append("late"), fence=("thr_1", 3)),
            assistant.uploads(document("late"), fence=("thr_1", 3)),
        ):
            refusal = await refused(write)
            assert (refusal.reason, refusal.metadata["scope"]) == ("STALE_CLAIM", "thr_1")
        assert not (await alice.lease_of(artifact_id)).HasField("lease")
        assert (await listed(alice, head, 500)).head_sequence == 2
        edited = await successor.edits(artifact_id, 2, append("y"), fence=("thr_1", 4))
        assert edited.outcome.applied.version == 3
        request.fence.token = 3
        assert (await refused(successor.changes.EstablishBarrier(request))).reason == "STALE_CLAIM"


async def test_a_write_raises_its_own_fence(assistant: Participant, alice: Participant) -> None:
    """MP-21: files keeps the greatest token it saw in the scope."""
    artifact_id = await alice.has_file("One.")
    await assistant.edits(artifact_id, 1, append("x"), fence=("thr_1", 7))
    assert (await refused(assistant.edits(artifact_id, 2, append("y"), fence=("thr_1", 6)))).reason == "STALE_CLAIM"


async def test_nobody_raises_the_fence_of_a_thread_that_is_not_its_own(
    alice: Participant, assistant: Participant
) -> None:
    """MP-21, MP-32: it would shut that thread's agent out."""
    fence = names_pb2.Fence(scope="thr_2", token=9)
    for caller in (alice, assistant):
        request = changes_pb.EstablishBarrierRequest(workspace=caller.scope, fence=fence)
        assert (await refused(caller.changes.EstablishBarrier(request))).reason == "FORBIDDEN"


async def test_a_barrier_without_a_fence_answers_the_head(alice: Participant) -> None:
    """MP-15, TN-02: also of a workspace that nobody wrote to."""
    request = changes_pb.EstablishBarrierRequest(workspace=alice.scope)
    assert (await alice.changes.EstablishBarrier(request)).head.sequence == 0
    await alice.has_file("One.")
    assert (await alice.changes.EstablishBarrier(request)).head.sequence == 1
