"""Switching an integration."""

import asyncio
import uuid
from datetime import UTC, datetime, timedelta

import grpc
import pytest
from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice.integrations.v1 import integrations_service_pb2_grpc as pb_grpc
from lattice.type.v1 import actor_pb2, errors_pb2
from lattice_chassis.identity import development_metadata
from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from psycopg2.errors import InsufficientPrivilege
from service.integrations.people import SKETCH, WORDCRAFT, Person, person, refused, somebody
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"


async def test_only_an_administrator_switches(alice: Person) -> None:
    """I-06."""
    refusal = await refused(alice.switches(WORDCRAFT, on=False, expected=0))
    assert (refusal.reason, refusal.metadata) == ("FORBIDDEN", {})
    assert (await alice.asks()).enabled is True
    assert await alice.history() == []


async def test_permission_is_checked_before_existence_and_revision(alice: Person) -> None:
    """I-06, I-17: a request that is wrong in every way tells an editor nothing about the registry."""
    assert (await refused(alice.switches("files:nosuch", on=False, expected=7))).reason == "FORBIDDEN"


async def test_an_unknown_key_is_an_error_on_set(admin: Person) -> None:
    """I-17."""
    refusal = await refused(admin.switches("files:nosuch", on=True, expected=0))
    assert (refusal.reason, refusal.metadata) == ("UNKNOWN_INTEGRATION", {"key": "files:nosuch"})
    assert await admin.history() == []


async def test_a_change_says_who_when_from_to_and_why(admin: Person) -> None:
    """I-19, AC-01, AC-03."""
    before = datetime.now(UTC)
    switch = await admin.switches(WORDCRAFT, on=False, expected=0, reason="audit week")
    (change,) = await admin.history()
    assert switch == pb.Switch(key=WORDCRAFT, enabled=False, source=pb.SWITCH_SOURCE_SETTING, revision=1)
    assert change.actor == actor_pb2.Actor(user=actor_pb2.UserActor(id="ada", name="Ada"))
    assert (change.revision, change.key, change.reason) == (1, WORDCRAFT, "audit week")
    assert (change.enabled_before, change.source_before, change.enabled) == (True, pb.SWITCH_SOURCE_DEFAULT, False)
    # The database's clock is this machine's, read some time during the call.
    at = change.change_time.ToDatetime(tzinfo=UTC)
    assert before - timedelta(seconds=1) <= at <= datetime.now(UTC) + timedelta(seconds=1)


async def test_a_change_keeps_the_trace_it_was_made_in(admin: Person, server: BoundServer) -> None:
    """I-19, TR-02: that of the call, which a client of any make began."""
    request = pb.SetEnabledRequest(
        workspace=admin.workspace, key=WORDCRAFT, enabled=False, expected_revision=0, request_id=str(uuid.uuid4())
    )
    async with grpc.aio.insecure_channel(server.address) as channel:
        metadata = (*development_metadata(admin.identity), ("traceparent", f"00-{TRACE_ID}-b7ad6b7169203331-01"))
        await pb_grpc.IntegrationsServiceStub(channel).SetEnabled(request, metadata=metadata)
    (change,) = await admin.history()
    assert change.traceparent.split("-")[:2] == ["00", TRACE_ID]


async def test_what_is_set_already_appends_nothing(admin: Person) -> None:
    """I-19."""
    first = await admin.switches(WORDCRAFT, on=False, expected=0)
    again = await admin.switches(WORDCRAFT, on=False, expected=1)
    assert again == first
    assert len(await admin.history()) == 1


async def test_confirming_a_default_sets_it(admin: Person) -> None:
    """I-19: from then on it no longer follows the deployment's default."""
    switch = await admin.switches(WORDCRAFT, on=True, expected=0)
    assert (switch.enabled, switch.source, switch.revision) == (True, pb.SWITCH_SOURCE_SETTING, 1)


