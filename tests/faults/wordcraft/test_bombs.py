"""Packages that unpack to more than they seem, made in earnest; the fast suite tries their small kin."""

import pytest
from service.wordcraft.hostile.case import Case
from service.wordcraft.hostile.cases import BOMBS
from service.wordcraft.hostile.trial import tried
from service.wordcraft.watching import listening
from service.wordcraft.worker import running_worker

pytestmark = pytest.mark.documents


@pytest.mark.parametrize("case", BOMBS, ids=lambda case: case.name)
async def test_a_bomb_is_refused_or_handled_within_a_gibibyte(case: Case, worker_command: list[str]) -> None:
    """SE-10: by a fresh worker, so that no other document's memory is counted."""
    async with listening() as listener, running_worker(worker_command) as worker:
        print(await tried(case, worker, listener))
