"""The whole suite on this machine: one embedded PostgreSQL, three services, the workers that files spawns.

Everything it keeps lies in one folder: `postgres/`, `blobs/`, `logs/`, and `suite.json`, which tells the other
commands where the services listen while it runs. Recent spans are kept in memory, for as long as it runs.
"""

import asyncio
import fcntl
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from lattice_chassis.postgres.embedded import DatabaseUrls, EmbeddedPostgres, EmbeddedPostgresError

from lattice_cli.certificates import Certificates
from lattice_cli.connection import Addresses
from lattice_cli.processes import (
    Program,
    RunningService,
    ServiceFailedError,
    free_address,
    require_free,
    run_to_end,
    start,
    stop,
)
from lattice_cli.span_receiver import KeptSpans, receiving

Result = TypeVar("Result")

ADDRESSES_FILE: Final = "suite.json"

SERVICES: Final = ("integrations", "files", "agent")
"""Each calls only those before it; they stop in reverse."""


@dataclass(kw_only=True)
class Suite:
    """A running suite. A service may be killed and started again, with the same address and database."""

    folder: Path
    addresses: Addresses
    databases: Mapping[str, DatabaseUrls]
    """The database of each service."""
    programs: Mapping[str, Program]
    spans: KeptSpans
    """What all processes did lately; each tells it within a moment."""
    running: dict[str, RunningService] = field(default_factory=dict)

    def log_of(self, service: str) -> Path:
        """The log file of a service."""
        return self.folder / "logs" / f"{service}.log"

    async def start(self, service: str) -> RunningService:
        """Start a service that is not running, and wait until it serves.

        Raises:
            ServiceFailedError: it did not come up.
        """
        address: str = getattr(self.addresses, service)
        self.running[service] = await start(self.programs[service], address, self.log_of(service))
        return self.running[service]

    async def stop(self, service: str) -> None:
        """Let a service drain and end; nothing happens where it has ended."""
        if running := self.running.pop(service, None):
            await stop(running)

    async def kill(self, service: str) -> None:
        """End a service as a power cut would."""
        running = self.running.pop(service)
        running.kill()
        await running.process.wait()


@asynccontextmanager
async def running_suite(
    folder: Path,
    *,
    services: Sequence[str] = SERVICES,
    addresses: Addresses | None = None,
    settings: Mapping[str, str] | None = None,
    postgres_settings: Mapping[str, str] | None = None,
    certificates: Certificates | None = None,
    keeps_spans: bool = True,
) -> AsyncIterator[Suite]:
    """Start everything in `folder`, and on leaving stop it in reverse.

    Args:
        folder: where data and logs are kept; a suite that ran there before goes on with its data.
        services: what to migrate and start, in the order of SERVICES; any other has an empty database and can be
            started once somebody has migrated that.
        addresses: where the services listen; unless given, on free ports of the loopback.
        settings: environment for the services over what the suite sets itself.
        postgres_settings: settings of the embedded server, such as `fsync=off` for tests.
        certificates: what services and clients show each other; unless given, nothing is encrypted.
        keeps_spans: whether all processes send their spans to the suite, which keeps recent ones in memory; else they
            go where the environment says, such as to a tracing backend.

    A cancel while it starts stops what has started.

    Raises:
        ServiceFailedError: another suite runs in the folder, an address is taken, or PostgreSQL, a service or
            its migration failed; the message ends with its log.
        OSError: the folder cannot be written.
    """
    folder = folder.resolve()
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    where = replace(addresses or free_addresses(), tls=certificates.client if certificates else None)
    async with AsyncExitStack() as stack:
        stack.enter_context(_owned(folder))
        (folder / ADDRESSES_FILE).unlink(missing_ok=True)  # what a killed suite left
        require_free([where.integrations, where.files, where.agent, where.spans])
        receiver = await stack.enter_async_context(receiving(where.spans))
        where = replace(where, traces=receiver.url if keeps_spans else "")
        databases = await stack.enter_async_context(_databases(folder / "postgres", postgres_settings))
        programs = {
            service: Program(
                name=f"lattice-{service}",
                arguments=["serve"],
                environment={
                    **environment_of(service, where, databases[service], folder),
                    **(receiver.environment if keeps_spans else {}),
                    **(certificates.environment(_prefix(service)) if certificates else {}),
                    **(settings or {}),
                },
                tls=where.tls,
            )
            for service in SERVICES
        }
        suite = Suite(folder=folder, addresses=where, databases=databases, programs=programs, spans=receiver.spans)
        await together(_migrate(suite, service, databases[service]) for service in services)
        for service in SERVICES:
            stack.push_async_callback(suite.stop, service)
        await together(suite.start(service) for service in services)  # none needs another one to start
        where.save(folder / ADDRESSES_FILE)
        stack.callback((folder / ADDRESSES_FILE).unlink, missing_ok=True)
        yield suite


