"""Documents that went wrong, before the real worker: `python -m soak.fuzzing [SEED…]`.

Without seeds, the first LATTICE_SOAK_DOCUMENTS of them. Prints what came of each kind and a summary; exits with 1 where
a claim of `service.wordcraft.fuzzing` broke. A seed that failed belongs into the list of test_fuzzing.py.
"""

import asyncio
import os
import sys
from collections import Counter
from pathlib import Path

from service.wordcraft.conftest import CORPUS
from service.wordcraft.fuzzing import mutant, played
from service.wordcraft.watching import watched_memory
from service.wordcraft.worker import running_worker

DOCUMENTS = int(os.environ.get("LATTICE_SOAK_DOCUMENTS", "2000"))


async def main(seeds: list[int]) -> int:
    """Play each seed on one worker, and say which failed."""
    failed, outcomes, slowest = [], Counter[str](), (0.0, 0)
    command = [str(Path(sys.executable).with_name("lattice-wordcraft"))]
    async with running_worker(command) as worker:
        with watched_memory(worker.process.pid) as memory:
            for seed in seeds:
                document = mutant(seed, CORPUS)
                try:
                    outcome = await played(document, worker)
                except AssertionError as breach:
                    failed.append(seed)
                    print(f"seed {seed}: BROKEN {document.original}, {document.level}: {breach}", flush=True)
                    continue
                if outcome.what.startswith("APP_"):
                    print(f"seed {seed}: {document.original}, {document.level}: {outcome.what}", flush=True)
                outcomes[outcome.what] += 1
                slowest = max(slowest, (outcome.seconds, seed))
    for what, count in outcomes.most_common():
        print(f"{count:5} {what}")
    print(f"the slowest took {slowest[0]:.2f} s (seed {slowest[1]}), the most memory was {memory.peak / 2**20:.0f} MiB")
    print(f"{len(seeds)} documents, {len(failed)} failed{': seeds' if failed else ''}", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main([int(it) for it in sys.argv[1:]] or list(range(DOCUMENTS)))))
