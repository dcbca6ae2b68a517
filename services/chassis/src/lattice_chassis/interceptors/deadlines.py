"""Deadlines travel: what a caller has left is all that calls made on its behalf may take."""

import time
from contextvars import ContextVar

from lattice_chassis.interceptors.chain import Interceptor, Proceed, ServerCall

_deadline: ContextVar[float | None] = ContextVar("lattice_deadline", default=None)


class BoundDeadline(Interceptor):
    """Remember the caller's deadline for the calls that the handler makes; gRPC itself cancels the handler at it."""

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the handler with its caller's deadline, or with none where the caller set none."""
        remaining: float | None = call.context.time_remaining()
        token = _deadline.set(None if remaining is None else time.monotonic() + remaining)
        try:
            return await proceed()
        finally:
            _deadline.reset(token)


def remaining_seconds() -> float | None:
    """What is left of the deadline of the call that the current task serves, at least 0; None without one."""
    deadline = _deadline.get()
    return None if deadline is None else max(0.0, deadline - time.monotonic())
