"""Documents that went wrong, by seed: the worker lives, answers in time and with a type, and never reads nothing."""

from pathlib import Path

import pytest
from service.wordcraft.fuzzing import mutant, played
from service.wordcraft.worker import Worker

pytestmark = pytest.mark.documents

SAMPLE = range(100)
ONCE_FAILED = {
    182: "a text box whose shown form is gone read as nothing",
    256: "words whose paragraph was renamed read as nothing",
    444: "words in the properties of a run read as nothing",
    601: "a main part that the engine does not find was an internal error",
}
"""Seeds of `python -m soak.fuzzing` that once broke the claim, and how."""


@pytest.mark.parametrize("seeds", [SAMPLE[at : at + 10] for at in range(0, 100, 10)], ids=lambda it: f"from {it[0]}")
async def test_a_document_that_went_wrong_is_read_or_refused(seeds: range, worker: Worker, corpus: Path) -> None:
    """N-13, N-25, SE-10."""
    for seed in seeds:
        print(seed, await played(mutant(seed, corpus), worker))


@pytest.mark.parametrize("seed", ONCE_FAILED)
async def test_what_once_failed_is_mended(seed: int, worker: Worker, corpus: Path) -> None:
    """N-13, N-25, SE-10."""
    await played(mutant(seed, corpus), worker)
