"""The gate: five writes refused while the app is off, and everything else going on."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import grpc
import pytest
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from lattice_files.main import running
from lattice_integrations.main import running as running_integrations
from lattice_integrations.settings import IntegrationsSettings
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

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


async def status(person: Participant) -> native_pb.AppStatus:
    answer = await person.native.GetAppStatus(native_pb.GetAppStatusRequest(workspace=person.scope))
    (app,) = answer.apps
    return app


async def test_while_the_app_is_off_the_five_writes_are_refused_and_take_no_lease(
    alice: Participant, assistant: Participant, admin: Administrator
) -> None:
    """N-01, N-02, N-03, N-04, N-09, I-08, I-14: upload, check-out, extension, check-in and edit; the key is named."""
    artifact_id, free = await alice.has_file("One."), await alice.has_file("Two.")
    lent = await alice.checks_out(artifact_id)
    await admin.switches(FAKEAPP, on=False)
    writes = [
        alice.uploads(document("x")),
        alice.checks_out(free),
        alice.extends(lent),
        alice.checks_in(lent, document("x")),
        assistant.edits(free, 1, append("x")),
        assistant.edits(free, 1, append("x"), must_propose=True),
    ]
    for write in writes:
        refusal = await refused(write)
        assert (refusal.reason, refusal.metadata["key"]) == ("NOT_ENABLED", FAKEAPP)
    lease = await alice.lease_of(free)
    assert (lease.HasField("lease"), lease.token_counter) == (False, 0)
    assert len(await alice.feed()) == 2


async def test_while_the_app_is_off_everything_else_goes_on(alice: Participant, admin: Administrator) -> None:
    """N-05, N-08, AMB-05, AMB-15, F-06, F-13: reads, render, commands, and the release of a check-out."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    await admin.switches(FAKEAPP, on=False)
    assert not (await status(alice)).enabled
    assert await alice.reads(artifact_id) == "One."
    assert (await alice.downloads(artifact_id))[1] == document("One.")
    await alice.native.ReadReview(native_pb.ReadReviewRequest(name=alice.name(artifact_id)))
    page = native_pb.RenderPageRequest(name=alice.name(artifact_id), page=1, long_side=100)
    assert (await alice.native.RenderPage(page)).png
    found = await alice.native.FindCommands(native_pb.FindCommandsRequest(workspace=alice.scope, limit=1))
    assert not found.commands[0].enabled
    assert len(await alice.revisions_of(artifact_id)) == 1
    assert await alice.releases(artifact_id, lent.token)


async def test_switched_on_again_before_its_end_the_same_check_out_is_checked_in(
    alice: Participant, admin: Administrator
) -> None:
    """N-12, I-16, I-18: switching revokes no lease and works without a restart."""
    artifact_id = await alice.has_file("One.")
    lent = await alice.checks_out(artifact_id)
    await admin.switches(FAKEAPP, on=False)
    assert (await alice.lease_of(artifact_id)).lease.expire_time == lent.expire_time
    assert (await refused(alice.checks_in(lent, document("Two.")))).reason == "NOT_ENABLED"
    revision = await admin.switches(FAKEAPP, on=True)
    assert (await alice.checks_in(lent, document("Two."))).applied.version == 2
    assert (await alice.revisions_of(artifact_id))[-1].switch_revision == revision


async def test_the_gate_refuses_before_the_callers_rights_are_asked(
    viewer: Participant, alice: Participant, admin: Administrator, server: BoundServer
) -> None:
    """AMB-01, WP-03: a member who may not write reads NOT_ENABLED while it is off; a stranger FORBIDDEN."""
    artifact_id = await alice.has_file("One.")
    assert (await refused(viewer.edits(artifact_id, 1, append("x")))).reason == "FORBIDDEN"
    await admin.switches(FAKEAPP, on=False)
    for write in (viewer.edits(artifact_id, 9, append("x")), viewer.checks_out(artifact_id)):
        assert (await refused(write)).reason == "NOT_ENABLED"
    async with participant(server.address, user("strangers", "sam"), "main") as sam:
        request = native_pb.CheckOutRequest(name=alice.name(artifact_id), request_id=new_request_id())
        assert (await refused(sam.native.CheckOut(request))).reason == "FORBIDDEN"


async def test_a_repeat_is_answered_before_the_gate(alice: Participant, admin: Administrator) -> None:
    """ID-03, WP-03: what was done before the switch is told after it."""
    artifact_id = await alice.has_file("One.")
    request = alice.edit_request(artifact_id, 1, append("Two."))
    first = await alice.native.Edit(request)
    await admin.switches(FAKEAPP, on=False)
    assert await alice.native.Edit(request) == first


