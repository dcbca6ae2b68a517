"""Histories of clients whose servers are killed: `python -m soak.histories [SEED…]`.

Without seeds, LATTICE_SOAK_HISTORIES of them at random. Prints a line a history and a summary; exits with 1 where one
is not linearizable, or where more than a fifth were too large to tell.
"""

import asyncio
import os
import sys
from random import SystemRandom

from service.files.histories.linearizability import TooManyConfigurations
from soak.histories.killing import killed_history, stage

HISTORIES = int(os.environ.get("LATTICE_SOAK_HISTORIES", "10"))


async def main(seeds: list[int]) -> int:
    """Record and check a history for each seed, and say which failed."""
    failed, undecided = [], []
    async with stage() as settings:
        for seed in seeds:
            try:
                print(await killed_history(settings, seed), flush=True)
            except TooManyConfigurations as gave_up:
                undecided.append(seed)
                print(f"seed {seed}: undecided, {gave_up}", flush=True)
            except AssertionError as breach:
                failed.append(seed)
                print(f"seed {seed}: BROKEN {breach}", flush=True)
    print(
        f"{len(seeds)} histories, {len(undecided)} undecided, {len(failed)} failed{': seeds' if failed else ''}",
        *failed,
    )
    return 1 if failed or len(undecided) > len(seeds) // 5 else 0  # too many that nobody can tell are no check


if __name__ == "__main__":
    given = [int(it) for it in sys.argv[1:]] or [SystemRandom().randrange(1_000_000) for _ in range(HISTORIES)]
    sys.exit(asyncio.run(main(given)))
