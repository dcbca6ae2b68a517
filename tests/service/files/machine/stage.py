"""Where explorations play: a server of their own, and a workspace of its own for each."""

import asyncio
import itertools
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice_chassis.postgres.embedded import DatabaseUrls
from lattice_files.main import running
from lattice_files.settings import FilesSettings
from service.files.machine.commands import NOTE, TASK
from service.files.machine.play import Play
from service.files.machine.service import Service, service_at
from service.files.structured import NOTE as NOTE_SCHEMA
from service.files.structured import TASK as TASK_SCHEMA
from service.files.structured import registers

_Result = TypeVar("_Result")
_WITHIN: Final = 60.0
"""Seconds that one step may take."""

_numbers: Final = itertools.count(1)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A server with everybody's channels, in the event loop that runs it."""

    service: Service
    loop: asyncio.AbstractEventLoop
    told: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each command was answered how."""

    def new_play(self) -> Play:
        """A play in a workspace that nobody used."""
        return Play(self.service.in_workspace(f"play-{next(_numbers)}"), self.told)

    def wait_for(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """What the work comes to, for a thread that is not the loop's."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(_WITHIN)


@asynccontextmanager
async def open_stage(
    make_settings: Callable[..., FilesSettings], urls: DatabaseUrls, integrations: str
) -> AsyncIterator[Stage]:
    """A stage with the two registered kinds."""
    # Not in pytest's own folders: workers have sockets in here, whose paths may not be long.
    with tempfile.TemporaryDirectory(prefix="machine-") as folder:
        spool = Path(folder)
        async with (
            running(make_settings(spool=spool)) as server,
            service_at(server.address, integrations, urls.service, spool) as service,
        ):
            olga = service.people["olga"]
            await registers(olga, TASK, TASK_SCHEMA)
            await registers(olga, NOTE, NOTE_SCHEMA, policy=artifacts_pb.WRITE_POLICY_PROPOSE)
            yield Stage(service=service, loop=asyncio.get_running_loop())
