"""Files' feed on the log: each change exactly once, in order, in whole commits, whatever dies in between."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from artifactr.core.actors import UserActor
from artifactr.core.events import ArtifactChanged, ArtifactCreated, Decision, ProposalResolved
from artifactr.core.rejections import StaleClaim, ValidationFailed
from artifactr.ports import FeedDiverged
from artifactr.workspace import Workspace, Workspaces, open_workspaces
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as pb
from lattice_chassis.channels import channel
from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from lattice_cli.processes import free_address
from service.agent.conftest import CONTRACTS
from service.agent.database_administration import DatabaseAdministration
from service.agent.scripted_files import ALICE, ScriptedFiles, serving_files

CHANGED = pb.ArtifactChanged(artifact_id="plan_1", kind="plan", version=2, summary="x")


async def numbers(workspace: Workspace) -> list[int]:
    """The numbers that files gave to what is on the log, in the log's order."""
    return [entry.change_sequence for entry in await workspace.read() if entry.change_sequence]


async def test_two_replicas_take_each_change_up_once(
    alice: Workspace, bob: Workspace, files: ScriptedFiles, name: str
) -> None:
    """MP-11, X-02: both fetch the same pages, and the row's lock decides."""
    for _ in range(40):
        await files.append(name, CHANGED, CHANGED)
    await asyncio.gather(*(replica.ingest(80) for replica in (alice, bob) for _ in range(4)))
    assert await numbers(alice) == list(range(1, 81))


async def test_whoever_has_committed_waits_for_files_to_be_back(
    agent_urls: DatabaseUrls, files: ScriptedFiles, tenant: str, name: str
) -> None:
    """MP-14, X-03: its change is on the log before its call returns; whoever only reads is told at once."""
    head = await files.append(name, CHANGED)
    address = free_address()
    async with channel(address, CONTRACTS) as away, open_workspaces(agent_urls.service, away) as replica:
        alice = replica.open(tenant, "main", ALICE)
        with pytest.raises(PeerUnavailable):
            await alice.ingest(head)
        waiting = asyncio.create_task(alice.ingest(head, patient=True))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(waiting), 1)  # many a dial later it still waits
        async with serving_files(files, address):
            await waiting
        assert await numbers(alice) == [1]


async def test_what_was_taken_up_is_not_asked_for_again(alice: Workspace, files: ScriptedFiles, name: str) -> None:
    """MP-11, MP-14: a barrier behind the position costs no call."""
    head = await files.append(name, CHANGED)
    await alice.ingest(head)
    listed = files.listed
    await alice.ingest(head)
    assert files.listed == listed
    assert await numbers(alice) == [1]


async def test_a_crash_before_the_commit_loses_and_repeats_nothing(
    alice: Workspace, files: ScriptedFiles, name: str, agent_database: DatabaseAdministration
) -> None:
    """MP-11, SG-02: entries and position roll back together, so the next one begins where the last one stood."""
    await alice.ingest(await files.append(name, CHANGED))
    head = await files.append(name, CHANGED, CHANGED)
    with agent_database.locked("feed_cursors"):  # the changes are fetched and appended, the position is not yet kept
        taking_up = asyncio.create_task(alice.ingest(head))
        await agent_database.cut_off_waiting()
        with pytest.raises(PeerUnavailable):
            await taking_up
    assert await numbers(alice) == [1]
    await alice.ingest(head)
    assert await numbers(alice) == [1, 2, 3]


async def test_a_commit_stays_together_and_keeps_what_files_said(
    alice: Workspace, files: ScriptedFiles, name: str
) -> None:
    """MP-11, MP-12, MP-13, EV-02: the artifact's event stands right before the resolution, with files' time."""
    bob = UserActor(id="bob", name="Bob")
    resolved = pb.ProposalResolved(
        proposal_id="prp_1",
        decision=artifacts_pb.PROPOSAL_DECISION_ACCEPT,
        artifact_id="plan_1",
        version=2,
        changes=artifacts_pb.Patch(json_patch='[{"op":"add","path":"/title"}]'),
    )
    resolved.proposer.user.id = "alice"
    await alice.ingest(await files.append(name, CHANGED, resolved, by=bob, thread_id="thr_1", run_id="run_1"))
    changed, decided = await alice.read()
    assert isinstance(changed.event, ArtifactChanged)
    assert decided.event == ProposalResolved(
        proposal_id="prp_1",
        artifact_id="plan_1",
        decision=Decision.ACCEPT,
        proposer=UserActor(id="alice"),
        changes="add /title",
        version=2,
    )
    assert changed.commit == decided.commit == 1
    assert (decided.actor, decided.thread_id, decided.run_id) == (bob, "thr_1", "run_1")
    commit = files.feeds[name].commits[0]
    assert [entry.entry_id for entry in (changed, decided)] == [change.change_id for change in commit.changes]
    assert changed.time == commit.changes[0].commit_time.ToDatetime(changed.time.tzinfo)


