"""Claims on threads: one run at a time, across processes [RN-08 to RN-12]."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

from lattice_chassis.failpoints import failpoint

from artifactr.core.actors import WorkspaceKey
from artifactr.core.rejections import ThreadBusy
from artifactr.core.threads import Claim
from artifactr.store import claims as claims_store
from artifactr.store.unit_of_work import UnitOfWork

CLAIM_TTL: Final = timedelta(seconds=30)
"""How long a claim survives a dead process, unless said otherwise [RN-09]."""

_log: Final = logging.getLogger("artifactr.claims")


class ClaimLost(Exception):
    """No renewal of the claim succeeded for as long as it lasts: what ran under it was cancelled [RN-12]."""


async def take(
    unit: UnitOfWork, key: WorkspaceKey, thread_id: str, *, holder: str, ttl: timedelta, address: str
) -> Claim:
    """Claim a thread for a holder in the replica at this address; the holder's own claim is renewed.

    ThreadBusy while someone else's lives.
    """
    async with unit.unlocked(key) as connection:
        claim = await claims_store.take_claim(connection, key, thread_id, holder=holder, ttl=ttl, address=address)
        if claim is not None:
            return claim
        held = await claims_store.find_claim(connection, key, thread_id)
    raise ThreadBusy(thread_id=thread_id, until=None if held is None else held.expires_at)


async def renew(unit: UnitOfWork, key: WorkspaceKey, claim: Claim, *, ttl: timedelta) -> Claim:
    """Extend a claim. ThreadBusy once someone else has taken the thread, or the claim was released."""
    async with unit.unlocked(key) as connection:
        renewed = await claims_store.renew_claim(connection, key, claim, ttl=ttl)
        if renewed is not None:
            return renewed
        held = await claims_store.find_claim(connection, key, claim.thread_id)
    raise ThreadBusy(thread_id=claim.thread_id, until=None if held is None else held.expires_at)


async def release(unit: UnitOfWork, key: WorkspaceKey, claim: Claim) -> None:
    """Free the thread; nothing happens where the claim is no longer held."""
    async with unit.unlocked(key) as connection:
        await claims_store.release_claim(connection, key, claim)


@asynccontextmanager
async def held(
    unit: UnitOfWork, key: WorkspaceKey, thread_id: str, *, holder: str, ttl: timedelta, address: str
) -> AsyncIterator[Claim]:
    """Hold a thread while the block runs: claimed, renewed every third of `ttl`, released on leaving.

    Once no renewal has succeeded for a whole `ttl`, by this process's clock from when the last good one began, the
    block is cancelled before anyone else can have the thread, and ClaimLost is raised. ThreadBusy as for `take`.
    """
    begun = asyncio.get_running_loop().time()
    claim = await take(unit, key, thread_id, holder=holder, ttl=ttl, address=address)
    body = asyncio.current_task()
    if body is None:
        raise RuntimeError("a claim is held by a task")
    cancels = body.cancelling()
    lost = False

    async def keep() -> None:
        nonlocal lost
        await _renew_until_lost(lambda: renew(unit, key, claim, ttl=ttl), begun, ttl)
        lost = True
        body.cancel()

    renewals = asyncio.create_task(keep(), name=f"claim {thread_id}")
    try:
        yield claim
    except asyncio.CancelledError:
        if lost and body.uncancel() <= cancels:  # by us, and by nobody else beside
            raise ClaimLost(f"the claim on thread {thread_id} was lost") from None
        raise
    finally:
        renewals.cancel()
        await asyncio.wait([renewals])
        failpoint("claim.releasing")
        if not lost:
            await _release_if_possible(unit, key, claim)


async def _renew_until_lost(renew_once: Callable[[], Awaitable[Claim]], begun: float, ttl: timedelta) -> None:
    """Renew at every third; return when the claim is someone else's, or nothing succeeded for a whole `ttl`."""
    clock = asyncio.get_running_loop().time
    third = ttl.total_seconds() / 3
    renewed, attempt = begun, begun
    try:
        while True:
            async with asyncio.timeout_at(renewed + ttl.total_seconds()):
                await asyncio.sleep(attempt + third - clock())
                attempt = clock()
                try:
                    await renew_once()
                except ThreadBusy:
                    return
                except Exception:  # noqa: BLE001 - whatever is wrong with the database, the next third may go well
                    _log.warning("a claim could not be renewed, trying again", exc_info=True)
                else:
                    renewed = attempt
    except TimeoutError:
        return


async def _release_if_possible(unit: UnitOfWork, key: WorkspaceKey, claim: Claim) -> None:
    try:
        await release(unit, key, claim)
    except Exception:  # noqa: BLE001 - the claim lapses by itself; the block's own outcome must not be hidden
        _log.warning("a claim could not be released and has to lapse", exc_info=True)
