"""The memory of commands: a repeat is answered as the first one was [ID-03]."""

from dataclasses import dataclass

from lattice_chassis.postgres import requests
from sqlalchemy.ext.asyncio import AsyncConnection

from artifactr.core.actors import Caller
from artifactr.core.commands import Recorded
from artifactr.store.entities import RECORDED


@dataclass(frozen=True, kw_only=True)
class Request:
    """What makes a call the repeat of another: its id, the RPC's full name, and a digest of its body."""

    id: str
    method: str
    digest: bytes


async def first_answer(connection: AsyncConnection, caller: Caller, request: Request | None) -> Recorded | None:
    """What the first call with this id recorded, None for a first call; IdempotencyMismatch for another body.

    Asked without a lock it spares a repeat the questions to peers; the answer under the workspace's lock counts.
    """
    if request is None:
        return None
    held = await requests.remembered(connection, _scope(caller, request), request.id, request.digest)
    return None if held is None else RECORDED.validate_json(held)


async def remember(connection: AsyncConnection, caller: Caller, request: Request | None, recorded: Recorded) -> None:
    """Keep what a successful call recorded, in the transaction that commits it."""
    if request is not None:
        result = RECORDED.dump_json(recorded)
        await requests.remember(connection, _scope(caller, request), request.id, request.digest, result)


def _scope(caller: Caller, request: Request) -> requests.RequestScope:
    return requests.RequestScope(
        tenant=caller.tenant,
        workspace=caller.workspace,
        participant=caller.actor.participant,
        method=request.method,
    )
