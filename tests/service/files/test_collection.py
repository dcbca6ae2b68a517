"""Collection: what nothing names goes, all else stays, and writers beside it lose nothing."""

import asyncio
import hashlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import grpc
import psycopg2
import pytest
from lattice_chassis.postgres.embedded import DatabaseUrls, EmbeddedPostgres
from lattice_chassis.server import BoundServer
from lattice_files.adapters.blob_store import ObjectBlobs
from lattice_files.domain.content import Content
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.main import running
from lattice_files.store.blobs import ABANDONED
from service.files.blob_rows import BlobRows
from service.files.conftest import MakeSettings
from service.files.held import held_workspace
from service.files.people import (
    FAKEAPP,
    Administrator,
    Participant,
    append,
    document,
    new_request_id,
    participant,
    refused,
    user,
)
from service.files.program import files_program

pytestmark = pytest.mark.long

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

DAY = timedelta(hours=24)
"""The grace of the session's server."""


@pytest.fixture(scope="module")
async def hasty_server(make_settings: MakeSettings) -> AsyncIterator[BoundServer]:
    """A server with next to no grace, on the same database and blobs."""
    async with running(make_settings(collection_grace="1ms")) as bound:
        yield bound


@pytest.fixture
async def hasty_ada(hasty_server: BoundServer, tenant: str) -> AsyncIterator[Participant]:
    """The same administrator, whose collections keep no grace."""
    async with participant(hasty_server.address, user(tenant, "ada", role="administrator"), "main") as person:
        yield person


async def test_what_a_proposal_named_goes_once_it_is_withdrawn_and_what_others_name_stays(
    alice: Participant, assistant: Participant, hasty_ada: Participant, stored: Callable[[], frozenset[str]]
) -> None:
    """B-05: revisions and pending proposals keep their blobs, in every kind [B-01]."""
    artifact_id = await alice.has_file("One.")
    await assistant.uploads(document("Another."), must_propose=True)
    before = stored()
    proposal_id = await assistant.supersedes(artifact_id)
    after = stored()
    assert len(before) == 5  # the empty review is the same in both
    assert len(after - before) == 6  # two results, each with a text and a review of its own
    count, size = await hasty_ada.collects()
    assert (count, size > 0) == (3, True)
    assert before < stored() < after
    assert len(stored()) == 8
    assert await hasty_ada.collects() == (0, 0)
    await assistant.edits(artifact_id, 1, append("More."), must_propose=True, base_proposal=proposal_id)
    assert await alice.reads(artifact_id) == "One."


async def test_every_revision_keeps_its_blobs_as_long_as_there_is_history(
    alice: Participant, hasty_ada: Participant, rows: BlobRows, stored: Callable[[], frozenset[str]]
) -> None:
    """B-07, B-04, N-43: bytes, words and review of each version."""
    artifact_id = await alice.has_file("One.")
    for version in (1, 2, 3):
        await alice.edits(artifact_id, version, append(f"{version}."))
    rows.age(400 * DAY)
    before = stored()
    assert await hasty_ada.collects() == (0, 0)
    assert stored() == before == rows.kept()
    assert [await alice.reads(artifact_id, version) for version in (1, 4)] == ["One.", "One.\n1.\n2.\n3."]


async def test_a_blob_that_nothing_names_stays_for_the_grace(
    alice: Participant, assistant: Participant, ada: Participant, rows: BlobRows
) -> None:
    """B-05, L-06: a day, since the last proposal that named it was answered; whoever reads it can end."""
    artifact_id = await alice.has_file("One.")
    draft = await assistant.edits(artifact_id, 1, append("Draft."), must_propose=True)
    rows.age(30 * DAY)
    assert await ada.collects() == (0, 0)
    proposal_id = draft.outcome.proposed.proposal_id
    await assistant.edits(artifact_id, 1, append("Final."), must_propose=True, base_proposal=proposal_id)
    assert await ada.collects() == (0, 0)
    rows.age(DAY - timedelta(minutes=1))
    assert await ada.collects() == (0, 0)
    rows.age(timedelta(minutes=1))
    assert (await ada.collects())[0] == 3


async def test_a_dry_run_says_what_would_go_and_changes_nothing(
    alice: Participant,
    assistant: Participant,
    hasty_ada: Participant,
    rows: BlobRows,
    stored: Callable[[], frozenset[str]],
) -> None:
    """B-05, B-06: the same figures as the collection that follows, which tells them once."""
    await assistant.supersedes(await alice.has_file("One."))
    before, states, sizes = stored(), rows.states(), rows.sizes()
    told = await hasty_ada.collects(dry_run=True)
    assert (stored(), rows.states()) == (before, states)
    assert await hasty_ada.collects(dry_run=True) == told
    assert await hasty_ada.collects() == told
    gone = before - stored()
    assert told == (len(gone), sum(sizes[it] for it in gone))
    assert set(rows.states()) == stored()
    assert await hasty_ada.collects(dry_run=True) == (0, 0)


