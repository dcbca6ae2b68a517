"""What one tenant sees of another: nothing."""

import uuid

from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice_chassis.server import BoundServer
from service.integrations.people import WORDCRAFT, Person, person


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
