"""Two processes of files on one database, killed under their clients and started again."""

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from lattice_chassis.postgres.embedded import EmbeddedPostgres
from lattice_chassis.postgres.migrations import migrate
from lattice_cli import processes
from lattice_cli.processes import RunningService
from lattice_files.main import MIGRATIONS
from lattice_files.settings import AppSettings, FilesSettings
from lattice_integrations.main import MIGRATIONS as INTEGRATIONS_MIGRATIONS
from lattice_integrations.main import running as running_integrations
from lattice_integrations.settings import DeclaredIntegration, IntegrationsSettings
from service.files.histories.clients import History
from service.files.histories.file import EDIT, FileRules
from service.files.histories.recording import Recording, record, require_linearizable
from service.files.people import FAKEAPP
from service.files.program import TESTS, files_program

KILLS: Final = 3
"""How many times a server is killed in one history."""

_APP: Final = AppSettings(name="fakeapp", command=(sys.executable, str(TESTS / "fakes" / "fake_app")))


@asynccontextmanager
async def stage() -> AsyncIterator[FilesSettings]:
    """A database that survives its servers, beside integrations in this process."""
    with tempfile.TemporaryDirectory(prefix="lattice-histories-") as folder:
        root = Path(folder)
        (root / "blobs").mkdir()
        with EmbeddedPostgres(root / "postgres") as postgres:
            urls, switches = postgres.create_database("files"), postgres.create_database("integrations")
            await migrate(urls.owner, MIGRATIONS)
            await migrate(switches.owner, INTEGRATIONS_MIGRATIONS)
            declared = DeclaredIntegration(key=FAKEAPP, title="Fake app", enabled_by_default=True)
            beside = IntegrationsSettings.model_validate({"database_url": switches.service, "registry": (declared,)})
            async with running_integrations(beside) as integrations:
                # The lease of an edit that was killed lapses within the history.
                limits = {"edit": "3s", "edit_lease": "4s"}
                where = {"database_url": urls.service, "blobs_url": str(root / "blobs"), "spool": root / "s"}
                beside_it = {"integrations": integrations.address, "apps": (_APP,)}
                yield FilesSettings.model_validate({**limits, **where, **beside_it})


@dataclass(kw_only=True)
class _Server:
    service: RunningService

    async def dies_and_comes_back(self) -> None:
        self.service.kill()
        await self.service.process.wait()
        self.service = await processes.start(self.service.program, self.service.address, self.service.log)


async def killed_history(settings: FilesSettings, seed: int) -> str:
    """Record a history under kills and prove it; a line that says how large it was.

    Raises:
        AssertionError: it is not linearizable, or the feed is not whole.
        TooManyConfigurations: the checker gave up.
    """
    random = Random(seed)  # noqa: S311 - nothing secret
    recording = Recording(seed=seed, workspace=f"seed-{seed}", calls=40, impatience=0.03)
    with tempfile.TemporaryDirectory(prefix="lattice-history-") as folder:
        async with AsyncExitStack() as stack:
            servers = []
            for name in ("one", "two"):
                logs = Path(folder) / name
                logs.mkdir()
                program = await stack.enter_async_context(files_program(settings, logs))
                servers.append(_Server(service=program.service))
                stack.push_async_callback(_stopped, servers[-1])

            async def killing(history: History) -> None:
                for _ in range(KILLS):
                    await asyncio.sleep(random.uniform(0.1, 0.8))
                    history.kills.append(time.monotonic())
                    await random.choice(servers).dies_and_comes_back()

            history = await record(recording, [it.service.address for it in servers], killing)
    count = require_linearizable(history, FileRules(may_lapse=frozenset({EDIT})))
    unknown = sum(not it.is_known for operations in history.operations.values() for it in operations)
    return f"seed {seed}: {count} operations, {unknown} of them without an answer, are linearizable"


async def _stopped(server: _Server) -> None:
    await processes.stop(server.service)
