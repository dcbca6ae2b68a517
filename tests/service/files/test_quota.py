"""How much of the blob store a tenant may take up."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta

import grpc
import pytest
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.server import BoundServer
from lattice_files.main import MIGRATIONS, running
from service.conftest import UpTo
from service.files.blob_rows import BlobRows, blob_rows
from service.files.conftest import MakeSettings
from service.files.people import Participant, append, document, participant, refused, user
from service.files.structured import creates

Stored = Callable[[], frozenset[str]]

QUOTA = 100_000
FILLER = "f" * 64


@pytest.fixture(scope="module")
async def frugal(make_settings: MakeSettings) -> AsyncIterator[BoundServer]:
    """Files where tenants may have so many bytes."""
    async with running(make_settings(storage_quota=QUOTA, app_slots=1)) as bound:
        yield bound


@pytest.fixture
async def her(frugal: BoundServer, alice: Participant) -> AsyncIterator[Participant]:
    """Alice there; as `alice` she is at a server of the same database without a quota."""
    async with participant(frugal.address, alice.identity, alice.workspace) as person:
        yield person


def fill(rows: BlobRows, *, room: int = 0) -> None:
    """Let something that nothing names take up all but so many bytes of the quota."""
    rows.leave(FILLER, size=QUOTA - rows.used() - room)


async def size_of(person: Participant, rows: BlobRows, paragraph: str) -> int:
    """What a file with this paragraph takes up with all that is derived from it; it is stored from now on."""
    before = rows.used()
    await person.has_file(paragraph)
    return rows.used() - before


async def test_a_file_for_which_there_is_no_room_is_refused_before_anything_of_it_is_stored(
    her: Participant, rows: BlobRows, stored: Stored
) -> None:
    """SE-06, B-03, RJ-03: QUOTA_EXCEEDED names the quota, and neither row nor blob nor change is left."""
    await her.has_file("One.")
    objects, feed = stored(), await her.feed()
    fill(rows)
    before = rows.sizes()
    refusal = await refused(her.uploads(document("Two.")))
    assert (refusal.reason, refusal.status) == ("QUOTA_EXCEEDED", grpc.StatusCode.RESOURCE_EXHAUSTED)
    assert refusal.metadata == {"quota": "storage", "limit": str(QUOTA)}
    assert (rows.sizes(), stored(), await her.feed()) == (before, objects, feed)


async def test_what_an_app_derives_takes_up_room_too(her: Participant, rows: BlobRows, stored: Stored) -> None:
    """SE-06, B-01: the file alone would fit, with its text it does not; what was announced of it is taken back."""
    fill(rows, room=len(document("One.")))
    before = rows.sizes()
    assert (await refused(her.has_file("One."))).reason == "QUOTA_EXCEEDED"
    assert (rows.sizes(), stored()) == (before, frozenset())


async def test_a_file_that_fits_to_the_byte_is_taken(her: Participant, rows: BlobRows) -> None:
    """SE-06."""
    await her.has_file("Page 0")
    fill(rows, room=await size_of(her, rows, "Page 1"))
    await her.has_file("Page 2")
    assert rows.used() == sum(rows.sizes().values()) == QUOTA


async def test_content_that_the_workspace_has_takes_up_no_room(her: Participant, rows: BlobRows) -> None:
    """SE-06, B-02: over its quota, a tenant may still store what it has."""
    await her.has_file("One.")
    rows.leave(FILLER, size=2 * QUOTA)
    await her.has_file("One.")


async def test_without_room_a_check_in_is_refused_and_the_check_out_stays(
    her: Participant, alice: Participant, rows: BlobRows
) -> None:
    """SE-06, F-04: it is checked in once there is room, and given back at any time."""
    plan = await her.has_file("One.")
    fill(rows)
    lent = await her.checks_out(plan)
    assert (await refused(her.checks_in(lent, document("Two.")))).reason == "QUOTA_EXCEEDED"
    assert (await her.lease_of(plan)).lease.base_version == 1
    assert (await alice.checks_in(lent, document("Two."))).applied.version == 2


async def test_without_room_an_edit_is_refused_and_holds_nothing(her: Participant, rows: BlobRows) -> None:
    """SE-06, R-11."""
    plan = await her.has_file("One.")
    fill(rows)
    before = rows.sizes()
    assert (await refused(her.edits(plan, 1, append("Two.")))).reason == "QUOTA_EXCEEDED"
    assert not (await her.lease_of(plan)).HasField("lease")
    assert ((await her.sees(plan)).version, rows.sizes()) == (1, before)


async def test_without_room_everything_is_read_and_structured_artifacts_are_written(
    her: Participant, task: str, rows: BlobRows
) -> None:
    """SE-06, F-13: a page is rendered each time, and not kept."""
    plan = await her.has_file("One.")
    fill(rows)
    assert await her.reads(plan) == "One."
    await her.downloads(plan)
    await creates(her, task, {"name": "Plan"})
    page = native_pb.RenderPageRequest(name=her.name(plan), page=1)
    assert (await her.native.RenderPage(page)).png == (await her.native.RenderPage(page)).png
    assert rows.images() == frozenset()


async def test_a_tenant_has_one_quota_for_all_its_workspaces_and_none_of_anothers(
    frugal: BoundServer, her: Participant, tenant: str, rows: BlobRows
) -> None:
    """SE-06, TN-01."""
    fill(rows)
    async with (
        participant(frugal.address, user(f"{tenant}-other", "zoe"), "main") as neighbour,
        participant(frugal.address, her.identity, "second") as elsewhere,
    ):
        await neighbour.has_file("One.")
        assert (await refused(elsewhere.has_file("One."))).reason == "QUOTA_EXCEEDED"


async def test_collection_gives_room_back(frugal: BoundServer, her: Participant, tenant: str, rows: BlobRows) -> None:
    """SE-06, B-05: what nothing names takes up room until it is collected."""
    await her.has_file("One.")
    used = rows.used()
    fill(rows)
    assert (await refused(her.has_file("Two."))).reason == "QUOTA_EXCEEDED"
    async with participant(frugal.address, user(tenant, "ada", role="administrator"), "main") as ada:
        assert await ada.collects() == (1, QUOTA - used)
    assert rows.used() == used
    await her.has_file("Two.")


async def test_of_many_uploads_at_once_those_are_taken_that_fit(her: Participant, rows: BlobRows) -> None:
    """SE-06: in one workspace not a byte more than the quota is stored, and what is refused leaves nothing."""
    await her.has_file("Page 0")
    fill(rows, room=2 * await size_of(her, rows, "Page 1"))
    uploads = (her.has_file(f"Page {it}") for it in range(2, 8))
    answers = await asyncio.gather(*uploads, return_exceptions=True)
    assert len([it for it in answers if isinstance(it, str)]) == 2
    assert rows.used() == sum(rows.sizes().values()) == QUOTA


async def test_the_count_is_the_sum_of_what_there_is(alice: Participant, ada: Participant, rows: BlobRows) -> None:
    """SE-06: after a version, a refusal, a page and a collection, and without a quota, too."""
    plan = await alice.has_file("One.")
    await alice.edits(plan, 1, append("Two."))
    await refused(alice.edits(plan, 1, append("Three.")))
    await alice.native.RenderPage(native_pb.RenderPageRequest(name=alice.name(plan), page=1))
    (image,) = rows.images()
    size = rows.sizes()[image]
    rows.age(timedelta(days=2))
    assert await ada.collects() == (1, size)
    assert rows.used() == sum(rows.sizes().values()) > 0


async def test_what_was_stored_before_there_was_a_count_is_counted(before_revision: UpTo) -> None:
    """SE-06, TN-06: by the migration, for tenants that row-level security keeps apart."""
    async with before_revision(MIGRATIONS, "0003") as older:
        for tenant, size in (("acme", 70), ("other", 9)):
            with blob_rows(older.urls.service, tenant) as rows:
                rows.leave("0" * 64, "1" * 64, size=size)
        await older.is_brought_up_to_date()
        for tenant, size in (("acme", 70), ("other", 9)):
            with blob_rows(older.urls.service, tenant) as rows:
                assert rows.used() == 2 * size