async def test_only_administrators_collect(alice: Participant, assistant: Participant, rows: BlobRows) -> None:
    """B-06, SE-01: FORBIDDEN, for a dry run too."""
    await assistant.supersedes(await alice.has_file("One."))
    rows.age(2 * DAY)
    states = rows.states()
    for caller in (alice, assistant):
        for dry_run in (True, False):
            assert (await refused(caller.collects(dry_run=dry_run))).reason == "FORBIDDEN"
    assert rows.states() == states


async def test_collection_goes_on_while_the_app_is_off(
    alice: Participant, assistant: Participant, hasty_ada: Participant, admin: Administrator
) -> None:
    """N-06: it asks no switch."""
    await assistant.supersedes(await alice.has_file("One."))
    await admin.switches(FAKEAPP, on=False)
    assert (await hasty_ada.collects())[0] == 3


async def test_a_workspace_that_nobody_wrote_to_has_nothing_to_collect(ada: Participant) -> None:
    """TN-02, B-06."""
    assert [await ada.collects(dry_run=True), await ada.collects()] == [(0, 0), (0, 0)]


async def test_many_blobs_go_in_one_call_also_those_whose_objects_are_missing(
    hasty_ada: Participant, rows: BlobRows
) -> None:
    """B-06: more than are marked at once; a writer may have failed before it stored its own."""
    rows.leave(*(hashlib.sha256(bytes([it % 256, it // 256])).hexdigest() for it in range(1_203)), size=7)
    assert await hasty_ada.collects() == (1_203, 8_421)
    assert rows.states() == {}


async def test_what_a_failed_commit_left_is_collected(
    alice: Participant,
    make_settings: MakeSettings,
    files_urls: DatabaseUrls,
    hasty_ada: Participant,
    stored: Callable[[], frozenset[str]],
) -> None:
    """B-03, B-05: blobs come before the commit, and without it nothing names them."""
    await alice.has_file("One.")
    before = stored()
    async with (
        running(make_settings(commit="200ms")) as impatient,
        participant(impatient.address, alice.identity, "main") as writer,
    ):
        with held_workspace(files_urls.service, alice.identity.tenant, "main"):
            refusal = await refused(writer.uploads(document("Two.")))
        assert (refusal.reason, refusal.metadata["peer"]) == ("PEER_UNAVAILABLE", "database")
    assert len(stored() - before) == 2
    assert (await hasty_ada.collects())[0] == 2
    assert stored() == before


async def test_an_upload_in_flight_keeps_what_it_stored(
    alice: Participant, ada: Participant, rows: BlobRows, files_urls: DatabaseUrls, eventually: Eventually
) -> None:
    """B-05, B-06: it touched its rows, however old the content is that it stores again."""
    content = document("One.")
    await alice.has_file("Other.")
    rows.leave(hashlib.sha256(content).hexdigest(), size=len(content))
    with held_workspace(files_urls.service, alice.identity.tenant, "main") as held:
        upload = asyncio.ensure_future(alice.uploads(content))
        await eventually(lambda: held.has_waiting(1))
        collection = asyncio.ensure_future(ada.collects())
        await eventually(lambda: held.has_waiting(2))
        held.release()
        outcome, collected = await asyncio.gather(upload, collection)
    assert collected == (0, 0)
    assert (await alice.downloads(outcome.applied.artifact_id))[1] == content


async def test_a_writer_that_took_longer_than_the_grace_is_refused_and_its_repeat_succeeds(
    alice: Participant, files_urls: DatabaseUrls, rows: BlobRows, eventually: Eventually
) -> None:
    """B-06, ID-03: a commit wants its blobs present, or a revision would name what is gone."""
    await alice.has_file("Other.")
    content, request_id = document("One."), new_request_id()
    with held_workspace(files_urls.service, alice.identity.tenant, "main") as held:
        upload = asyncio.ensure_future(alice.uploads(content, request_id=request_id))
        await eventually(lambda: held.has_waiting(1))
        rows.mark(hashlib.sha256(content).hexdigest())
        held.release()
        refusal = await refused(upload)
    assert (refusal.reason, refusal.metadata["peer"]) == ("PEER_UNAVAILABLE", "blobs")
    assert len(await alice.feed()) == 1
    rows.age(ABANDONED)
    outcome = await alice.uploads(content, request_id=request_id)
    assert (await alice.downloads(outcome.applied.artifact_id))[1] == content


async def test_writers_of_content_that_is_being_deleted_end_with_it_present(
    alice: Participant, assistant: Participant, ada: Participant, rows: BlobRows, stored: Callable[[], frozenset[str]]
) -> None:
    """B-06: whichever comes first, again and again; the app opens each result once more."""
    artifact_id = await alice.has_file("One.")
    for number in range(5):
        await assistant.supersedes(artifact_id, f"{number}.")
        rows.age(2 * DAY)
        writing = assistant.edits(artifact_id, 1, append(f"{number}."), must_propose=True)
        _, written = await asyncio.gather(ada.collects(), writing)
        proposal_id = written.outcome.proposed.proposal_id
        await assistant.edits(artifact_id, 1, append("More."), must_propose=True, base_proposal=proposal_id)
    rows.age(2 * DAY)
    await ada.collects()
    assert len(await alice.pending_proposals()) == 10
    assert stored() == set(rows.states())


async def test_two_collections_of_one_workspace_exclude_each_other(
    alice: Participant,
    assistant: Participant,
    ada: Participant,
    hasty_ada: Participant,
    files_urls: DatabaseUrls,
    eventually: Eventually,
) -> None:
    """B-06: INVALID_STATE, in whichever process; a dry run and other workspaces do not wait."""
    await assistant.supersedes(await alice.has_file("One."))
    with held_workspace(files_urls.service, alice.identity.tenant, "main") as held:
        first = asyncio.ensure_future(hasty_ada.collects())
        await eventually(lambda: held.has_waiting(1))
        refusal = await refused(ada.collects())
        assert (refusal.reason, refusal.message) == ("INVALID_STATE", "the workspace is being collected")
        assert (await hasty_ada.collects(dry_run=True))[0] == 3
        held.release()
        assert (await first)[0] == 3
    assert await ada.collects() == (0, 0)


@pytest.mark.parametrize("moment", ["marked", "deleted"])
async def test_what_a_killed_collection_marked_the_next_one_finishes_a_minute_later(
    moment: str,
    *,
    alice: Participant,
    assistant: Participant,
    hasty_ada: Participant,
    make_settings: MakeSettings,
    rows: BlobRows,
    stored: Callable[[], frozenset[str]],
    tmp_path: Path,
) -> None:
    """B-06: not sooner, for the dead one's last request to the store may be on its way still."""
    await assistant.supersedes(await alice.has_file("One."))
    command = (sys.executable, "-m", "service.files.dying_collector", moment)
    async with (
        files_program(make_settings(collection_grace="1ms"), tmp_path, command) as program,
        participant(program.address, hasty_ada.identity, "main") as doomed,
    ):
        with pytest.raises(grpc.aio.AioRpcError):
            await doomed.collects()
    left = [digest for digest, state in rows.states().items() if state == "deleting"]
    assert len(left) == 3
    assert await hasty_ada.collects() == (0, 0)
    rows.age(ABANDONED)
    assert (await hasty_ada.collects())[0] == 3
    assert stored() == set(rows.states())
    assert stored().isdisjoint(left)


async def test_a_writer_need_not_wait_for_a_collection_that_died_a_minute_ago(
    alice: Participant, ada: Participant, rows: BlobRows
) -> None:
    """B-06: there may be no next one for a day; the blob is the writer's, stored again and kept."""
    content = document("One.")
    digest = hashlib.sha256(content).hexdigest()
    rows.leave(digest, size=len(content))
    rows.mark(digest)
    rows.age(ABANDONED)
    outcome = await alice.uploads(content)
    assert rows.states()[digest] == "present"
    assert (await alice.downloads(outcome.applied.artifact_id))[1] == content
    assert await ada.collects() == (0, 0)


async def test_a_collection_that_lost_its_lock_stops_before_it_marks_more(
    assistant: Participant,
    alice: Participant,
    hasty_ada: Participant,
    files_urls: DatabaseUrls,
    postgres: EmbeddedPostgres,
    eventually: Eventually,
) -> None:
    """B-06: another one may have begun; what it marked before is deleted, and a repeat finds nothing left."""
    await assistant.supersedes(await alice.has_file("One."))
    with held_workspace(files_urls.service, alice.identity.tenant, "main") as held:
        first = asyncio.ensure_future(hasty_ada.collects())
        await eventually(lambda: held.has_waiting(1))
        with psycopg2.connect(postgres.admin_dsn) as connection, connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = %s",
                ("lattice files lock",),
            )
        connection.close()
        held.release()
        refusal = await refused(first)
    assert (refusal.reason, refusal.metadata["peer"]) == ("PEER_UNAVAILABLE", "database")
    assert await hasty_ada.collects() == (0, 0)


async def test_a_writer_whose_row_a_collection_took_while_it_put_the_object_stores_it_again(
    alice: Participant,
    rows: BlobRows,
    stored: Callable[[], frozenset[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """B-06: there is no object without a row, and the writer is not told of a peer that was away."""
    put = ObjectBlobs.put
    taken: list[str] = []

    async def put_slowly(blobs: ObjectBlobs, scope: WorkspaceKey, content: Content) -> None:
        if not taken:
            taken.append(content.digest)
            rows.forget(content.digest)
        await put(blobs, scope, content)

    monkeypatch.setattr(ObjectBlobs, "put", put_slowly)
    outcome = await alice.uploads(document("Slowly."))
    assert taken
    assert stored() == set(rows.states()) == rows.kept()
    assert await alice.reads(outcome.applied.artifact_id) == "Slowly."