async def test_a_change_based_on_another_revision_is_refused(admin: Person) -> None:
    """RJ-03: even if it would set what is set, as its author decided on something it had not seen."""
    await admin.switches(SKETCH, on=True, expected=0)
    await admin.switches(WORDCRAFT, on=False, expected=0)
    for on in (True, False):
        refusal = await refused(admin.switches(WORDCRAFT, on=on, expected=1))
        assert refusal.reason == "VERSION_CONFLICT"
        assert refusal.metadata == {"id": WORDCRAFT, "base": "1", "head": "2"}
        assert list(refusal.details) == [errors_pb2.VersionConflict(id=WORDCRAFT, base=1, head=2)]
    assert [change.revision for change in await admin.history()] == [2, 1]


async def test_of_two_administrators_who_race_one_is_told_of_the_other(
    admin: Person, server: BoundServer, tenant: str
) -> None:
    """SG-01: both decided on the same revision; neither overwrites the other unseen."""
    async with person(server.address, tenant, "grace", role="administrator") as grace:
        for base in range(20):
            outcomes = await asyncio.gather(
                *(
                    who.switches(WORDCRAFT, on=base % 2 == 1, expected=base, reason=who.identity.actor.user.id)
                    for who in (admin, grace)
                ),
                return_exceptions=True,
            )
            assert sum(isinstance(outcome, pb.Switch) for outcome in outcomes) == 1
            loser = next(outcome for outcome in outcomes if isinstance(outcome, BaseException))
            assert (await refused(_raising(loser))).metadata == {
                "id": WORDCRAFT,
                "base": str(base),
                "head": str(base + 1),
            }
    assert [change.revision for change in await admin.history()] == list(range(20, 0, -1))


async def test_changes_of_all_switches_are_numbered_without_gaps(admin: Person) -> None:
    """SG-03: refusals in between, and many at once, leave none."""
    await asyncio.gather(
        admin.toggles(15, WORDCRAFT),
        admin.toggles(15, SKETCH),
        *(refused(admin.switches("files:nosuch", on=True, expected=0)) for _ in range(15)),
    )
    changes = await admin.history()
    assert [change.revision for change in changes] == list(range(30, 0, -1))
    for key in (WORDCRAFT, SKETCH):
        own = [change for change in reversed(changes) if change.key == key]
        assert [change.enabled_before for change in own[1:]] == [change.enabled for change in own[:-1]]


async def test_a_repeat_is_answered_as_the_first_was(admin: Person) -> None:
    """ID-03: even after the switch moved on and the expected revision is long past."""
    request_id = str(uuid.uuid4())
    first = await admin.switches(WORDCRAFT, on=False, expected=0, request_id=request_id)
    await admin.switches(WORDCRAFT, on=True, expected=1)
    assert await admin.switches(WORDCRAFT, on=False, expected=0, request_id=request_id) == first
    assert (await admin.asks()).enabled is True
    assert len(await admin.history()) == 2


async def test_a_repeat_is_answered_before_the_rules_are_asked(admin: Person, server: BoundServer, tenant: str) -> None:
    """ID-03: the answer to what was done does not depend on who may do it now."""
    request_id = str(uuid.uuid4())
    first = await admin.switches(WORDCRAFT, on=False, expected=0, request_id=request_id)
    async with person(server.address, tenant, "ada", role="editor") as demoted:
        assert await demoted.switches(WORDCRAFT, on=False, expected=0, request_id=request_id) == first
        assert (await refused(demoted.switches(WORDCRAFT, on=True, expected=1))).reason == "FORBIDDEN"


async def test_repeats_at_once_are_one_request(admin: Person) -> None:
    """ID-03."""
    request_id = str(uuid.uuid4())
    answers = await asyncio.gather(
        *(admin.switches(WORDCRAFT, on=False, expected=0, request_id=request_id) for _ in range(8))
    )
    assert all(answer == answers[0] for answer in answers)
    assert len(await admin.history()) == 1


