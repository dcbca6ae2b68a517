"""Check-outs that an administrator ends."""

from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_files.main import running
from service.files.conftest import MakeSettings
from service.files.people import FAKEAPP, Administrator, Participant, document, new_request_id, participant, refused
from service.files.structured import breaks, creates


async def record(person: Participant, page_size: int = 100) -> list[native_pb.BrokenCheckOut]:
    request = native_pb.ListBrokenCheckOutsRequest(workspace=person.scope, page_size=page_size)
    found: list[native_pb.BrokenCheckOut] = []
    while True:
        page = await person.native.ListBrokenCheckOuts(request)
        found.extend(page.broken_check_outs)
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def test_a_broken_check_out_is_worth_nothing_and_stands_on_record(
    operator: Participant, alice: Participant, bob: Participant
) -> None:
    """F-18, L-01, EV-06: the old token is fenced, nothing is on the feed, and the record says who, whose and why."""
    plan = await alice.has_file("One.")
    lent = await alice.checks_out(plan)
    broken = (await breaks(operator, plan, "she is on holiday")).broken
    assert (broken.holder, broken.base_version) == (alice.actor, 1)
    assert not (await alice.lease_of(plan)).HasField("lease")
    assert (await refused(alice.checks_in(lent, document("Two.")))).reason == "LEASE_EXPIRED"
    assert (await refused(alice.extends(lent))).reason == "LEASE_EXPIRED"
    again = await bob.checks_out(plan)
    assert again.token == lent.token + 1
    assert (await refused(alice.checks_in(lent, document("Two.")))).reason == "ARTIFACT_BUSY"
    assert (await bob.checks_in(again, document("Three."))).applied.version == 2
    assert len(await alice.feed()) == 2
    (entry,) = await record(operator)
    assert (entry.lease, entry.breaker, entry.reason) == (broken, operator.actor, "she is on holiday")
    assert entry.break_time.ToDatetime() >= broken.acquire_time.ToDatetime()


async def test_a_lapsed_check_out_is_broken_too_so_it_is_checked_in_no_more(
    make_settings: MakeSettings, operator: Participant, alice: Participant
) -> None:
    """F-05, F-18."""
    plan = await alice.has_file("One.")
    async with (
        running(make_settings(check_out="1ms")) as hasty,
        participant(hasty.address, alice.identity, alice.workspace) as her,
    ):
        lent = await her.checks_out(plan)
    assert not (await alice.lease_of(plan)).HasField("lease")
    assert (await breaks(operator, plan, "clearing up")).broken.holder == alice.actor
    assert (await refused(alice.checks_in(lent, document("Two.")))).reason == "LEASE_EXPIRED"


async def test_where_nothing_is_checked_out_nothing_is_broken_or_recorded(
    operator: Participant, alice: Participant
) -> None:
    """F-18."""
    plan = await alice.has_file("One.")
    assert not (await breaks(operator, plan, "just to be sure")).HasField("broken")
    assert await record(operator) == []


async def test_administrators_alone_break_check_outs_and_read_the_record(
    operator: Participant, alice: Participant, bob: Participant, assistant: Participant, task: str
) -> None:
    """F-18, SE-02."""
    plan = await alice.has_file("One.")
    await alice.checks_out(plan)
    for person in (alice, bob, assistant):
        assert (await refused(breaks(person, plan, "mine"))).reason == "FORBIDDEN"
        assert (await refused(record(person))).reason == "FORBIDDEN"
    assert (await alice.lease_of(plan)).HasField("lease")
    assert (await refused(breaks(operator, "art_none", "x"))).reason == "NOT_FOUND"
    listed = (await creates(alice, task, {"name": "x"})).applied.artifact_id
    assert (await refused(breaks(operator, listed, "x"))).reason == "INVALID_STATE"
    assert (await refused(breaks(operator, plan, ""))).reason == "VALIDATION_FAILED"
    assert (await refused(breaks(operator, plan, "x" * 1001))).reason == "VALIDATION_FAILED"


async def test_a_break_goes_on_while_the_app_is_off_and_its_repeat_breaks_nobody_elses(
    operator: Participant, alice: Participant, bob: Participant, admin: Administrator
) -> None:
    """I-18, ID-03: none of the five gated writes."""
    plan = await alice.has_file("One.")
    await alice.checks_out(plan)
    await admin.switches(FAKEAPP, on=False)
    request_id = new_request_id()
    first = await breaks(operator, plan, "off", request_id)
    await admin.switches(FAKEAPP, on=True)
    await bob.checks_out(plan)
    assert await breaks(operator, plan, "off", request_id) == first
    assert (await alice.lease_of(plan)).lease.holder == bob.actor


async def test_the_record_is_read_page_by_page(operator: Participant, alice: Participant) -> None:
    """F-18: oldest first."""
    files = [await alice.has_file(word) for word in ("a", "b", "c")]
    for plan in files:
        await alice.checks_out(plan)
        await breaks(operator, plan, "one by one")
    entries = await record(operator, page_size=1)
    assert [it.lease.name for it in entries] == [alice.name(it) for it in files]
