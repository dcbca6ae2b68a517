"""Writers side by side: how much of the floor's throughput is left, and whether workspaces wait for each other."""

import asyncio
import itertools
import json
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from bench.floor import WAYS
from bench.measure import Pair, milliseconds
from bench.stage import PERSON, Stage
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice_cli import demo, native_files
from lattice_cli.connection import Connection, connect
from lattice_cli.native_files import new_request_id

DOCUMENT: Final = Path(demo.__file__).with_name("launch-brief.docx")
WRITERS: Final = 16
WRITES: Final = int(os.environ.get("LATTICE_BENCH_WRITES", "40"))
"""What each of them writes."""

ASK: Final = integrations_pb.CheckEnabledRequest(workspace=PERSON.workspace_name, key="files:wordcraft")


def floor_of(statements: tuple[int, int], way: str) -> str:
    """What the floor of a gated write is."""
    reads, writes = statements
    return f"two bare RPCs and one transaction of {reads} selects and {writes} updates by {WAYS[way]}"


async def renaming(person: Connection) -> Callable[[], Awaitable[object]]:
    """Uploads a file, and answers what gives it another name: a gated structured edit of its newest version."""
    return renaming_of(person, (await native_files.upload(person, DOCUMENT)).applied.artifact_id)


def renaming_of(person: Connection, artifact_id: str) -> Callable[[], Awaitable[object]]:
    """What gives a file that nobody has written to since its upload another name, each time that it is called."""
    versions = itertools.count(1)

    def write() -> Awaitable[object]:
        version = next(versions)
        patch = [{"op": "replace", "path": "/name", "value": f"{version}.docx"}]
        request = artifacts_pb.EditArtifactRequest(
            name=person.person.artifact_name(artifact_id),
            base_version=version,
            patch=artifacts_pb.Patch(json_patch=json.dumps(patch)),
            context=artifacts_pb.WriteContext(request_id=new_request_id()),
        )
        return person.artifacts.EditArtifact(request)

    return write


async def measure_writers(stage: Stage) -> str:
    """Writes a second of 16 writers, each in a workspace of its own, against 16 callers of the floor."""
    async with AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(
                connect(stage.suite.addresses, replace(PERSON, workspace=f"writer-{number}"))
            )
            for number in range(WRITERS)
        ]
        writes = [await renaming(it) for it in people]
        lanes: dict[str, list[Callable[[], Awaitable[object]]]] = {"ours": writes}
        lanes |= {way: [partial(floor.CheckEnabled, ASK)] * WRITERS for way, floor in stage.renaming.items()}
        rounds = [{name: await _throughput(calls) for name, calls in lanes.items()} for _ in range(3)]
    rates = {name: median(it[name] for it in rounds) for name in lanes}
    what = f"{WRITERS} writers, {WRITERS} workspaces"
    return "\n".join(
        f"{what:<34}{rates['ours']:>10.0f}/s {rates[way]:>9.0f}/s {rates['ours'] / rates[way]:>8.2f}"
        f"   {WRITERS} callers of that floor by {said}"
        for way, said in WAYS.items()
    )


async def measure_neighbours(stage: Stage) -> Pair:
    """A write alone, and beside a writer of another workspace that never rests."""
    async with connect(stage.suite.addresses, replace(PERSON, workspace="neighbour")) as neighbour:
        mine, theirs = await renaming(stage.alice), await renaming(neighbour)
        alone = [await milliseconds(mine) for _ in range(WRITES)]

        async def busy() -> None:
            while True:
                await theirs()

        beside = asyncio.create_task(busy())
        together = [await milliseconds(mine) for _ in range(WRITES)]
        beside.cancel()
        await asyncio.wait([beside])
    return Pair(
        what="a write beside another workspace's",
        floor_is="the same write alone; two writers share the cores",
        ours=median(together),
        floor=median(alone),
    )


async def _throughput(calls: list[Callable[[], Awaitable[object]]]) -> float:
    async def caller(call: Callable[[], Awaitable[object]]) -> None:
        for _ in range(WRITES):
            await call()

    began = time.perf_counter()
    await asyncio.gather(*map(caller, calls))
    return len(calls) * WRITES / (time.perf_counter() - began)
