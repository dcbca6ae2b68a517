"""One deadline for all that is done with a document, whoever does it [R-07].

A thread cannot be ended from outside, so whatever goes through a document part by part or paragraph by
paragraph looks at the time by itself. What runs between two looks is one call of a parser or the like,
whose cost the guards bound.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Final

from lattice_wordcraft.refusals import AppTimeout

_ends: Final[ContextVar[float]] = ContextVar("ends", default=math.inf)
"""When the job ends, by the monotonic clock; threads that a job starts inherit it."""


@asynccontextmanager
async def within(limit: timedelta) -> AsyncIterator[None]:
    """Run the block and the threads that it starts until the limit, and not longer.

    Raises:
        AppTimeout: it took longer.
    """
    seconds = limit.total_seconds()
    token = _ends.set(time.monotonic() + seconds)
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise AppTimeout(what="work on the document") from error
    finally:
        _ends.reset(token)


def check() -> None:
    """Give up a job whose time is over.

    Raises:
        AppTimeout: it is.
    """
    if time.monotonic() > _ends.get():
        raise AppTimeout(what="work on the document")
