"""A cell: rooms in one confinement, where hostile programs run in place of an engine."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from lattice_wordcraft.sandbox.confinement import Bounds, Confinement
from lattice_wordcraft.sandbox.launch import NOBODY
from lattice_wordcraft.sandbox.rooms import Program, Room, Rooms

HOSTILE = Path(__file__).with_name("hostile.py")
SECRET = "LATTICE_TEST_SECRET"  # noqa: S105  a name
BOUNDS = Bounds(memory=200 * 2**20, file_bytes=32 * 2**20, tasks=200)


class Cell:
    """Where hostile programs run, with the bounds of these tests."""

    def __init__(self, confinement: Confinement, folder: Path) -> None:
        self.rooms = Rooms(confinement=confinement, folder=folder, bounds=BOUNDS)

    async def outcomes(self, *attempts: tuple[str, object]) -> dict[tuple[str, object], str]:
        """What came of each attempt, by the program's own account."""
        with self.rooms.room() as room:
            program = await self.started(room, *attempts)
            try:
                async with asyncio.timeout(20):
                    output, _ = await program.process.communicate()
            finally:
                program.kill()
                await program.ended()
            return dict(zip(attempts, output.decode().splitlines(), strict=True))

    async def escaped(self, *attempts: tuple[str, object]) -> dict[tuple[str, object], str]:
        """The attempts that did not end with an error, each with what it got."""
        outcomes = await self.outcomes(*attempts)
        return {attempt: outcome for attempt, outcome in outcomes.items() if not outcome.startswith("kept in")}

    @staticmethod
    async def started(room: Room, *attempts: tuple[str, object]) -> Program:
        """The hostile program at work."""
        file = room.put("hostile.py", HOSTILE.read_bytes())
        words = [str(word) for attempt in attempts for word in attempt]
        return await room.start(sys.executable, "-I", str(file), *words, environment={})


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter and write to: only a sandbox keeps a program out of it."""
    with TemporaryDirectory(prefix="open-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder


@pytest.fixture
def cell(confinement: Confinement, tmp_path: Path) -> Cell:
    """A cell in each confinement that works here."""
    return Cell(confinement, tmp_path)


@pytest.fixture
async def victim() -> AsyncIterator[asyncio.subprocess.Process]:
    """A process of the user that hostile programs are, with a secret in its environment."""
    user = NOBODY if os.geteuid() == 0 else None
    process = await asyncio.create_subprocess_exec(
        "/bin/sleep", "60", env={SECRET: "1"}, user=user, group=user, extra_groups=None if user is None else []
    )
    yield process
    if process.returncode is None:
        process.kill()
    await process.wait()
