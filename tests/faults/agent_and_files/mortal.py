"""files as a process that goes away and comes back, at one address."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from lattice_chassis import failpoints
from lattice_cli.processes import RunningService, start, stop
from lattice_files.settings import FilesSettings
from service.files.program import files_program


@dataclass(kw_only=True)
class MortalFiles:
    """The process that serves now, or did."""

    service: RunningService

    @property
    def address(self) -> str:
        """Where it listens."""
        return self.service.address

    async def dies(self) -> None:
        """Return once it has died by itself."""
        await self.service.process.wait()

    async def goes_away(self) -> None:
        """Kill it."""
        self.service.kill()
        await self.dies()

    async def comes_back(self) -> None:
        """Start it again, unless it runs; this time it does not die by itself."""
        if self.service.process.returncode is None:
            return
        program = self.service.program
        program = replace(program, environment={**program.environment, failpoints.VARIABLE: ""})
        self.service = await start(program, self.service.address, self.service.log)


@asynccontextmanager
async def mortal_files(settings: FilesSettings, folder: Path, *, dies_at: str = "") -> AsyncIterator[MortalFiles]:
    """Files with these settings, gone on leaving; with `dies_at` it dies once it reaches this stage."""
    async with files_program(settings, folder, dies_at=dies_at) as program:
        files = MortalFiles(service=program.service)
        yield files
        await stop(files.service)
