"""A server that closes takes no new call, and ends the streams that would never end by themselves."""

import asyncio

from lattice_chassis.errors import ShuttingDown
from lattice_chassis.interceptors.chain import Interceptor, Proceed, ServerCall


class AdmitUntilClosed(Interceptor):
    """Let calls in until the server closes; from then on each is refused, and watches are ended, with SHUTTING_DOWN."""

    def __init__(self) -> None:
        self._closing = False
        self._watches: set[asyncio.Timeout] = set()

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the rest, unless the server closes. Whoever asks for health once, or for reflection, is answered."""
        if self._closing and (call.is_watch or not call.is_infrastructure):
            raise ShuttingDown
        if not call.is_watch:
            return await proceed()
        return await self._watched(proceed)

    def close(self) -> None:
        """From now on no call begins, and every watch ends; its client resumes from its cursor elsewhere."""
        self._closing = True
        now = asyncio.get_running_loop().time()
        for watch in self._watches:
            watch.reschedule(now)

    async def _watched(self, proceed: Proceed) -> object:
        # A timeout that nothing sets off until the server closes: asyncio then tells our cancel from the client's.
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
