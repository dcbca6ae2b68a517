"""How many calls a tenant may make of one process; the next is refused, and told when to come again [SE-06]."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Final, Self

from google.rpc.error_details_pb2 import RetryInfo
from pydantic import BaseModel, ConfigDict, Field, PositiveFloat

from lattice_chassis.errors import RefusedByPeer
from lattice_chassis.interceptors.chain import Interceptor, Proceed, ServerCall

MAX_TENANTS: Final = 10_000
"""Tenants that are remembered; beyond, the one that called the longest ago begins anew."""


class Rate(BaseModel):
    """The calls of one tenant that one process takes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    per_second: PositiveFloat
    """Calls a second in the long run."""
    burst: int = Field(default=100, ge=1)
    """Calls at once after a quiet time."""


@dataclass(kw_only=True, eq=False)
class RateLimited(Exception):
    """The tenant's rate is used up; the call was not begun."""

    reason: ClassVar[str] = "RATE_LIMITED"
    retry_after: timedelta

    @classmethod
    def told_by(cls, refused: RefusedByPeer) -> Self:
        """The same refusal of a peer that was asked in the name of the same caller."""
        delays = [it.retry_delay.ToTimedelta() for it in refused.details if isinstance(it, RetryInfo)]
        return cls(retry_after=delays[0] if delays else timedelta(seconds=1))

    def __str__(self) -> str:
        return "the tenant's rate of calls is used up"


class LimitRate(Interceptor):
    """Refuse a tenant's calls beyond its rate; those of other tenants do not feel it.

    Counted are the calls of those who come from outside: people and external agents. What agents and services call
    follows from calls that were counted already, and is bounded by the tenant's running runs; to refuse it would break
    off work in its middle. A stream is one call; `streams` bounds what it holds, and how many there are.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._interval = 1 / rate.per_second
        self._ahead = self._interval * (rate.burst - 1)
        self._clock = clock
        # When the calls that were let through will have been paid off; a tenant without an entry owes nothing.
        self._paid: OrderedDict[str, float] = OrderedDict()

    async def around(self, call: ServerCall, proceed: Proceed) -> object:
        """Run the rest, unless the caller's tenant has used up its rate."""
        if call.identity is not None and call.is_from_outside:
            self._count(call.identity.tenant)
        return await proceed()

    def _count(self, tenant: str) -> None:
        now = self._clock()
        due = max(self._paid.get(tenant, now), now)
        if due - now > self._ahead:
            raise RateLimited(retry_after=timedelta(seconds=due - now - self._ahead))
        self._paid[tenant] = due + self._interval
        self._paid.move_to_end(tenant)
        if len(self._paid) > MAX_TENANTS:
            self._paid.popitem(last=False)
