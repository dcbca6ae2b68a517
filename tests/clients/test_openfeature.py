"""flagd's own provider from the package index, in examples/clients/python/switches.py, against the live suite."""

import asyncio
import os
import sys
import uuid
from collections.abc import Sequence
from dataclasses import replace

from clients.conftest import Deployment
from clients.programs import EXAMPLES
from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice_cli.connection import Connection

KEY = "files:wordcraft"
PATIENCE = 120.0
"""Seconds for a line on a busy machine."""


async def switch(olga: Connection, workspace: str, *, on: bool, expected: int) -> None:
    """What an administrator does."""
    await olga.integrations.SetEnabled(
        pb.SetEnabledRequest(
            workspace=workspace, key=KEY, enabled=on, expected_revision=expected, request_id=str(uuid.uuid4())
        )
    )


async def lines(program: asyncio.subprocess.Process, count: int) -> Sequence[str]:
    """The next lines that the program prints."""
    assert program.stdout is not None
    async with asyncio.timeout(PATIENCE):
        return [(await program.stdout.readline()).decode().strip() for _ in range(count)]


async def test_the_provider_reads_switches_and_hears_of_changes_over_tls_with_a_token(deployment: Deployment) -> None:
    """I-16, I-20, SE-01: and one workspace's answer is never taken for another's by the provider's cache."""
    elsewhere = replace(deployment, workspace=f"{deployment.workspace}-elsewhere")
    here, there = (it.workspace.rpartition("/")[2] for it in (deployment, elsewhere))
    async with deployment.connected("olga") as olga:
        await switch(olga, elsewhere.workspace, on=False, expected=0)
        program = await asyncio.create_subprocess_exec(
            sys.executable,
            EXAMPLES / "python" / "switches.py",
            *(KEY, here, there),
            env={**os.environ, **deployment.environment},
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            assert await lines(program, 2) == [f"{KEY} in {here}: on", f"{KEY} in {there}: off"]
            for revision, now in enumerate(("off", "on")):
                await switch(olga, deployment.workspace, on=now == "on", expected=revision)
                assert await lines(program, 3) == [
                    f"changed: {KEY}",
                    f"{KEY} in {here}: {now}",
                    f"{KEY} in {there}: off",
                ]
        finally:
            program.kill()
            await program.wait()
