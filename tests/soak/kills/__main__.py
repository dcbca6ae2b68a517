"""Plays schedules of kills: `python -m soak.kills [SEED…]`; without seeds, LATTICE_SOAK_SCHEDULES of them at random.

Prints a line a schedule and a summary; exits with 1 where anything broke. A seed that failed belongs into the list of
tests/faults/test_kill_matrix.py.
"""

import asyncio
import os
import sys
from random import SystemRandom

from soak.kills.play import play

SCHEDULES = int(os.environ.get("LATTICE_SOAK_SCHEDULES", "5"))
CUTS = int(os.environ.get("LATTICE_SOAK_CUTS", "12"))


async def main(seeds: list[int]) -> int:
    """Play each seed, and say what broke."""
    failed = []
    for seed in seeds:
        report = await play(seed, CUTS, lambda cut: print(f"  {cut}", flush=True))
        print(report, flush=True)
        for breach in report.breaches:
            print(f"  BROKEN {breach}")
        if report.breaches:
            print(f"  logs and spans: {report.folder}")
            failed.append(seed)
    print(f"{len(seeds)} schedules of {CUTS} cuts, {len(failed)} failed{': seeds ' if failed else ''}", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    given = [int(it) for it in sys.argv[1:]] or [SystemRandom().randrange(1_000_000) for _ in range(SCHEDULES)]
    sys.exit(asyncio.run(main(given)))
