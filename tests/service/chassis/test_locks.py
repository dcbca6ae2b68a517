"""Locks that outlive transactions, each holder played with a connection of its own."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.locks import SessionLocks
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


@pytest.fixture
def locks(database_urls: DatabaseUrls) -> SessionLocks:
    """The locks as a service takes them."""
    return SessionLocks(database_urls.service, application="notes lock")


@pytest.fixture
async def witness(database_urls: DatabaseUrls) -> AsyncIterator[AsyncConnection]:
    """A superuser, who ends the connections of every role."""
    superuser = make_url(database_urls.owner).set(username="postgres")
    engine = create_async_engine(superuser, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        yield connection
    await engine.dispose()


async def is_free(locks: SessionLocks, name: str) -> bool:
    async with locks.taken(name) as lock:
        return lock is not None


async def test_one_holder_at_a_time_has_a_name_and_the_next_one_gets_it_at_once(locks: SessionLocks) -> None:
    """B-06: whoever does not get it is told at once, and other names are other locks."""
    async with locks.taken("tidying acme") as lock:
        assert lock is not None
        assert await lock.still_held()
        assert not await is_free(locks, "tidying acme")
        assert await is_free(locks, "tidying other")
    for _ in range(20):
        assert await is_free(locks, "tidying acme")


async def test_a_holder_whose_connection_ended_knows_it_and_another_one_has_the_lock(
    locks: SessionLocks, witness: AsyncConnection
) -> None:
    """B-06: so it can stop before it does what the other one does."""
    async with locks.taken("tidying acme") as lock:
        assert lock is not None
        ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'notes lock'"
        await witness.execute(text(ended))
        async with locks.taken("tidying acme") as next_lock:
            assert next_lock is not None
            assert not await lock.still_held()
            assert not await lock.still_held()


@pytest.mark.parametrize("asking", [False, True])
async def test_a_cancelled_holder_leaves_the_lock_free(
    asking: bool, locks: SessionLocks, eventually: Eventually
) -> None:
    """B-06, WP-07: wherever the cancel finds it."""
    taken = asyncio.Event()

    async def hold() -> None:
        async with locks.taken("tidying acme") as lock:
            assert lock is not None
            taken.set()
            while await lock.still_held():
                if not asking:
                    await asyncio.Event().wait()

    holder = asyncio.create_task(hold())
    await taken.wait()
    holder.cancel()
    with pytest.raises(asyncio.CancelledError):
        await holder

    async def free() -> bool:
        return await is_free(locks, "tidying acme")

    await eventually(free)
