"""Repeats that overlap their first call [ID-03]."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

from lattice_files.domain.rejections import ArtifactBusy, Rejection
from lattice_files.domain.writes import Call
from lattice_files.service.resources import Resources
from lattice_files.store import leases, requests
from lattice_files.store.unit_of_work import Reading

_LOOK_AGAIN: Final = timedelta(milliseconds=50)
"""After how long a call that its repeat keeps out looks whether that was answered."""

_Answer = TypeVar("_Answer", bound=requests.Answer)
_Arguments = ParamSpec("_Arguments")
_Write = Callable[Concatenate[Resources, Call, _Arguments], Awaitable[_Answer]]


def repeatable(answer: type[_Answer]) -> Callable[[_Write[_Arguments, _Answer]], _Write[_Arguments, _Answer]]:
    """Answer a write that is refused as another call of the same request was answered, where that happened meanwhile.

    A repeat may look for its first call before that commits and meet its effect afterwards; and an edit whose
    repeat takes its lease is kept out by it. Both would be told of a conflict with themselves.
    """

    def decorate(write: _Write[_Arguments, _Answer]) -> _Write[_Arguments, _Answer]:
        @wraps(write)
        async def answered(
            resources: Resources, call: Call, /, *arguments: _Arguments.args, **named: _Arguments.kwargs
        ) -> _Answer:
            try:
                return await write(resources, call, *arguments, **named)
            except Rejection as refusal:
                first = await _answer_meanwhile(resources, call, refusal, answer)
                if first is None:
                    raise
                return first

        return answered

    return decorate


async def _answer_meanwhile(
    resources: Resources, call: Call, refusal: Rejection, answer: type[_Answer]
) -> _Answer | None:
    """What another call of the request was answered; it is waited for while its lease keeps this one out."""
    while True:
        async with resources.unit.reading(call.scope) as reading:
            # The lease first: it ends in the transaction that keeps the answer.
            running = isinstance(refusal, ArtifactBusy) and await _is_running(reading, call, refusal.artifact_id)
            first = await requests.first_answer(reading, call, answer)
        if first is not None or not running:
            return first
        await asyncio.sleep(_LOOK_AGAIN.total_seconds())


async def _is_running(reading: Reading, call: Call, artifact_id: str) -> bool:
    """Whether another call of the same request edits the file now."""
    live = (await leases.load(reading, artifact_id)).live(await reading.clock())
    return live is not None and live.is_edit_of(call.caller.actor, call.request_id)
