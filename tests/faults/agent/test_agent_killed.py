"""The agent service killed in the middle of a run, and stopped."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from faults.agent.program import Program
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice_agent.main import MIGRATIONS
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_chassis.postgres.migrations import migrate
from lattice_chassis.server import BoundServer
from service.agent.agent_people import Person, person
from service.agent.scripted_files import ScriptedFiles, serving_files

Eventually = Callable[[Callable[[], Awaitable[object]]], Awaitable[None]]


@pytest.fixture(scope="module")
async def files() -> AsyncIterator[BoundServer]:
    """Files with an empty feed."""
    scripted = ScriptedFiles()  # type: ignore[abstract]  # the calls that it does not serve are UNIMPLEMENTED
    async with serving_files(scripted) as server:
        yield server


@pytest.fixture(scope="module")
async def program(new_database: Callable[[], DatabaseUrls], files: BoundServer) -> AsyncIterator[Program]:
    """The program, running, on a migrated database; it takes seconds to start."""
    urls = new_database()
    await migrate(urls.owner, MIGRATIONS)
    program = Program(urls.service, files.address)
    await program.start("slow_agent:make_runner")
    yield program
    if program.runs:
        await program.kill()


@pytest.fixture
async def ann(program: Program) -> AsyncIterator[Person]:
    """An editor."""
    async with person(program.address, f"tenant-{uuid.uuid4().hex}", "ann") as editor:
        yield editor


async def started(who: Person, run_id: str) -> log_pb.LogEntry:
    """The entry that tells of the run's start."""
    [entry] = [it for it in await who.reads() if it.run_id == run_id and it.HasField("run_started")]
    return entry


async def test_a_thread_whose_run_died_with_its_process_goes_on_with_the_next_message(
    program: Program, ann: Person, eventually: Eventually
) -> None:
    """RN-13, HI-03, HI-06, TH-05: the next turn closes the lost one, remembers its message, and answers."""
    await ann.creates_thread()
    lost = await ann.sends("think slowly")
    await started(ann, lost.run_id)
    await program.kill()
    await program.start("slow_agent:make_runner")
    await ann.is_connected()

    async def the_thread_goes_on() -> bool:  # until the dead process's claim has lapsed, messages go to its run
        await ann.sends("go on")
        await asyncio.sleep(0.2)  # each message is a turn of its own later
        return any(run.status == runs_pb.RUN_STATUS_COMPLETED for run in await ann.runs_of_the_thread())

    await eventually(the_thread_goes_on)
    given_up, next_run, *_ = await ann.runs_of_the_thread()
    assert (given_up.run_id, given_up.failure_reason) == (lost.run_id, "abandoned")
    assert given_up.status == runs_pb.RUN_STATUS_FAILED
    entries = await ann.reads()
    assert [entry.log_sequence for entry in entries] == list(range(1, len(entries) + 1))
    ends = [entry.run_id for entry in entries if entry.HasField("run_ended")]
    assert ends.index(lost.run_id) < ends.index(next_run.run_id)
    said = [entry for entry in entries if entry.run_id == next_run.run_id and entry.HasField("message_posted")]
    assert said[0].message_posted.content.startswith("I remember: ['think slowly', 'go on'")


async def test_a_program_that_is_asked_to_stop_records_the_end_of_its_runs(program: Program, ann: Person) -> None:
    """RN-17, RN-20: drained, its runs recorded as stopped, and no failure."""
    await ann.creates_thread()
    sent = await ann.sends("think slowly")
    await started(ann, sent.run_id)
    assert await program.stop() == 0
    await program.start("slow_agent:make_runner")
    await ann.is_connected()
    assert (await ann.run(sent.run_id)).status == runs_pb.RUN_STATUS_STOPPED