async def test_an_edit_whose_app_is_switched_off_meanwhile_is_refused_and_holds_nothing(
    alice: Participant, admin: Administrator, files_urls: DatabaseUrls, tenant: str, eventually: Eventually
) -> None:
    """X-06, I-07, N-04: it asks once more before its commit; what it stored, nothing names."""
    artifact_id = await alice.has_file("One.")
    with held_workspace(files_urls.service, tenant, "main") as held:
        edit = asyncio.ensure_future(alice.edits(artifact_id, 1, append("Two.")))
        await eventually(lambda: held.has_waiting(1))  # the first answer was on; it queues for its lease
        await admin.switches(FAKEAPP, on=False)
        held.release()
        refusal = await refused(edit)
    assert (refusal.reason, refusal.metadata["key"]) == ("NOT_ENABLED", FAKEAPP)
    lease = await alice.lease_of(artifact_id)
    assert (lease.HasField("lease"), lease.token_counter) == (False, 1)
    assert len(await alice.revisions_of(artifact_id)) == 1


async def test_a_revision_keeps_the_switch_that_let_it_through_and_the_trace_it_was_made_in(
    alice: Participant, admin: Administrator
) -> None:
    """X-06, TR-02, AT-05: revision 0 is the registry's default."""
    artifact_id = await alice.has_file("One.")
    await admin.switches(FAKEAPP, on=False)
    revision = await admin.switches(FAKEAPP, on=True)
    await alice.edits(artifact_id, 1, append("Two."))
    assert [it.switch_revision for it in await alice.revisions_of(artifact_id)] == [0, revision]


async def test_the_switch_of_one_workspace_is_not_that_of_another(
    alice: Participant, admin: Administrator, server: BoundServer, tenant: str
) -> None:
    """I-06."""
    await admin.switches(FAKEAPP, on=False)
    async with participant(server.address, user(tenant, "alice"), "elsewhere") as elsewhere:
        assert (await status(elsewhere)).enabled
        assert await elsewhere.has_file("One.")
    assert not (await status(alice)).enabled


async def test_without_an_integrations_service_every_app_is_on_and_that_is_said_loudly(
    make_settings: MakeSettings, tenant: str, caplog: pytest.LogCaptureFixture
) -> None:
    """I-05, MP-35."""
    caplog.set_level(logging.WARNING)
    async with (
        running(make_settings(integrations=None, app_slots=1)) as bound,
        participant(bound.address, user(tenant, "alice"), "main") as person,
    ):
        assert (await status(person)).enabled
        assert await person.has_file("One.")
    assert "NO INTEGRATIONS SERVICE" in caplog.text


async def test_while_integrations_is_down_writes_are_refused_and_reads_go_on_until_it_is_back(
    make_settings: MakeSettings, integrations_settings: IntegrationsSettings, tenant: str, eventually: Eventually
) -> None:
    """AMB-04, MP-33: the peer is named, no lease was taken; FindCommands tells off, for so are writes answered."""
    async with AsyncExitStack() as peers, AsyncExitStack() as ours:
        peer = await peers.enter_async_context(running_integrations(integrations_settings))
        files = await ours.enter_async_context(running(make_settings(integrations=peer.address, app_slots=1)))
        alice = await ours.enter_async_context(participant(files.address, user(tenant, "alice"), "main"))
        artifact_id = await alice.has_file("One.")
        await peers.aclose()
        for write in (alice.checks_out(artifact_id), alice.edits(artifact_id, 1, append("x")), status(alice)):
            refusal = await refused(write)
            assert (refusal.reason, refusal.metadata["peer"]) == ("PEER_UNAVAILABLE", "integrations")
        lease = await alice.lease_of(artifact_id)
        assert (lease.HasField("lease"), lease.token_counter) == (False, 0)
        assert await alice.reads(artifact_id) == "One."
        found = await alice.native.FindCommands(native_pb.FindCommandsRequest(workspace=alice.scope, limit=1))
        assert [it.enabled for it in found.commands] == [False]

        back = integrations_settings.model_copy(update={"listen": peer.address})
        await peers.enter_async_context(running_integrations(back))

        async def works_again() -> bool:
            try:
                return (await status(alice)).enabled
            except grpc.aio.AioRpcError:
                return False

        await eventually(works_again)
        assert (await alice.edits(artifact_id, 1, append("Two."))).outcome.applied.version == 2


async def test_while_the_app_is_off_a_check_out_lapses_by_itself(
    make_settings: MakeSettings, alice: Participant, admin: Administrator, eventually: Eventually
) -> None:
    """N-10, I-18: the switch ends no lease, and keeps none alive."""
    artifact_id = await alice.has_file("One.")
    async with (
        running(make_settings(check_out="700ms")) as hasty,
        participant(hasty.address, alice.identity, alice.workspace) as her,
    ):
        await her.checks_out(artifact_id)
        await admin.switches(FAKEAPP, on=False)
        assert (await alice.lease_of(artifact_id)).HasField("lease")

        async def lapsed() -> bool:
            return not (await alice.lease_of(artifact_id)).HasField("lease")

        await eventually(lapsed)
