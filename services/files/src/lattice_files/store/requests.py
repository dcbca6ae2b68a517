"""The memory of requests: what a write answered, for whoever repeats it [ID-03]."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar, get_args

from lattice_chassis.failpoints import failpoint
from lattice_chassis.postgres.requests import RequestScope, remember, remembered
from pydantic import TypeAdapter

from lattice_files.domain.changes import EditAnswer, Outcome
from lattice_files.domain.commands import CheckOut
from lattice_files.domain.kinds import ArtifactType
from lattice_files.domain.leases import BreakAnswer
from lattice_files.domain.writes import Call
from lattice_files.store.unit_of_work import Reading, Work

Answer = CheckOut | BreakAnswer | EditAnswer | Outcome | ArtifactType
"""What a write answers, and a repeat of it."""

_Answer = TypeVar("_Answer", bound=Answer)

_ANSWERS: Final[Mapping[type, TypeAdapter[Any]]] = {it: TypeAdapter(it) for it in get_args(Answer)}
"""How what is remembered becomes bytes."""


async def first_answer(reading: Reading, call: Call, answer: type[_Answer]) -> _Answer | None:
    """What the first call with this request id answered, or None where there was none.

    Asked before the gate, and again under the lock before anything is saved. Raises IdempotencyMismatch
    where the first had another body.
    """
    result = await remembered(reading.connection, _scope(call), call.request_id, call.digest)
    if result is None:
        return None
    held: _Answer = _ANSWERS[answer].validate_json(result)
    return held


async def keep_answer(work: Work, call: Call, answer: Answer) -> None:
    """Remember what a call answers, in the transaction that makes it true."""
    result = _ANSWERS[type(answer)].dump_json(answer)
    await remember(work.connection, _scope(call), call.request_id, call.digest, result)
    failpoint("commit.answer_kept")


def _scope(call: Call) -> RequestScope:
    return RequestScope(
        tenant=call.scope.tenant,
        workspace=call.scope.workspace,
        participant=call.caller.actor.participant,
        method=call.method,
    )
