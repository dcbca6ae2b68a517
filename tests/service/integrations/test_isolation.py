"""What a stranger learns, and what one tenant sees of another: nothing."""

import uuid
from collections.abc import AsyncIterator
from dataclasses import replace

import grpc
import pytest
from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice.integrations.v1 import integrations_service_pb2_grpc as pb_grpc
from lattice_chassis.errors import RefusedByPeer
from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.server import BoundServer
from service.integrations.people import WORDCRAFT, Person, person, refused
from sqlalchemy import text

TABLES = ("workspaces", "requests", "switch_changes")


@pytest.fixture
async def stranger(server: BoundServer, admin: Person) -> AsyncIterator[Person]:
    """An administrator of another tenant, who names the workspace of this one."""
    async with person(server.address, "elsewhere", "eve", role="administrator", workspace=admin.workspace) as eve:
        yield eve


async def test_a_stranger_is_refused_alike_whatever_there_is(admin: Person, stranger: Person) -> None:
    """X-08, TN-01, AMB-01: known key or not, set or not, the workspace there or not."""
    await admin.switches(WORDCRAFT, on=False, expected=0)
    nowhere = replace(stranger, workspace="tenants/nobody/workspaces/nowhere")
    refusals = []
    for eve in (stranger, nowhere):
        for key in (WORDCRAFT, "files:nosuch"):
            refusals += [
                await refused(eve.asks(key)),
                await refused(eve.switches(key, on=True, expected=1)),
                await refused(eve.page_of_history(key=key)),
            ]
        refusals.append(await refused(eve.lists()))
        async with eve.watching() as watch:
            refusals.append(await watch.ending())
    assert {(it.reason, it.message, *it.metadata.items()) for it in refusals} == {_told(refusals[0])}
    assert refusals[0].reason == "FORBIDDEN"
    assert admin.identity.tenant not in str(refusals[0].metadata)
    assert [change.actor.user.id for change in await admin.history()] == ["ada"]


async def test_a_caller_without_an_identity_is_refused_before_the_shape_is_checked(server: BoundServer) -> None:
    """SE-01."""
    async with grpc.aio.insecure_channel(server.address) as channel:
        call = pb_grpc.IntegrationsServiceStub(channel).CheckEnabled(pb.CheckEnabledRequest())
        assert (await refused(call)).reason == "UNAUTHENTICATED"


async def test_two_tenants_may_use_the_same_workspace_id(admin: Person, server: BoundServer) -> None:
    """TN-03, X-08: and the same request id."""
    request_id = str(uuid.uuid4())
    await admin.switches(WORDCRAFT, on=False, expected=0, reason="secret", request_id=request_id)
    async with person(server.address, f"{admin.identity.tenant}-b", "ada", role="administrator") as other:
        assert (await other.asks()).source == pb.SWITCH_SOURCE_DEFAULT
        assert await other.history() == []
        assert (await other.lists()).cursor.sequence == 0
        switch = await other.switches(WORDCRAFT, on=True, expected=0, request_id=request_id)
        assert (switch.revision, switch.enabled) == (1, True)
    assert (await admin.asks()).enabled is False


async def test_a_watch_hears_nothing_of_other_tenants(admin: Person, server: BoundServer) -> None:
    """X-08."""
    async with (
        person(server.address, f"{admin.identity.tenant}-b", "ada", role="administrator") as other,
        other.watching() as watch,
    ):
        await watch.caught_up()
        await admin.toggles(3)
        await other.switches(WORDCRAFT, on=False, expected=0, reason="own")
        (heard,) = await watch.changes(1)
        assert (heard.change.reason, heard.cursor.sequence) == ("own", 1)


async def test_the_database_itself_keeps_tenants_apart(
    integrations_urls: DatabaseUrls, admin: Person, tenant: str
) -> None:
    """X-08, TN-06: a query that forgets its tenant reads none of another's rows."""
    await admin.switches(WORDCRAFT, on=False, expected=0)
    async with open_database(integrations_urls.service, application="test") as database:
        for who, rows in ((tenant, 1), ("elsewhere", 0)):
            async with database.transaction(who) as connection:
                for table in TABLES:
                    count = text(f"SELECT count(*) FROM {table}")  # noqa: S608  # names of our own
                    assert (await connection.execute(count)).scalar_one() == rows


def _told(refusal: RefusedByPeer) -> tuple[object, ...]:
    return (refusal.reason, refusal.message, *refusal.metadata.items())
