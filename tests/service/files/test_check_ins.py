"""Check-ins: the holder's copy becomes the newest version."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from lattice_chassis.server import BoundServer
from lattice_files.main import running
from service.files.conftest import MakeSettings
from service.files.people import Participant, append, document, new_request_id, participant, refused, user

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


async def test_a_check_in_is_the_next_version_and_ends_the_check_out(alice: Participant, bob: Participant) -> None:
    """F-04, N-20, AMB-26: one commit, attributed to the person, with a summary."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    outcome = await alice.checks_in(lent, document("One.", "Two."))
    assert (outcome.applied.version, outcome.change_sequence) == (2, 2)
    assert await bob.reads(artifact_id) == "One.\nTwo."
    assert not (await bob.lease_of(artifact_id)).HasField("lease")
    revision = (await bob.revisions_of(artifact_id))[-1]
    assert revision.artifact.updated_by == alice.actor
    assert revision.summary == "checked in plan.fake (+8 bytes)"
    assert revision.patch.json_patch
    again = await alice.checks_out(artifact_id)
    named = await alice.checks_in(again, document("Three."), summary="rewrites it")
    assert (again.token, named.applied.version) == (2, 3)
    assert (await bob.revisions_of(artifact_id))[-1].summary == "rewrites it"


async def test_identical_bytes_make_no_version_and_end_the_check_out(alice: Participant) -> None:
    """F-04: there is nothing to commit."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    outcome = await alice.checks_in(lent, document("One."))
    assert (outcome.applied.version, outcome.change_sequence) == (1, 0)
    assert not (await alice.lease_of(artifact_id)).HasField("lease")
    assert len(await alice.feed()) == 1


async def test_a_refused_check_in_leaves_the_check_out(alice: Participant, bob: Participant) -> None:
    """R-11: somebody else's token, a file that a guard refuses, or a broken stream change nothing."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    assert (await refused(bob.checks_in(lent, document("Two.")))).reason == "ARTIFACT_BUSY"
    assert (await refused(alice.checks_in(lent, b"BAD"))).reason == "FILE_REFUSED"
    assert (await refused(alice.checks_in(lent, document("x", fault="crash")))).reason == "APP_CRASHED"
    assert (await alice.lease_of(artifact_id)).lease.holder == alice.actor
    assert (await alice.checks_in(lent, document("Two."))).applied.version == 2


async def test_a_repeated_check_in_is_answered_as_the_first_was(alice: Participant) -> None:
    """ID-03: though its check-out has ended; another content under the same id is refused."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    request_id = new_request_id()
    first = await alice.checks_in(lent, document("Two."), request_id=request_id)
    assert await alice.checks_in(lent, document("Two."), request_id=request_id) == first
    assert len(await alice.revisions_of(artifact_id)) == 2
    other = await refused(alice.checks_in(lent, document("Three."), request_id=request_id))
    assert other.reason == "IDEMPOTENCY_MISMATCH"


async def test_a_released_check_out_cannot_be_checked_in(alice: Participant) -> None:
    """F-05: only one that lapsed and was never released."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    await alice.releases(artifact_id)
    assert (await refused(alice.checks_in(lent, document("Two.")))).reason == "LEASE_EXPIRED"


@pytest.fixture
async def hasty(make_settings: MakeSettings) -> AsyncIterator[BoundServer]:
    """A server on the same database whose check-outs end at once."""
    async with running(make_settings(check_out="1ms", app_slots=1)) as bound:
        yield bound


@pytest.fixture
async def hurried(hasty: BoundServer, tenant: str) -> AsyncIterator[Participant]:
    """Alice, whose check-outs have lapsed by the time she looks."""
    async with participant(hasty.address, user(tenant, "alice"), "main") as person:
        yield person


async def test_a_lapsed_check_out_is_still_checked_in_while_nothing_happened(
    alice: Participant, hurried: Participant, eventually: Eventually
) -> None:
    """F-05, AMB-14, L-03: it takes a new token; extending it is too late."""
    artifact_id = await alice.has_file("One.")
    lent = await hurried.checks_out(artifact_id)

    async def lapsed() -> bool:
        return not (await alice.lease_of(artifact_id)).HasField("lease")

    await eventually(lapsed)
    assert (await refused(alice.extends(lent))).reason == "LEASE_EXPIRED"
    assert (await alice.checks_in(lent, document("Two."))).applied.version == 2
    assert (await alice.lease_of(artifact_id)).token_counter == 2


async def test_a_lapsed_check_out_that_another_writer_followed_is_lost(
    alice: Participant, bob: Participant, hurried: Participant, eventually: Eventually
) -> None:
    """F-05: busy while the other holds the file, expired after any later token."""
    artifact_id = await alice.has_file("One.")
    lent = await hurried.checks_out(artifact_id)

    async def lapsed() -> bool:
        return not (await alice.lease_of(artifact_id)).HasField("lease")

    await eventually(lapsed)
    await bob.checks_out(artifact_id)
    assert (await refused(alice.checks_in(lent, document("Two.")))).reason == "ARTIFACT_BUSY"
    await bob.releases(artifact_id)
    assert (await refused(alice.checks_in(lent, document("Two.")))).reason == "LEASE_EXPIRED"
    await bob.edits(artifact_id, 1, append("Three."))
    assert (await refused(alice.checks_in(lent, document("Two.")))).reason == "LEASE_EXPIRED"
