"""Memory stays constant whatever the size of a file."""

import asyncio
import sys

import pytest
from lattice_files.adapters.worker_answers import MEBIBYTE
from service.files_adapters.workbench import TESTS

pytestmark = pytest.mark.long


@pytest.mark.parametrize("through", ["worker", "blobs"])
async def test_fifty_mebibytes_pass_with_less_than_sixteen_of_memory(through: str) -> None:
    """MP-34, L-06: the largest file, both ways, in a process of its own."""
    probe = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "service.files_adapters.memory_probe",
        through,
        cwd=TESTS,
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await probe.communicate()
    assert probe.returncode == 0
    assert int(output) < 16 * MEBIBYTE
