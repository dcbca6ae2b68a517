"""What a program may use of the machine, and that nothing of it is left when its job is over."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from service.wordcraft.sandbox.conftest import BOUNDS, Cell

pytestmark = pytest.mark.documents


def left_running(mark: Path) -> list[int]:
    """The processes whose command line names a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if str(mark).encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


async def all_gone(mark: Path) -> bool:
    """Whether no such process is left, or soon will be."""
    with suppress(TimeoutError):
        async with asyncio.timeout(5):
            while left_running(mark):  # noqa: ASYNC110  the system's to bring about
                await asyncio.sleep(0.01)
    return left_running(mark) == []


async def test_it_has_no_children(cell: Cell) -> None:
    """SE-07: a fork bomb does not start."""
    assert await cell.escaped(("fork", 10_000)) == {}
    assert left_running(cell.rooms.folder) == []


async def test_it_has_no_more_threads_than_its_user_may(cell: Cell) -> None:
    """SE-07: which binds everybody but root, and so nobody."""
    assert await cell.escaped(("start_threads", 10_000)) == {}


async def test_it_writes_no_file_larger_than_it_may(cell: Cell) -> None:
    """SE-07: the disk is others' too."""
    with cell.rooms.room() as room:
        program = await cell.started(room, ("write_large", room.path / "large"))
        output, _ = await program.process.communicate()
        await program.ended()
        assert output.startswith(b"kept in")
        assert (room.path / "large").stat().st_size <= BOUNDS.file_bytes


async def test_one_that_takes_too_much_memory_is_killed(cell: Cell) -> None:
    """SE-07: within the time in which it could take much more."""
    with cell.rooms.room() as room:
        program = await cell.started(room, ("allocate", ""))
        most = 0
        async with asyncio.timeout(20):
            while program.process.returncode is None:
                most = max(most, program.memory)
                await asyncio.sleep(0.01)
        assert await program.ended() in {-signal.SIGKILL, 128 + signal.SIGKILL}
        assert BOUNDS.memory // 2 < most < 4 * BOUNDS.memory


async def test_one_that_spins_is_ended_with_all_of_it_and_its_room(cell: Cell) -> None:
    """SE-07: whatever it ignores."""
    with cell.rooms.room() as room:
        program = await cell.started(room, ("spin", ""))
        assert program.process.stdout is not None
        assert await program.process.stdout.readline() == b"spinning\n"
        assert left_running(room.path) != []
        program.kill()
        await program.ended()
    assert await all_gone(room.path)
    assert not room.path.exists()


async def test_it_does_not_go_on_when_its_job_is_over(cell: Cell) -> None:
    """SE-07: a program that leaves its process group would outlive a kill of that."""
    with cell.rooms.room() as room:
        program = await cell.started(room, ("detach", room.path / "later"))
        await program.process.communicate()
        await program.ended()
        assert left_running(room.path) == []


async def test_one_killed_before_it_has_started_leaves_nothing(cell: Cell) -> None:
    """SE-07: bubblewrap alone would leave a process that waits for ever."""
    for pause in (0, 0.002, 0.005, 0.01, 0.02):
        with cell.rooms.room() as room:
            program = await cell.started(room, ("spin", ""))
            await asyncio.sleep(pause)
            program.kill()
            await program.ended()
    assert await all_gone(cell.rooms.folder)


async def test_one_whose_job_is_cancelled_while_it_starts_leaves_nothing(cell: Cell) -> None:
    """SE-07, R-07: and holds nobody up."""
    for milliseconds in range(0, 16, 2):
        with cell.rooms.room() as room:
            starting = asyncio.create_task(cell.started(room, ("spin", "")))
            await asyncio.sleep(milliseconds / 1000)
            if not starting.cancel():
                (await starting).kill()
            with suppress(asyncio.CancelledError):
                async with asyncio.timeout(10):
                    await (await starting).ended()
    assert await all_gone(cell.rooms.folder)
