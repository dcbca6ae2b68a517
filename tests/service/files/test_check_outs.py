"""Check-outs: who may write, until when, and what keeps everybody else out."""

from datetime import timedelta

from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.type.v1 import errors_pb2
from lattice_chassis.server import BoundServer
from service.files.people import (
    Participant,
    append,
    detail,
    document,
    new_request_id,
    participant,
    refused,
    user,
)


async def test_a_check_out_lends_the_current_version_and_appends_nothing(alice: Participant, bob: Participant) -> None:
    """F-02, N-19, EV-06, AMB-25, L-06, L-07: all see who and until when, nobody the token."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    assert (lent.name, lent.token, lent.base_version) == (alice.name(artifact_id), 1, 1)
    seen = (await bob.lease_of(artifact_id)).lease
    assert (seen.kind, seen.holder, seen.expire_time) == (errors_pb2.LEASE_KIND_CHECKOUT, alice.actor, lent.expire_time)
    lasting = seen.expire_time.ToDatetime() - seen.acquire_time.ToDatetime()
    assert lasting == timedelta(minutes=30)
    assert len(await alice.feed()) == 1


async def test_a_file_that_is_checked_out_is_busy_for_everybody_and_the_counter_stays(
    alice: Participant, bob: Participant
) -> None:
    """N-22, AMB-13, AMB-17, MP-03, R-13: the refusal names holder, kind and end; no token is used up."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    for person in (bob, alice):
        refusal = await refused(person.checks_out(artifact_id))
        assert refusal.reason == "ARTIFACT_BUSY"
        busy = detail(refusal, errors_pb2.ArtifactBusy)
        assert (busy.artifact_id, busy.lease_kind) == (artifact_id, errors_pb2.LEASE_KIND_CHECKOUT)
        assert (busy.holder, busy.expire_time) == (alice.actor, lent.expire_time)
    assert (await alice.lease_of(artifact_id)).token_counter == 1


async def test_a_repeated_check_out_is_answered_with_the_same_one(alice: Participant) -> None:
    """AMB-13, ID-03."""
    artifact_id = await alice.has_file("One.")
    request_id = new_request_id()
    lent = await alice.checks_out(artifact_id, request_id)
    assert await alice.checks_out(artifact_id, request_id) == lent
    other = await alice.has_file("Two.")
    assert (await refused(alice.checks_out(other, request_id))).reason == "IDEMPOTENCY_MISMATCH"


async def test_only_people_who_may_write_check_out(
    alice: Participant, assistant: Participant, viewer: Participant
) -> None:
    """AMB-12, WP-03: and after the refusal there is no lease and never was one."""
    artifact_id = await alice.has_file("One.")
    for other in (assistant, viewer):
        assert (await refused(other.checks_out(artifact_id))).reason == "FORBIDDEN"
    lease = await alice.lease_of(artifact_id)
    assert (lease.HasField("lease"), lease.token_counter) == (False, 0)


async def test_what_is_not_there_cannot_be_checked_out(alice: Participant) -> None:
    """WP-03: an unknown artifact is not gated and goes on to the rules."""
    refusal = await refused(alice.checks_out("none"))
    assert (refusal.reason, refusal.metadata["entity"], refusal.metadata["id"]) == ("NOT_FOUND", "artifact", "none")


async def test_while_a_file_is_checked_out_its_check_in_is_the_only_write(
    alice: Participant, assistant: Participant
) -> None:
    """L-08, R-12, N-24: the holder's own edit, an agent's, and one that would become a proposal."""
    artifact_id = await alice.has_file("One.")
    await alice.checks_out(artifact_id)
    for writer, must_propose in ((alice, False), (assistant, False), (assistant, True)):
        refusal = await refused(writer.edits(artifact_id, 1, append("Two."), must_propose=must_propose))
        assert refusal.reason == "ARTIFACT_BUSY"
        assert detail(refusal, errors_pb2.ArtifactBusy).lease_kind == errors_pb2.LEASE_KIND_CHECKOUT
    assert await alice.pending_proposals() == []
    assert (await alice.lease_of(artifact_id)).token_counter == 1


async def test_an_extension_moves_the_end_and_needs_the_token(alice: Participant, bob: Participant) -> None:
    """F-03, L-04."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    request_id = new_request_id()
    extended = await alice.extends(lent, request_id)
    assert extended.token == lent.token
    assert extended.expire_time.ToDatetime() > lent.expire_time.ToDatetime()
    assert await alice.extends(lent, request_id) == extended
    assert (await refused(bob.extends(lent))).reason == "ARTIFACT_BUSY"
    await alice.releases(artifact_id)
    assert (await refused(alice.extends(lent))).reason == "LEASE_EXPIRED"


async def test_a_release_frees_the_file_and_repeating_it_is_harmless(alice: Participant, bob: Participant) -> None:
    """F-06, F-18, L-04: by another it is a no-op; the next token is higher."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    assert not await bob.releases(artifact_id, lent.token)
    assert not await alice.releases(artifact_id, lent.token + 1)
    assert await alice.releases(artifact_id, lent.token)
    assert not await alice.releases(artifact_id)
    assert (await bob.checks_out(artifact_id)).token == lent.token + 1
    assert (await refused(alice.checks_in(lent, document("Two.")))).reason == "ARTIFACT_BUSY"


async def test_live_check_outs_are_listed_oldest_first(alice: Participant, bob: Participant) -> None:
    """F-18: in pages; what was released is gone."""
    names = [await alice.has_file(f"{number}") for number in range(4)]
    for person, artifact_id in zip((alice, bob, alice, bob), names, strict=True):
        await person.checks_out(artifact_id)
    await bob.releases(names[1])
    request = native_pb.ListCheckOutsRequest(workspace=alice.scope, page_size=2)
    page = await alice.native.ListCheckOuts(request)
    assert [it.name for it in page.leases] == [alice.name(names[0]), alice.name(names[2])]
    request.page_token = page.next_page_token
    rest = await alice.native.ListCheckOuts(request)
    assert ([it.name for it in rest.leases], rest.next_page_token) == ([alice.name(names[3])], "")
    assert rest.leases[0].holder == bob.actor


async def test_a_lease_is_told_of_native_files_in_reach_only(server: BoundServer, alice: Participant) -> None:
    """L-07, TN-03: another workspace has another file."""
    artifact_id = await alice.has_file("One.")
    await alice.checks_out(artifact_id)
    async with participant(server.address, user(alice.identity.tenant, "alice"), "elsewhere") as elsewhere:
        assert (await refused(elsewhere.lease_of(artifact_id))).reason == "NOT_FOUND"
        listed = await elsewhere.native.ListCheckOuts(native_pb.ListCheckOutsRequest(workspace=elsewhere.scope))
        assert list(listed.leases) == []
