"""A program that serves two agents, killed in the middle of a run of each."""

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from faults.agent.program import Program
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice_agent.main import MIGRATIONS
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from service.agent.agent_people import Person, person
from service.agent.scripted_files import ScriptedFiles, serving_files

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]

ASSISTANT, WRITER = "slow_agent:make_runner", "slow_agent:make_writer"
THREADS = {"thr_1": "assistant", "thr_2": "writer"}


@pytest.fixture
async def urls(new_database: Callable[[], DatabaseUrls]) -> DatabaseUrls:
    urls = new_database()
    await migrate(urls.owner, MIGRATIONS)
    return urls


@pytest.fixture
async def program(urls: DatabaseUrls) -> AsyncIterator[Program]:
    """The program, not started yet."""
    scripted = ScriptedFiles()  # type: ignore[abstract]  # the calls that it does not serve are UNIMPLEMENTED
    async with serving_files(scripted) as files:
        program = Program(urls.service, files.address)
        yield program
        if program.runs:
            await program.kill()


async def spoke(who: Person, thread_id: str) -> list[str]:
    """Under which names agents acted in a thread."""
    return [it.actor.agent.name for it in await who.reads() if it.thread_id == thread_id and it.actor.HasField("agent")]


async def test_each_thread_goes_on_with_its_own_agent_after_a_kill(
    program: Program, urls: DatabaseUrls, eventually: Eventually
) -> None:
    """TH-13, TH-14, RN-13, RN-15: also where one is served alone for a while, and another is the default later."""
    looking = {"LATTICE_AGENT_FOLLOWER_DATABASE_URL": urls.follower, "LATTICE_AGENT_LOOK_EVERY": "200ms"}
    await program.start(ASSISTANT, WRITER, **looking)
    async with person(program.address, f"tenant-{uuid.uuid4().hex}", "ann") as ann:
        for thread_id, agent_name in THREADS.items():
            await ann.creates_thread(thread_id, agent_name=agent_name)
            await ann.sends("think slowly", thread_id=thread_id)
        await program.kill()

        async def failed() -> dict[str, str]:
            listed = await ann.runs.ListRuns(runs_pb.ListRunsRequest(workspace=ann.workspace))
            return {it.thread_id: it.failure_reason for it in listed.runs if it.failure_reason}

        await program.start(WRITER, **looking)
        await ann.is_connected()
        await eventually(failed)
        assert await failed() == {"thr_2": "abandoned"}
        await ann.sends("go on", thread_id="thr_1")
        await program.kill()

        async def both_have_gone_on() -> bool:
            runs = await ann.runs.ListRuns(runs_pb.ListRunsRequest(workspace=ann.workspace))
            done = {it.thread_id for it in runs.runs if it.status == runs_pb.RUN_STATUS_COMPLETED}
            return done == set(THREADS)

        await program.start(WRITER, ASSISTANT, **looking)
        await ann.is_connected()
        await ann.sends("go on", thread_id="thr_2")
        await eventually(both_have_gone_on)
        assert await failed() == dict.fromkeys(THREADS, "abandoned")
        for thread_id, agent_name in THREADS.items():
            assert set(await spoke(ann, thread_id)) == {agent_name}
