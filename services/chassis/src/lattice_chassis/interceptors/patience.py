"""No client of a stream is waited for without end, however little it sends or takes [SE-11]."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long the client of a stream is waited for."""

    stalled: timedelta = timedelta(seconds=30)
    """How long it may send no message, the first one included, or leave one untaken."""
    transfer: timedelta = timedelta(minutes=15)
    """How long it may take for all of them; a watch has no end."""


@dataclass(kw_only=True, eq=False)
class SlowProducer(Exception):
    """The client sent no message for too long, or took too long for all of them; nothing of it was kept."""

    reason: ClassVar[str] = "SLOW_PRODUCER"
    limit: timedelta

    def __str__(self) -> str:
        return f"the client did not send within {self.limit.total_seconds():g} s"


@dataclass(kw_only=True, eq=False)
class SlowConsumer(Exception):
    """The client left a message untaken for too long, or took too long for all of them [SB-08, SE-11]."""

    reason: ClassVar[str] = "SLOW_CONSUMER"
    limit: timedelta

    def __str__(self) -> str:
        return f"the client did not take within {self.limit.total_seconds():g} s"


class Waiting:
    """How long one call still waits for its client. What the server does between two messages has other bounds."""

    def __init__(self, patience: Patience, *, endless: bool) -> None:
        self._stalled, self._transfer = patience.stalled, patience.transfer
        self._end = None if endless else asyncio.get_running_loop().time() + self._transfer.total_seconds()

    @asynccontextmanager
    async def for_client(self, refusal: Callable[..., Exception]) -> AsyncIterator[None]:
        """Run a block that waits for the client; when that takes too long raise `refusal`, made of its `limit`."""
        limit, until = self._stalled, asyncio.get_running_loop().time() + self._stalled.total_seconds()
        if self._end is not None and self._end < until:
            limit, until = self._transfer, self._end
        waiting = asyncio.timeout_at(until)
        try:
            async with waiting:
                yield
        except TimeoutError:
            if waiting.expired():
                raise refusal(limit=limit) from None
            raise
