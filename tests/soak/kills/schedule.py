"""When which services are killed, and for how long: a function of a seed alone.

What the processes do meanwhile is theirs, so a seed repeats the plan and not the interleaving; a seed that failed once
is worth playing often.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

EDIT: Final = "lattice.files.v1.NativeFilesService/Edit"
CHECK: Final = "lattice.integrations.v1.IntegrationsService/CheckEnabled"
SET: Final = "lattice.integrations.v1.IntegrationsService/SetEnabled"
BATCH: Final = "lattice.app.v1.AppService/ApplyBatch"

MOMENTS: Final = {
    ("files",): ("lease.acquire", BATCH, "blobs.put", "commit", "lease.release", CHECK),
    ("agent",): ("chat scripted", "execute_tool read_native", EDIT, "execute_tool edit_native", "run"),
    ("integrations",): (CHECK, SET),
    ("files", "agent"): ("lease.acquire", "commit", EDIT),
    ("integrations", "files", "agent"): ("commit", SET),
}
"""Who dies together, and the spans at whose ends it hurts most: the file is held, or committed and not yet answered."""

_WEIGHTS: Final = (9, 6, 3, 2, 1)
_RANDOM_MOMENTS: Final = 0.3
"""The share of the cuts that follow no span."""


@dataclass(frozen=True, kw_only=True)
class Cut:
    """Some services killed at once, and started again."""

    services: tuple[str, ...]
    after: str
    """The name of the span whose end it follows; empty for none."""
    delay: float
    """Seconds from then."""
    down: float
    """Seconds until they are started again."""

    def __str__(self) -> str:
        where = f" after {self.after.rpartition('/')[2]}" if self.after else ""
        return f"{'+'.join(self.services)}{where} +{self.delay * 1000:.0f} ms, down {self.down:.1f} s"


def schedule(seed: int, cuts: int) -> Sequence[Cut]:
    """The cuts of a seed, in order."""
    random = Random(seed)  # noqa: S311  # a schedule is to be repeated, not to be secret
    return [_cut(random) for _ in range(cuts)]


def _cut(random: Random) -> Cut:
    [services] = random.choices(list(MOMENTS), _WEIGHTS)
    if random.random() < _RANDOM_MOMENTS:
        return Cut(services=services, after="", delay=random.uniform(0.1, 1.5), down=random.uniform(0, 1))
    # Mostly at once: what follows a span within milliseconds is what a crash must not part from it.
    delay = random.choice((0.0, 0.0, random.uniform(0, 0.01), random.uniform(0, 0.1)))
    return Cut(services=services, after=random.choice(MOMENTS[services]), delay=delay, down=random.uniform(0, 1))
