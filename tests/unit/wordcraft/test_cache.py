"""What was made of documents: kept for a tenant, made once, within its bytes."""

import asyncio

import pytest
from lattice_wordcraft.rendering.cache import Cache


class Maker:
    """Makes a value and counts how often; it waits until it is let go."""

    def __init__(self, value: bytes = b"made") -> None:
        self.times = 0
        self.may_go = asyncio.Event()
        self.may_go.set()
        self._value = value

    async def __call__(self) -> bytes:
        self.times += 1
        await self.may_go.wait()
        return self._value


@pytest.fixture
def cache() -> Cache[bytes]:
    return cache_of(10_000)


def cache_of(max_bytes: int) -> Cache[bytes]:
    return Cache(len, tenant=lambda: "acme", max_bytes=max_bytes)


async def test_what_is_asked_for_again_is_not_made_again(cache: Cache[bytes]) -> None:
    """F-13."""
    maker = Maker()
    assert [await cache.get("a", maker), await cache.get("a", maker)] == [b"made", b"made"]
    assert maker.times == 1


async def test_who_asks_meanwhile_waits_and_nothing_is_made_twice(cache: Cache[bytes]) -> None:
    """F-13: others are not held up."""
    slow, other = Maker(), Maker()
    slow.may_go.clear()
    waiting = [asyncio.create_task(cache.get("a", slow)) for _ in range(3)]
    assert await cache.get("b", other) == b"made"
    slow.may_go.set()
    assert await asyncio.gather(*waiting) == [b"made"] * 3
    assert slow.times == 1


async def test_no_tenant_is_answered_with_what_was_made_for_another() -> None:
    """SE-07: by the same key."""
    tenants = iter(("acme", "globex", "acme", "globex"))
    cache = Cache(len, tenant=lambda: next(tenants), max_bytes=10_000)
    ours, theirs = Maker(b"ours"), Maker(b"theirs")
    assert [await cache.get("a", it) for it in (ours, theirs, ours, theirs)] == [b"ours", b"theirs"] * 2
    assert (ours.times, theirs.times) == (1, 1)


async def test_a_failure_is_not_kept_and_who_waited_tries_again(cache: Cache[bytes]) -> None:
    """R-07."""

    async def fail() -> bytes:
        await asyncio.sleep(0)
        raise ConnectionError

    maker = Maker()
    first, second = await asyncio.gather(cache.get("a", fail), cache.get("a", maker), return_exceptions=True)
    assert isinstance(first, ConnectionError)
    assert (second, maker.times) == (b"made", 1)


async def test_who_is_cancelled_leaves_the_making_to_who_waited(cache: Cache[bytes]) -> None:
    """R-07: neither blocks nor fails the other."""
    maker = Maker()
    maker.may_go.clear()
    first, second = (asyncio.create_task(cache.get("a", maker)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    maker.may_go.set()
    assert await second == b"made"
    assert first.cancelled()


async def test_it_keeps_no_more_bytes_than_it_may() -> None:
    """N-25: what was not asked for longest goes, and what is larger than all is not kept at all."""
    cache, small, large = cache_of(10_000), Maker(b"x" * 3_000), Maker(b"x" * 10_000)
    for key in ("a", "b", "a", "c"):
        await cache.get(key, small)
    assert small.times == 3
    await cache.get("a", small)
    assert small.times == 3
    await cache.get("b", small)
    assert small.times == 4
    assert [await cache.get("d", large), await cache.get("d", large)] == [b"x" * 10_000] * 2
    assert large.times == 2