async def test_another_body_under_the_same_id_is_refused(admin: Person) -> None:
    """ID-03."""
    request_id = str(uuid.uuid4())
    await admin.switches(WORDCRAFT, on=False, expected=0, request_id=request_id)
    refusal = await refused(admin.switches(WORDCRAFT, on=True, expected=1, request_id=request_id))
    assert (refusal.reason, refusal.metadata) == ("IDEMPOTENCY_MISMATCH", {"request_id": request_id})
    assert (await admin.asks()).enabled is False


async def test_a_refusal_is_decided_anew(admin: Person) -> None:
    """ID-03: only successes are remembered."""
    request_id = str(uuid.uuid4())
    assert (await refused(admin.switches(SKETCH, on=True, expected=1, request_id=request_id))).metadata["head"] == "0"
    await admin.switches(SKETCH, on=False, expected=0)
    assert (await admin.switches(SKETCH, on=True, expected=1, request_id=request_id)).revision == 2


async def test_a_request_id_belongs_to_its_participant(admin: Person, server: BoundServer, tenant: str) -> None:
    """ID-03, AC-02: nobody reads another's answer by guessing an id."""
    request_id = str(uuid.uuid4())
    await admin.switches(WORDCRAFT, on=False, expected=0, request_id=request_id)
    namesake = actor_pb2.Actor(external_agent=actor_pb2.ExternalAgentActor(client_id="ada"))
    for other in (actor_pb2.Actor(user=actor_pb2.UserActor(id="grace")), namesake):
        async with somebody(server.address, tenant, other, role="administrator") as they:
            call = they.switches(WORDCRAFT, on=False, expected=0, request_id=request_id)
            assert (await refused(call)).reason == "VERSION_CONFLICT"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("request_id", "not-a-uuid"),
        ("request_id", ""),
        ("reason", "x" * 1001),
        ("reason", "a\0b"),
        ("key", ""),
        ("workspace", "workspaces/main"),
        ("workspace", "tenants/acme/workspaces/a\0b"),
        ("enabled", None),
        ("expected_revision", None),
    ],
)
async def test_a_field_that_does_not_fit_is_named(admin: Person, field: str, value: str | None) -> None:
    """CM-01: and nothing is changed."""
    request = pb.SetEnabledRequest(
        workspace=admin.workspace, key=WORDCRAFT, enabled=False, expected_revision=0, request_id=str(uuid.uuid4())
    )
    if value is None:
        request.ClearField(field)  # type: ignore[arg-type]  # one of the two that tell present from unset
    else:
        setattr(request, field, value)
    refusal = await refused(_set(admin, request))
    assert refusal.reason == "VALIDATION_FAILED"
    (detail,) = refusal.details
    assert [violation.field for violation in detail.field_violations] == [field]  # type: ignore[attr-defined]
    assert await admin.history() == []


async def test_a_reason_may_have_a_thousand_characters(admin: Person) -> None:
    """I-19: characters, not bytes."""
    reason = "ж" * 1000
    await admin.switches(WORDCRAFT, on=False, expected=0, reason=reason)
    assert (await admin.history())[0].reason == reason


async def test_the_service_cannot_rewrite_its_record(
    integrations_urls: DatabaseUrls, admin: Person, tenant: str
) -> None:
    """I-19, CM-03: who switched what stays on record, whatever the service's code does."""
    await admin.switches(WORDCRAFT, on=False, expected=0)
    async with open_database(integrations_urls.service, application="test") as database:
        for statement in ("UPDATE switch_changes SET reason = 'other'", "DELETE FROM switch_changes"):
            with pytest.raises(ProgrammingError) as refused_by_database:
                async with database.transaction(tenant) as connection:
                    await connection.execute(text(statement))
            assert isinstance(refused_by_database.value.orig, InsufficientPrivilege)


async def _raising(error: BaseException) -> None:
    raise error


async def _set(who: Person, request: pb.SetEnabledRequest) -> pb.SetEnabledResponse:
    return await who.service.SetEnabled(request)