async def test_a_change_that_comes_late_is_numbered_late(alice: Workspace, files: ScriptedFiles, name: str) -> None:
    """MP-17, CN-13: it gets a number above everything recorded before, so a delay never hides it from a note."""
    head = await files.create(name, "plan_1")
    await alice.create_thread("Launch", thread_id="thr_1")
    await alice.ingest(head)
    assert [type(entry.event) for entry in await alice.read()][-1] is ArtifactCreated


async def test_a_long_feed_is_taken_up_page_by_page(alice: Workspace, files: ScriptedFiles, name: str) -> None:
    """MP-11, MP-12: pages are never cut inside a commit."""
    head = 0
    for _ in range(201):
        head = await files.append(name, CHANGED, CHANGED, CHANGED)
    await alice.ingest(head)
    assert await alice.head() == 603


async def test_a_number_that_files_never_gave_out_is_refused(alice: Workspace, files: ScriptedFiles, name: str) -> None:
    """MP-14: a barrier past the feed's head can never be reached, so it is a mistake of the caller."""
    head = await files.append(name, CHANGED)
    with pytest.raises(ValidationFailed):
        await alice.ingest(head + 1)
    assert await numbers(alice) == [1]


async def test_a_feed_of_another_history_stops_the_workspace(alice: Workspace, files: ScriptedFiles, name: str) -> None:
    """MP-22: nothing of it is taken up, and it is no refusal that a client could mistake for its own."""
    await alice.ingest(await files.append(name, CHANGED))
    files.feeds[name].epoch = "restored"
    head = await files.append(name, CHANGED)
    with pytest.raises(FeedDiverged):
        await alice.ingest(head)
    assert await numbers(alice) == [1]


async def test_a_barrier_takes_up_all_that_files_committed(alice: Workspace, files: ScriptedFiles, name: str) -> None:
    """MP-15: what a run missed is complete as of its start."""
    await files.append(name, CHANGED)
    await files.append(name, CHANGED)
    assert await alice.barrier() == 2
    assert await numbers(alice) == [1, 2]


async def test_a_barrier_fences_overtaken_runs_out(alice: Workspace, files: ScriptedFiles, name: str) -> None:
    """MP-21: files learns the newer token before anything is planned, and refuses the older claim from then on."""
    await alice.create_thread("Launch", thread_id="thr_1")
    older = await alice.claim_thread("thr_1", holder="claim_1")
    await alice.release_claim(older)
    newer = await alice.claim_thread("thr_1", holder="claim_2")
    await alice.barrier(newer)
    assert files.feeds[name].fences == {"thr_1": newer.token}
    with pytest.raises(StaleClaim):
        await alice.barrier(older)


@pytest.fixture
async def cut_off(agent_urls: DatabaseUrls, files_server: BoundServer) -> AsyncIterator[Workspaces]:
    """A replica that looks for files where nobody listens."""
    async with (
        channel("127.0.0.1:1", [pb.DESCRIPTOR]) as nowhere,
        open_workspaces(agent_urls.service, nowhere) as opened,
    ):
        yield opened


async def test_without_files_a_barrier_fails_and_the_log_is_read(cut_off: Workspaces, tenant: str) -> None:
    """MP-15, AMB-04: what needs files is refused as unavailable, everything else goes on."""
    alice = cut_off.open(tenant, "main", ALICE)
    await alice.create_thread("Launch", thread_id="thr_1")
    with pytest.raises(PeerUnavailable):
        await alice.barrier()
    assert await alice.head() == 1


async def test_whoever_watches_sees_changes_that_nobody_asked_for(
    alice: Workspace, bob: Workspace, files: ScriptedFiles, name: str
) -> None:
    """MP-16: the feed is followed while somebody watches, in each replica, and still each change is there once."""
    await files.append(name, CHANGED)
    async with aclosing(alice.subscribe(0)) as hers, aclosing(bob.subscribe(0)) as his, asyncio.timeout(30):
        for expected in (1, 2):
            for stream in (hers, his):
                batch = await anext(stream)
                assert [entry.change_sequence for entry in batch] == [expected]
            await files.append(name, CHANGED)


async def test_changes_are_seen_when_the_token_of_the_watch_has_expired(
    alice: Workspace, files: ScriptedFiles, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """MP-16, SE-01: agent's tokens last minutes and whoever watches stays; the next watch begins with another one."""
    feed = files.feeds[name]
    await files.append(name, CHANGED)
    async with aclosing(alice.subscribe(0)) as stream, asyncio.timeout(30):
        await anext(stream)
        async with feed.grown:
            feed.expired = True
            feed.grown.notify_all()
        await files.append(name, CHANGED)
        (entry,) = await anext(stream)
        assert entry.change_sequence == 2
    assert [it for it in caplog.records if it.name == "artifactr.follower"] == []
