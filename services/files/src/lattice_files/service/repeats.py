"""Repeats that overlap their first call [ID-03]."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from lattice_files.domain.rejections import Rejection
from lattice_files.domain.writes import Call
from lattice_files.service.resources import Resources
from lattice_files.store import requests

_Answer = TypeVar("_Answer", bound=requests.Answer)
_Arguments = ParamSpec("_Arguments")
_Write = Callable[Concatenate[Resources, Call, _Arguments], Awaitable[_Answer]]


def repeatable(answer: type[_Answer]) -> Callable[[_Write[_Arguments, _Answer]], _Write[_Arguments, _Answer]]:
    """Answer a write that is refused as its first call was answered, where that happened meanwhile.

    A repeat may look for its first call before that commits and meet its effect afterwards: without a
    second look it would be told of a conflict with itself.
    """

    def decorate(write: _Write[_Arguments, _Answer]) -> _Write[_Arguments, _Answer]:
        @wraps(write)
        async def answered(
            resources: Resources, call: Call, /, *arguments: _Arguments.args, **named: _Arguments.kwargs
        ) -> _Answer:
            try:
                return await write(resources, call, *arguments, **named)
            except Rejection:
                async with resources.unit.reading(call.scope) as reading:
                    first = await requests.first_answer(reading, call, answer)
                if first is None:
                    raise
                return first

        return answered

    return decorate
