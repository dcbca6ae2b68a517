"""The memory of SetEnabled: a repeat is answered with the switch as the first call left it [ID-03]."""

import json
from dataclasses import asdict, dataclass
from typing import Final

from lattice_chassis.postgres.requests import RequestScope, remember, remembered
from sqlalchemy.ext.asyncio import AsyncConnection

from lattice_integrations.domain.actors import Actor
from lattice_integrations.domain.switches import Source, Switch
from lattice_integrations.domain.workspaces import WorkspaceKey

SET_ENABLED: Final = "lattice.integrations.v1.IntegrationsService/SetEnabled"


@dataclass(frozen=True, kw_only=True)
class Request:
    """What makes a call the repeat of another: who asks, under which id, with which body."""

    request_id: str
    digest: bytes
    """Tells two bodies apart."""


class RememberedSwitches:
    """The successes of a workspace, read and kept within one transaction under its lock."""

    def __init__(self, connection: AsyncConnection, scope: WorkspaceKey) -> None:
        self._connection = connection
        self._scope = scope

    async def first_answer(self, actor: Actor, request: Request) -> Switch | None:
        """The answer to the first call with this id, or None; IdempotencyMismatch where its body was another."""
        held = await remembered(self._connection, self._within(actor), request.request_id, request.digest)
        if held is None:
            return None
        answer = json.loads(held)
        return Switch(**answer | {"source": Source(answer["source"])})

    async def remember(self, actor: Actor, request: Request, switch: Switch) -> None:
        """Keep the answer to a call that succeeds."""
        result = json.dumps(asdict(switch)).encode()
        await remember(self._connection, self._within(actor), request.request_id, request.digest, result)

    def _within(self, actor: Actor) -> RequestScope:
        return RequestScope(
            tenant=self._scope.tenant,
            workspace=self._scope.workspace,
            participant=actor.participant,
            method=SET_ENABLED,
        )
