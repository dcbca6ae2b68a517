"""Forgetting requests in time: what `request_id` remembers would grow with every write otherwise [ID-03].

Every replica of a service purges; what another one deletes at the same moment is waited for and found gone. A database
that is away is tried again with the next purge.
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final, NoReturn

from lattice_chassis.postgres.operating import operating
from lattice_chassis.postgres.requests import forget_old
from lattice_chassis.telemetry import untraced

PURGE_EVERY: Final = timedelta(hours=1)
"""About how often old requests are forgotten; replicas spread over it."""

_AT_ONCE: Final = 1000
"""Requests that are forgotten in one transaction."""

_log: Final = logging.getLogger("lattice.purge")


@asynccontextmanager
async def purging(follower_url: str, service: str, *, every: timedelta = PURGE_EVERY) -> AsyncIterator[None]:
    """Forget what was remembered for longer than it must be, while the block runs.

    `follower_url` opens the database of `service` as its follower role, for as long as a purge lasts; where it is empty
    nothing is forgotten, and a line of the log says so.
    """
    if not follower_url:
        _log.warning("requests are remembered for ever: no follower role is given")
        yield
        return
    task = asyncio.create_task(_purge(follower_url, service, every.total_seconds()), name=f"purge of {service}")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _purge(url: str, service: str, every: float) -> NoReturn:
    with untraced():
        while True:
            await asyncio.sleep(random.uniform(0, 2 * every))  # noqa: S311 - no secret
            try:
                if forgotten := await _forget_all_old(url, service):
                    _log.info("forgot %d requests that are older than they are kept", forgotten)
            except Exception as error:  # noqa: BLE001 - whatever it is, the next purge may do
                _log.warning("old requests could not be forgotten, which is tried again later: %s", error)


async def _forget_all_old(url: str, service: str) -> int:
    forgotten, last = 0, _AT_ONCE
    async with operating(url, f"{service} purge") as engine:
        while last == _AT_ONCE:
            async with engine.begin() as connection:
                last = await forget_old(connection, limit=_AT_ONCE)
            forgotten += last
    return forgotten
