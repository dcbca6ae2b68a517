"""Every call has a verified caller, or it is refused before anything of it is read [SE-01, AC-03]."""

import asyncio
from datetime import timedelta
from typing import Final

from lattice_chassis.identity import Authenticator, Identity, acting_as, known_by
from lattice_chassis.interceptors.chain import Interceptor, Proceed, ServerCall

WATCHES_CHECKED_EVERY: Final = timedelta(seconds=10)
"""How long a watch goes on at most once its caller's credential, or access to the workspace, has ended."""


class Authenticate(Interceptor):
    """Make the caller's verified identity the current one. Health and reflection need none.

    A watch has no end of its own, so its credential is looked at again and again, and what it opens is decided again
    each time: no token opens for good what it opens for minutes, and no answer of an authorizer holds for ever.
    """

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the handler as the caller; `Unauthenticated` passes through."""
        if call.is_infrastructure:
            return await proceed()
        call.identity = await self._verified(call)
        call.begin_span(call.identity)
        with acting_as(call.identity), known_by(call.metadata):
            return await (self._watched(call, proceed) if call.is_watch else proceed())

    async def _verified(self, call: ServerCall) -> Identity:
        return await self._authenticator.authenticate(call.metadata, call.context.peer())

    async def _watched(self, call: ServerCall, proceed: Proceed) -> object:
        """Run a watch until it ends, or until its caller is believed no more."""
        believed = asyncio.timeout(None)  # set off by the check alone, which asyncio tells from the client's cancel
        check = asyncio.create_task(self._check(call, believed))
        try:
            async with believed:
                return await proceed()
        except TimeoutError:
            if believed.expired():
                raise check.result() from None
            raise
        finally:
            check.cancel()

    async def _check(self, call: ServerCall, believed: asyncio.Timeout) -> Exception:
        """Look at who watches and at what they may until either does not count any more, and answer why."""
        while True:
            await asyncio.sleep(WATCHES_CHECKED_EVERY.total_seconds())
            try:
                await self._verified(call)
                if call.reauthorize is not None:
                    await call.reauthorize()
            except Exception as error:  # noqa: BLE001 - it ends the call, outside of this task
                believed.reschedule(asyncio.get_running_loop().time())
                return error
