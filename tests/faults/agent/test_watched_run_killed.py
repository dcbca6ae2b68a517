"""A run that is watched at one replica while the one that executes it is killed."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable

import grpc
import pytest
from faults.agent.program import DEADLINE, Program
from lattice.agent.v1 import runs_service_pb2 as pb
from lattice_agent.main import MIGRATIONS
from lattice_chassis.errors import refusal_of
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from service.agent.agent_people import person
from service.agent.scripted_files import ScriptedFiles, serving_files

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


@pytest.fixture
async def programs(new_database: Callable[[], DatabaseUrls]) -> AsyncIterator[tuple[Program, Program]]:
    """Two replicas on one database, of which the second looks for what a crash leaves behind."""
    urls = new_database()
    await migrate(urls.owner, MIGRATIONS)
    async with serving_files(ScriptedFiles()) as files:  # type: ignore[abstract]  # the rest is UNIMPLEMENTED
        first, second = (Program(urls.service, files.address) for _ in range(2))
        looking = {"LATTICE_AGENT_FOLLOWER_DATABASE_URL": urls.follower, "LATTICE_AGENT_LOOK_EVERY": "500ms"}
        await asyncio.gather(first.start("wordy_agent:make_runner"), second.start("wordy_agent:make_runner", **looking))
        yield first, second
        for program in (first, second):
            if program.runs:
                await program.kill()


async def test_a_watch_says_that_the_replica_is_away_and_later_ends_with_its_run(
    programs: tuple[Program, Program], eventually: Eventually
) -> None:
    """LO-07, RN-13, RN-15: PEER_UNAVAILABLE as long as the claim lives, then the end of the run that was lost."""
    executing, watching = programs
    tenant = f"tenant-{uuid.uuid4().hex}"
    async with person(executing.address, tenant, "ann") as ann, person(watching.address, tenant, "bob") as bob:
        await ann.creates_thread()
        sent = await ann.sends("think slowly")
        seen = bob.runs.WatchRun(pb.WatchRunRequest(name=f"{bob.workspace}/runs/{sent.run_id}"))
        async with asyncio.timeout(DEADLINE):
            assert (await seen.read()).part_started.kind == "text"
            assert (await seen.read()).text_delta == "One, "
            await executing.kill()
            assert await _reason(seen) == "PEER_UNAVAILABLE"
        assert (await bob.run(sent.run_id)).status == pb.RUN_STATUS_RUNNING

        async def ends() -> bool:
            again = bob.runs.WatchRun(pb.WatchRunRequest(name=f"{bob.workspace}/runs/{sent.run_id}"))
            return await _reason(again) == ""

        await eventually(ends)
        lost = await bob.run(sent.run_id)
        assert (lost.status, lost.failure_reason) == (pb.RUN_STATUS_FAILED, "abandoned")


async def _reason(watch: grpc.aio.UnaryStreamCall[pb.WatchRunRequest, pb.WatchRunResponse]) -> str:
    """Why a watch ends; empty for an end without an error."""
    try:
        async for _ in watch:
            pass
    except grpc.aio.AioRpcError as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        return refusal.reason
    return ""
