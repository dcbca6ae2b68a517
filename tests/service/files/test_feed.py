"""The change feed as it is listed: every change once, in order, whole commits; and the barrier."""

from contextlib import suppress

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from lattice_files.domain.artifacts import Artifact, Revision
from lattice_files.domain.changes import Applied, ArtifactCreated, Decision
from lattice_files.store import commits
from lattice_files.store.commits import Attribution
from service.files.feed_writer import WRITER, feed_writer
from service.files.people import Participant, agent, append, document, participant, refused


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
    """MP-11, MP-12: a page is a little smaller rather than half a commit; a commit larger than it comes alone."""
    artifact_id = await alice.has_file("One.")
    first = (await assistant.edits(artifact_id, 1, append("x"), must_propose=True)).outcome.proposed.proposal_id
    await assistant.edits(artifact_id, 1, append("y"), base_proposal=first)
    page = await listed(alice, None, 3)
    assert [len(it.changes) for it in page.commits] == [1, 1]
    assert (page.cursor.sequence, page.head_sequence) == (2, 4)
    page = await listed(alice, page.cursor, 1)
    assert [len(it.changes) for it in page.commits] == [2]
    assert (page.cursor.sequence, page.head_sequence) == (4, 4)
    page = await listed(alice, None, 1)
    assert [it.changes[0].change_sequence for it in page.commits] == [1]
    rest = await listed(alice, page.cursor, 500)
    assert [it.change_sequence for commit in rest.commits for it in commit.changes] == [2, 3, 4]
    assert list((await listed(alice, rest.cursor, 500)).commits) == []


async def test_a_change_and_its_row_are_stored_together_or_not_at_all(
    files_urls: DatabaseUrls, alice: Participant, tenant: str
) -> None:
    """MP-10, SG-03: a transaction that ends after the row was written leaves neither, and no gap."""
    async with feed_writer(files_urls.service, tenant) as writer:
        for ends_well in (False, True):
            with suppress(ConnectionAbortedError):
                async with writer.unit.begin(writer.scope) as work:
                    artifact = Artifact(
                        id="plan_1", kind="plan", version=1, data={}, updated_by=WRITER, update_time=work.now
                    )
                    decision = Decision(
                        result=Applied(artifact_id="plan_1", version=1),
                        events=(ArtifactCreated(artifact_id="plan_1", kind="plan", data={}),),
                        revision=Revision(artifact=artifact, summary="made"),
                    )
                    outcome = await commits.save(work, decision, Attribution(actor=WRITER))
                    assert outcome.change_sequence == 1
                    if not ends_well:
                        raise ConnectionAbortedError
            request = artifacts_pb.GetArtifactRequest(name=alice.name("plan_1"))
            if ends_well:
                assert (await alice.artifacts.GetArtifact(request)).artifact.version == 1
                assert [it.change_sequence for it in await alice.feed()] == [1]
            else:
                assert (await refused(alice.artifacts.GetArtifact(request))).reason == "NOT_FOUND"
                assert await alice.feed() == []


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
