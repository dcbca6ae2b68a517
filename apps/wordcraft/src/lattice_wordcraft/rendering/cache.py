"""What was made of documents, kept for whoever asks again.

In memory: a cache on the disk would hold documents' words beyond the life of the worker, and might hold
them half written after it was killed. files keeps page images for good; here the next page of a
document finds its PDF.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from typing import Final, Generic, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache

_Made = TypeVar("_Made")

_KEY_BYTES: Final = 1024
"""What an entry takes beside its content, roughly."""


class Cache(Generic[_Made]):
    """Keeps what was made last, in so many bytes. No tenant is answered with what was made for another."""

    def __init__(self, size_of: Callable[[_Made], int], *, tenant: Callable[[], str], max_bytes: int) -> None:
        """An empty cache.

        Args:
            size_of: the bytes of what is kept.
            tenant: for whom a call is, asked at each.
            max_bytes: the most bytes that are kept; what was not asked for longest goes first.
        """
        self._tenant = tenant
        self._kept: LRUCache[Hashable, _Made] = LRUCache(max_bytes, lambda made: _KEY_BYTES + size_of(made))
        self._making: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def get(self, key: Hashable, make: Callable[[], Awaitable[_Made]]) -> _Made:
        """What is kept under a key, or made now; who asks for it meanwhile waits. What fails is not kept."""
        own = (self._tenant(), key)
        making = self._making.setdefault(own, asyncio.Lock())
        async with making:
            kept = self._kept.get(own)
            if kept is not None:
                return kept
            made = await make()
            with suppress(ValueError):  # it alone is larger than the cache
                self._kept[own] = made
            return made
