"""Blobs: whose they are, what they are, and the cache of pages."""

import hashlib
from collections.abc import Callable
from datetime import timedelta

import obstore
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.server import BoundServer
from lattice_files.adapters.blob_store import key_of, open_blob_store
from lattice_files.domain.workspaces import WorkspaceKey
from service.files.blob_rows import BlobRows
from service.files.blob_stores import stored_digests
from service.files.people import Participant, document, participant, refused, user

DAY = timedelta(hours=24)
"""The grace of the session's server."""


async def renders(person: Participant, artifact_id: str, long_side: int = 200) -> bytes:
    request = native_pb.RenderPageRequest(name=person.name(artifact_id), page=1, long_side=long_side)
    return (await person.native.RenderPage(request)).png


async def test_a_file_is_stored_as_it_came_with_its_words_and_its_review(
    alice: Participant, blobs_url: str, stored: Callable[[], frozenset[str]]
) -> None:
    """B-01, B-02, B-04: three blobs, each named by the SHA-256 of what it holds."""
    content = document("One.", "Two.")
    await alice.uploads(content)
    made = [content, b"One.\nTwo.", b"[]"]
    assert stored() == {hashlib.sha256(it).hexdigest() for it in made}
    scope, store = WorkspaceKey(tenant=alice.identity.tenant, workspace="main"), open_blob_store(blobs_url)
    for it in made:
        chunks = [chunk async for chunk in store.read(scope, hashlib.sha256(it).hexdigest())]
        assert b"".join(chunks) == it


async def test_equal_content_of_two_workspaces_is_stored_and_collected_apart(
    server: BoundServer, alice: Participant, assistant: Participant, ada: Participant, rows: BlobRows, blobs_url: str
) -> None:
    """B-02, X-08: of one tenant or of two; what one workspace gives up, the others keep."""
    content = document("Shared words.")
    digest = hashlib.sha256(content).hexdigest()
    rows.leave(digest, size=len(content))
    neighbours = []
    for tenant, workspace in ((alice.identity.tenant, "annex"), (f"{alice.identity.tenant}-rival", "main")):
        async with participant(server.address, user(tenant, "alice"), workspace) as other:
            neighbours.append((WorkspaceKey(tenant=tenant, workspace=workspace), await other.uploads(content)))
    assert await ada.collects() == (1, len(content))
    assert rows.states() == {}
    for scope, outcome in neighbours:
        assert digest in stored_digests(blobs_url, scope)
        async with participant(server.address, user(scope.tenant, "alice"), scope.workspace) as other:
            assert (await other.downloads(outcome.applied.artifact_id))[1] == content


async def test_no_call_reads_what_another_tenant_stored(server: BoundServer, alice: Participant) -> None:
    """X-08, TN-01: neither under the name of theirs nor under the same id in one's own; nor what they would collect."""
    artifact_id = await alice.has_file("Secret.")
    stranger = user(f"{alice.identity.tenant}-rival", "ada", role="administrator")
    async with participant(server.address, stranger, "main") as rival:
        own, theirs = rival.name(artifact_id), alice.name(artifact_id)
        for name, reason in ((own, "NOT_FOUND"), (theirs, "FORBIDDEN")):

            async def download(name: str = name) -> None:
                async for _ in rival.native.DownloadFile(native_pb.DownloadFileRequest(name=name)):
                    raise AssertionError("something was read")

            for call in (
                download(),
                rival.native.ReadText(native_pb.ReadTextRequest(name=name)),
                rival.native.ReadReview(native_pb.ReadReviewRequest(name=name)),
                rival.native.RenderPage(native_pb.RenderPageRequest(name=name, page=1)),
            ):
                assert (await refused(call)).reason == reason
        collection = native_pb.CollectBlobsRequest(workspace=alice.scope, dry_run=True)
        assert (await refused(rival.native.CollectBlobs(collection))).reason == "FORBIDDEN"


async def test_a_page_that_nobody_looks_at_goes_and_is_rendered_again_on_demand(
    alice: Participant, ada: Participant, rows: BlobRows, stored: Callable[[], frozenset[str]]
) -> None:
    """B-05, F-13, B-01: the row of the cache goes with its image, in the same commit."""
    artifact_id = await alice.has_file("One.")
    image = await renders(alice, artifact_id)
    digest = hashlib.sha256(image).hexdigest()
    assert rows.images() == {digest}
    rows.age(DAY)
    assert await ada.collects() == (1, len(image))
    assert digest not in stored()
    assert not rows.images()
    assert await renders(alice, artifact_id) == image
    assert digest in stored()
    assert rows.images() == {digest}


async def test_a_page_that_is_looked_at_stays_and_that_is_noted_once_an_hour(
    alice: Participant, ada: Participant, rows: BlobRows
) -> None:
    """B-05: reading does not write every time."""
    artifact_id = await alice.has_file("One.")
    image = await renders(alice, artifact_id)
    digest = hashlib.sha256(image).hexdigest()
    rows.age(timedelta(minutes=59))
    before = rows.touched()[digest]
    await renders(alice, artifact_id)
    assert rows.touched()[digest] == before
    rows.age(DAY)
    await renders(alice, artifact_id)
    assert rows.touched()[digest] - before > timedelta(minutes=58)
    assert await ada.collects() == (0, 0)
    assert await renders(alice, artifact_id) == image


async def test_a_page_whose_image_is_lost_is_rendered_again(alice: Participant, blobs_url: str) -> None:
    """B-01: it is a cache; nobody is refused for what can be made again."""
    artifact_id = await alice.has_file("One.")
    image = await renders(alice, artifact_id)
    scope = WorkspaceKey(tenant=alice.identity.tenant, workspace="main")
    key = key_of(scope, hashlib.sha256(image).hexdigest())
    await obstore.delete_async(open_blob_store(blobs_url)._store, key)
    assert await renders(alice, artifact_id) == image
    assert await renders(alice, artifact_id) == image


async def test_content_that_a_withdrawn_proposal_named_first_stays_once_a_revision_names_it(
    alice: Participant, assistant: Participant, ada: Participant, rows: BlobRows
) -> None:
    """B-05, B-07: what counts is whether anything names it now."""
    artifact_id = await alice.has_file("One.")
    await assistant.supersedes(artifact_id)
    rows.age(2 * DAY)
    collectable = await ada.collects(dry_run=True)
    await assistant.edits(artifact_id, 1, ("append_paragraph", {"text": "Draft."}))
    count, _ = await ada.collects()
    assert collectable[0] == 3
    assert count < 3
    assert await alice.reads(artifact_id) == "One.\nDraft."
