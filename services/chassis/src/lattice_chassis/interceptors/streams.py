"""How many calls that last a tenant has at once in one process; the next is refused [SE-11].

An upload holds room on a disk that all tenants share, a download an open blob, a watch a message in memory.
"""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from lattice_chassis.interceptors.chain import Interceptor, Proceed, ServerCall


@dataclass(frozen=True, kw_only=True)
class StreamQuotas:
    """How many streams of each kind one tenant has at once."""

    uploads: int = 50
    """Calls whose client sends a stream."""
    downloads: int = 100
    """Calls that are answered with a stream that ends."""
    watches: int = 2000


@dataclass(kw_only=True, eq=False)
class TooManyStreams(Exception):
    """The tenant has as many streams of the kind as it may; the call was not begun."""

    reason: ClassVar[str] = "QUOTA_EXCEEDED"
    quota: str
    """`uploads`, `downloads` or `watches`."""
    limit: int

    def __str__(self) -> str:
        return f"the tenant has {self.limit} {self.quota} already"


class LimitStreams(Interceptor):
    """Refuse a tenant's streams beyond its quotas; those of other tenants do not feel it.

    Counted are those who are counted for the rate, people and external agents: what others ask for follows from that.
    """

    def __init__(self, quotas: StreamQuotas) -> None:
        self._limits = {"uploads": quotas.uploads, "downloads": quotas.downloads, "watches": quotas.watches}
        self._running: Counter[tuple[str, str]] = Counter()

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the rest, unless the caller's tenant has as many streams of the kind as it may."""
        quota = _quota_of(call)
        if quota is None or call.identity is None or not call.is_from_outside:
            return await proceed()
        running, limit = (call.identity.tenant, quota), self._limits[quota]
        if self._running[running] >= limit:
            raise TooManyStreams(quota=quota, limit=limit)
        self._running[running] += 1
        # Not when the handler is done: what it sent last, and its refusal too, wait in memory until the client reads.
        call.context.add_done_callback(lambda _: self._ended(running))  # type: ignore[arg-type]  # a class in its stubs
        return await proceed()

    def _ended(self, running: tuple[str, str]) -> None:
        self._running[running] -= 1
        if not self._running[running]:
            del self._running[running]


def _quota_of(call: ServerCall) -> str | None:
    if call.streams_requests:
        return "uploads"
    if call.is_watch:
        return "watches"
    return "downloads" if call.streams_answers else None
