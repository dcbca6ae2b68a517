"""Many clients on few files at two servers: what they saw is what some order of their calls explains."""

import itertools
from typing import Final

import pytest
from lattice_chassis.server import BoundServer
from lattice_files.main import running
from service.files.conftest import MakeSettings
from service.files.histories.file import CHECKOUT, FileRules
from service.files.histories.recording import Recording, record, require_linearizable

pytestmark = pytest.mark.long

_numbers: Final = itertools.count(1)


@pytest.mark.parametrize("seed", [1])
async def test_while_leases_last_each_file_is_linearizable(
    server: BoundServer, make_settings: MakeSettings, seed: int
) -> None:
    """L-01, L-02, L-04, L-08, F-02 to F-07, X-07, WP-07: check-outs do not lapse."""
    recording = Recording(seed=seed, workspace=f"long-{next(_numbers)}", calls=25)
    async with running(make_settings()) as other:
        history = await record(recording, [server.address, other.address])
    assert not history.unexpected
    assert require_linearizable(history, FileRules()) > 100


@pytest.mark.parametrize("seed", [2])
async def test_where_leases_lapse_under_their_holders_each_file_is_linearizable(
    make_settings: MakeSettings, seed: int
) -> None:
    """L-03, F-05: an end may come at any time, and what was lapsed is taken over or checked in late."""
    recording = Recording(seed=seed, workspace=f"short-{next(_numbers)}", calls=25)
    hasty = make_settings(check_out="40ms", check_out_total="80ms")
    async with running(hasty) as one, running(hasty) as other:
        history = await record(recording, [one.address, other.address])
    assert not history.unexpected
    assert require_linearizable(history, FileRules(may_lapse=frozenset({CHECKOUT}))) > 100
