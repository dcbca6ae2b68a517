"""Measuring in pairs: ours and the floor one after the other, so that what disturbs one disturbs both."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from statistics import median

Call = Callable[[], Awaitable[object]]

WARM_UP = 20


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two medians in milliseconds, and what they are of."""

    what: str
    floor_is: str
    ours: float
    floor: float

    def __str__(self) -> str:
        """One line of the table."""
        return (
            f"{self.what:<34}{self.ours:>9.3f} ms{self.floor:>9.3f} ms{self.ours / self.floor:>8.2f}   {self.floor_is}"
        )


async def pair(
    what: str, ours: Call, floor_is: str, floor: Call, rounds: int, *, undo: Call | None = None, warm_up: int = WARM_UP
) -> Pair:
    """Call both so many times in turn; what undoes ours is not measured, nor are the first ones."""
    times: list[tuple[float, float]] = []
    for _ in range(warm_up + rounds):
        times.append((await milliseconds(ours), await milliseconds(floor)))
        if undo is not None:
            await undo()
    warm = times[warm_up:]
    return Pair(what=what, floor_is=floor_is, ours=median(it[0] for it in warm), floor=median(it[1] for it in warm))


async def milliseconds(call: Call) -> float:
    """How long one call takes."""
    began = time.perf_counter()
    await call()
    return (time.perf_counter() - began) * 1000
