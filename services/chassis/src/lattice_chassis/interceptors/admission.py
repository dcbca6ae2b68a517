"""A server that drains takes no new call, and ends the streams that would never end by themselves."""

import asyncio

from lattice_chassis.errors import ShuttingDown
from lattice_chassis.interceptors.chain import Interceptor, Proceed, ServerCall


class AdmitUntilDrained(Interceptor):
    """Let calls in until the server drains; from then on each is refused, and watches are ended, with SHUTTING_DOWN."""

    def __init__(self) -> None:
        self._draining = False
        self._watches: set[asyncio.Timeout] = set()

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the rest, unless the server drains. Health and reflection are answered to the end."""
        if self._draining and not call.is_infrastructure:
            raise ShuttingDown
        if not call.is_watch:
            return await proceed()
        return await self._watched(proceed)

    def refuse_new_calls(self) -> None:
        """From now on no call begins; those that run go on."""
        self._draining = True

    def end_watches(self) -> None:
        """End every watch that runs with SHUTTING_DOWN; its client resumes from its cursor elsewhere."""
        now = asyncio.get_running_loop().time()
        for watch in self._watches:
            watch.reschedule(now)

    async def _watched(self, proceed: Proceed) -> object:
        # A timeout that nothing sets off until the server drains: asyncio then tells our cancel from the client's.
        watch = asyncio.timeout(None)
        try:
            async with watch:
                self._watches.add(watch)
                try:
                    return await proceed()
                finally:
                    self._watches.discard(watch)
        except TimeoutError:
            if watch.expired():
                raise ShuttingDown from None
            raise
