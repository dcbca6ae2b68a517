"""The port `Switches`: the client of integrations, and what stands in for it where a deployment has none."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice.integrations.v1 import integrations_service_pb2_grpc as integrations_grpc
from lattice.type.v1.actor_pb2 import Actor, SystemActor
from lattice_chassis import errors
from lattice_chassis.channels import channel
from lattice_chassis.errors import RefusedByPeer, calling
from lattice_chassis.identity import Identity, acting_as, forwarded_identity
from lattice_chassis.interceptors.client import IdentitySource
from lattice_chassis.names import WorkspaceName
from lattice_chassis.transport import ChannelTls

from lattice_files.domain.rejections import PeerUnavailable, UnknownIntegration
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.ports import Switches, SwitchState

_log: Final = logging.getLogger("lattice.files.integrations")

PEER: Final = "integrations"
CHECK_LIMIT: Final = timedelta(seconds=1)
"""How long an answer may take unless the deployment says otherwise; a write without one is refused [MP-33, AMB-04]."""

_FILES: Final = Actor(system=SystemActor(name="files"))
_ROLES: Final = frozenset({"viewer"})


class IntegrationsClient:
    """Switches as the integrations service answers them, asked by files as a system actor of the tenant."""

    def __init__(self, stub: "integrations_grpc.IntegrationsServiceAsyncStub", limit: timedelta) -> None:
        self._stub = stub
        self._limit = limit

    async def check(self, scope: WorkspaceKey, key: str) -> SwitchState:
        """The state of a key in a workspace; see the port."""
        request = integrations_pb.CheckEnabledRequest(
            workspace=str(WorkspaceName(scope.tenant, scope.workspace)), key=key
        )
        asking = Identity(tenant=scope.tenant, actor=_FILES, roles=_ROLES)
        try:
            with acting_as(asking), calling(PEER):
                answer = await self._stub.CheckEnabled(request, timeout=self._limit.total_seconds())
        except errors.PeerUnavailable as error:
            raise PeerUnavailable(peer=error.peer, retry_after=error.retry_after) from error
        except RefusedByPeer as refused:
            if refused.reason == "UNKNOWN_INTEGRATION":
                raise UnknownIntegration(key=key) from refused
            raise
        return SwitchState(enabled=answer.enabled, revision=answer.revision)


class EverythingOn:
    """Switches of a deployment that has no integrations: every app is on, everywhere [I-05, MP-35]."""

    async def check(self, scope: WorkspaceKey, key: str) -> SwitchState:  # noqa: ARG002 - the same for all
        """On, by nobody's setting."""
        return SwitchState(enabled=True, revision=0)


@asynccontextmanager
async def open_switches(
    target: str | None,
    identity: IdentitySource = forwarded_identity,
    tls: ChannelTls | None = None,
    limit: timedelta = CHECK_LIMIT,
) -> AsyncIterator[Switches]:
    """The switches of the integrations service at `target`, which may start later; for None, everything on.

    Each answer is waited for no longer than `limit`.
    """
    if target is None:
        _log.warning(
            "NO INTEGRATIONS SERVICE IS CONFIGURED: every app is on in every workspace, nobody can switch one off"
        )
        yield EverythingOn()
        return
    async with channel(target, [integrations_pb.DESCRIPTOR], identity=identity, tls=tls) as connection:
        yield IntegrationsClient(integrations_grpc.IntegrationsServiceStub(connection), limit)
