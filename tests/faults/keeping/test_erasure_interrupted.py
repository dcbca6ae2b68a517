"""Erasures that are killed, and that race with writers and runs."""

import asyncio
import dataclasses
import os
from pathlib import Path
from typing import cast

import grpc
import pytest
from faults.keeping.stage import Opened, Ran, files_in, furnish, lattice, rows_of
from lattice_chassis.errors import refusal_of
from lattice_cli import conversations, native_files
from lattice_cli.connection import Connection
from lattice_cli.suite import Suite

pytestmark = pytest.mark.timeout(900)


def erasing(suite: Suite, workspace: str, **environment: str) -> Ran:
    told = ("erase", workspace, "--yes", workspace)
    return lattice(suite.folder, *told, environment={**os.environ, **environment})


def contents_of(suite: Suite, workspace: str) -> list[Path]:
    return [path for path in files_in(suite, workspace) if path.is_file()]


@pytest.mark.parametrize(
    "stage",
    [
        pytest.param("erase.closed", marks=pytest.mark.soak),
        "erase.deleted",
        pytest.param("erase.cleared", marks=pytest.mark.soak),
    ],
)
async def test_an_erasure_that_is_killed_is_finished_by_a_repeat(
    suite: Suite, opened: Opened, document: Path, stage: str
) -> None:
    """ER-01: wherever it dies, no writer comes back in between."""
    workspace = f"cut-at-{stage.replace('.', '-')}"
    async with opened("acme", workspace) as connection:
        await furnish(connection, document)
        killed = await asyncio.to_thread(erasing, suite, workspace, LATTICE_FAILPOINT=stage)
        assert killed.status == 1
        assert "ended with status -9" in str(killed.lines)
        again = await asyncio.to_thread(erasing, suite, workspace)
        assert again.status == 0, again
    assert rows_of(suite, f"'{workspace}'") == {}
    assert contents_of(suite, workspace) == []


async def test_what_races_with_an_erasure_is_erased_or_refused(suite: Suite, opened: Opened, document: Path) -> None:
    """ER-02: uploads and threads, begun before, during and after it."""
    async with opened("acme", "raced") as connection:
        writers = [asyncio.create_task(_until_refused(connection, document)) for _ in range(4)]
        await asyncio.wait(writers, timeout=2)
        ran = await asyncio.to_thread(erasing, suite, "raced")
        assert ran.status == 0, ran
        done = await asyncio.gather(*writers)
        assert sum(done) > 0
    assert rows_of(suite, "'raced'") == {}
    assert contents_of(suite, "raced") == []
    assert lattice(suite.folder, "verify").lines == []


async def _until_refused(connection: Connection, document: Path) -> int:
    """Write until both services refuse, and answer how many writes were taken."""
    taken, closed = 0, set[str]()
    while len(closed) < 2:
        for service in ("files", "agent"):
            try:
                if service == "files":
                    await native_files.upload(connection, document)
                else:
                    await conversations.create_thread(connection, "Late")
                assert service not in closed, "what is closed stays closed"
                taken += 1
            except grpc.aio.AioRpcError as error:
                refusal = refusal_of(error)
                assert refusal is not None
                if refusal.reason == "PEER_UNAVAILABLE":  # its blobs went between their storing and their commit
                    continue
                assert (refusal.reason, refusal.metadata["entity"]) == ("NOT_FOUND", "workspace")
                closed.add(service)
    return taken


async def test_a_run_is_ended_before_anything_is_erased(suite: Suite, opened: Opened, document: Path) -> None:
    """ER-03: a model that would answer in an hour is not waited for."""
    programs = cast("dict[str, object]", suite.programs)
    quick = suite.programs["agent"]
    slow = {**quick.environment, "LATTICE_AGENT_PACE": "1h", "LATTICE_AGENT_CLAIM_TTL": "6s"}
    programs["agent"] = dataclasses.replace(quick, environment=slow)
    await suite.stop("agent")
    await suite.start("agent")
    try:
        async with opened("acme", "busy") as connection:
            await native_files.upload(connection, document)
            thread = await conversations.create_thread(connection, "Long")
            await conversations.send(connection, thread.thread_id, "Take your time.")
            ran = await asyncio.to_thread(erasing, suite, "busy")
            assert ran.status == 0, ran
            assert ran.lines[0]["erased"]["runs"] == 1
        assert rows_of(suite, "'busy'") == {}
    finally:
        programs["agent"] = quick
        await suite.stop("agent")
        await suite.start("agent")
