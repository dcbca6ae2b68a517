"""Readiness: whether a server can do its work now, as health under a name of its own.

Liveness is the health of the whole, `""`: it says that the process serves, and asks nothing else, for no restart mends
a database that is away. Who puts a replica among the addresses of its service, as Kubernetes does, asks for `ready`;
clients heed the health of the whole, and are told what is away.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

from lattice_chassis.health import Health

READY: Final = "ready"
"""What a probe asks health for."""

LOOK_EVERY: Final = timedelta(seconds=1)
LOOK_WITHIN: Final = timedelta(seconds=5)
"""How long a look may take; a slower one has failed."""

Look = Callable[[], Awaitable[None]]
"""Raises where the server cannot do its work."""

_log: Final = logging.getLogger("lattice.server")


@asynccontextmanager
async def telling_ready(health: Health, look: Look, *, every: timedelta = LOOK_EVERY) -> AsyncIterator[None]:
    """Look now and then, and answer under `ready` what was found last; nobody is ready before the first look."""
    health.set(READY, serving=False)
    looking = asyncio.create_task(_looking(health, look, every))
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.wait([looking])


async def _looking(health: Health, look: Look, every: timedelta) -> None:
    ready, told = False, ""
    while True:
        before = ready
        try:
            async with asyncio.timeout(LOOK_WITHIN.total_seconds()):
                await look()
            ready = True
        except Exception as error:  # noqa: BLE001 - whatever it is, it keeps the server from its work
            ready = False
            if told != (told := type(error).__name__):  # once, and not every second that it lasts
                _log.warning("not ready: %s", str(error) or told)
        if ready != before:
            told = ""
            health.set(READY, serving=ready)
        await asyncio.sleep(every.total_seconds())