def free_addresses() -> Addresses:
    """Addresses on ports of the loopback that are free now."""
    return Addresses(integrations=free_address(), files=free_address(), agent=free_address(), spans=free_address())


_WORDCRAFT: Final = {
    "name": "wordcraft",
    # The suite on one's own machine opens one's own documents: programs run although that machine cannot confine them.
    "command": ["env", "LATTICE_WORDCRAFT_UNCONFINED=true", str(Path(sys.executable).with_name("lattice-wordcraft"))],
}
"""The app that the suite serves unless the environment names others."""


def environment_of(service: str, addresses: Addresses, databases: DatabaseUrls, folder: Path) -> dict[str, str]:
    """What a service reads: its address, its database, and the peers below it."""
    prefix = _prefix(service)
    common = {
        f"{prefix}LISTEN": getattr(addresses, service),
        f"{prefix}DATABASE_URL": databases.service,
        f"{prefix}FOLLOWER_DATABASE_URL": databases.follower,
        f"{prefix}LOG_FORMAT": "human",
    }
    match service:
        case "files":
            return common | {
                f"{prefix}BLOBS_URL": (folder / "blobs").as_uri(),
                f"{prefix}INTEGRATIONS": addresses.integrations,
                f"{prefix}APPS": os.environ.get(f"{prefix}APPS", json.dumps([_WORDCRAFT])),
            }
        case "agent":
            return common | {f"{prefix}FILES": addresses.files}
        case _:
            return common


def _prefix(service: str) -> str:
    return f"LATTICE_{service.upper()}_"


@contextmanager
def _owned(folder: Path) -> Iterator[None]:
    """Hold the folder; the system lets go of it when we end, however we end."""
    with (folder / "suite.lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ServiceFailedError(f"another suite runs in {folder}: stop it, or name another folder") from None
        yield


@asynccontextmanager
async def _databases(folder: Path, settings: Mapping[str, str] | None) -> AsyncIterator[dict[str, DatabaseUrls]]:
    """A PostgreSQL in the folder, with a database for each service."""
    try:
        postgres = EmbeddedPostgres(folder, settings=settings)
        try:
            await _in_thread(postgres.start)
            yield {it: await _in_thread(partial(postgres.create_database, f"lattice_{it}")) for it in SERVICES}
        finally:
            await _in_thread(postgres.stop)
    except EmbeddedPostgresError as error:
        raise ServiceFailedError(f"PostgreSQL failed: {error}") from error


async def _in_thread(step: Callable[[], Result]) -> Result:
    """Take a step that blocks, always to its end: a cancel is obeyed after it."""
    running = asyncio.ensure_future(asyncio.to_thread(step))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.gather(running, return_exceptions=True)
        raise


async def together(works: Iterable[Coroutine[Any, Any, object]]) -> None:
    """Do all at once; where one fails the others are ended, and its error alone is told."""
    try:
        async with asyncio.TaskGroup() as group:
            for work in works:
                group.create_task(work)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None


async def _migrate(suite: Suite, service: str, databases: DatabaseUrls) -> None:
    as_owner = {**suite.programs[service].environment, f"{_prefix(service)}DATABASE_URL": databases.owner}
    program = Program(name=f"lattice-{service}", arguments=["migrate"], environment=as_owner)
    await run_to_end(program, suite.log_of(service))
