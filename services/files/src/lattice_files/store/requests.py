"""The memory of requests: what a write answered, for whoever repeats it [ID-03]."""

from functools import cache
from typing import TypeVar

from lattice_chassis.postgres.requests import RequestScope, remember, remembered
from pydantic import TypeAdapter

from lattice_files.domain.writes import Call
from lattice_files.store.unit_of_work import Reading, Work

_Answer = TypeVar("_Answer")


async def first_answer(reading: Reading, call: Call, answer: type[_Answer]) -> _Answer | None:
    """What the first call with this request id answered, or None where there was none.

    Asked before the gate, and again under the lock before anything is saved. Raises IdempotencyMismatch
    where the first had another body.
    """
    result = await remembered(reading.connection, _scope(call), call.request_id, call.digest)
    return None if result is None else _adapter(answer).validate_json(result)


async def keep_answer(work: Work, call: Call, answer: object) -> None:
    """Remember what a call answers, in the transaction that makes it true."""
    result = _adapter(type(answer)).dump_json(answer)
    await remember(work.connection, _scope(call), call.request_id, call.digest, result)


@cache
def _adapter(answer: type[_Answer]) -> TypeAdapter[_Answer]:
    return TypeAdapter(answer)


def _scope(call: Call) -> RequestScope:
    actor = call.caller.actor
    return RequestScope(
        tenant=call.scope.tenant,
        workspace=call.scope.workspace,
        participant=f"{actor.kind.value}:{actor.id}",
        method=call.method,
    )
