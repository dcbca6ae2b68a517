"""`lattice up` as a process that is killed, interrupted or met by another one."""

import asyncio
import os
import shutil
import signal
import sysconfig
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
from lattice_chassis.postgres.embedded import EmbeddedPostgres
from lattice_cli.processes import free_address
from lattice_cli.suite import SERVICES

LATTICE = Path(sysconfig.get_path("scripts")) / "lattice"
WITHIN = 60.0


@pytest.fixture
def folder() -> Iterator[Path]:
    """A data folder that the system user of the server can get into."""
    made = Path(tempfile.mkdtemp(prefix="lattice-up-"))
    yield made
    with EmbeddedPostgres(made / "postgres"):
        pass  # whoever leaves last stops the server that a killed suite left
    shutil.rmtree(made)


@pytest.fixture
def addresses() -> dict[str, str]:
    """Where the three services listen."""
    return {service: free_address() for service in SERVICES}


@asynccontextmanager
async def up(folder: Path, addresses: dict[str, str]) -> AsyncIterator[asyncio.subprocess.Process]:
    """`lattice up` in a folder; killed on leaving where it still runs."""
    listen = [word for service, address in addresses.items() for word in (f"--{service}", address)]
    process = await asyncio.create_subprocess_exec(
        LATTICE, "--data", folder, "up", *listen,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, env=os.environ | {"COLUMNS": "400"},
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def serves(process: asyncio.subprocess.Process, folder: Path) -> None:
    """Wait until the suite's addresses are told."""
    async with asyncio.timeout(WITHIN):
        while not (folder / "suite.json").is_file():
            assert process.returncode is None, await said(process)
            await asyncio.sleep(0.05)


async def said(process: asyncio.subprocess.Process) -> str:
    """All that it printed, once it has ended."""
    async with asyncio.timeout(WITHIN):
        printed, _ = await process.communicate()
    return printed.decode()


def found(folder: Path, pattern: str) -> list[Path]:
    """What lies in the folder."""
    return list(folder.glob(pattern))


def living(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that are not dead; zombies are."""
    return [it for it in processes if _is_living(it)]


def _is_living(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:  # it ended while we looked
        return False


def _is_of_postgres(process: psutil.Process) -> bool:
    try:
        return bool(process.name() == "postgres")
    except psutil.NoSuchProcess:
        return False


async def gone(processes: list[psutil.Process]) -> None:
    """Wait until none of them lives."""
    async with asyncio.timeout(30):
        while living(processes):  # noqa: ASYNC110  # the kernel brings it about
            await asyncio.sleep(0.05)


def server_runs(folder: Path) -> bool:
    """Whether the folder's PostgreSQL is there; it takes this file away when it stops."""
    return (folder / "postgres" / "data" / "postmaster.pid").exists()


async def test_services_die_with_a_killed_suite_and_the_next_one_starts_in_its_place(
    folder: Path, addresses: dict[str, str]
) -> None:
    async with up(folder, addresses) as killed:
        await serves(killed, folder)
        children = psutil.Process(killed.pid).children(recursive=True)
        assert len(children) >= len(SERVICES)
        services = [it for it in children if not _is_of_postgres(it)]
        killed.send_signal(signal.SIGKILL)
        await killed.wait()
        await gone(services)
    async with up(folder, addresses) as next_one:
        await asyncio.wait_for(_own_addresses(next_one, folder), WITHIN)
        async with up(folder, {service: free_address() for service in SERVICES}) as other:
            assert f"another suite runs in {folder}" in await said(other)
            assert other.returncode == 1
        next_one.send_signal(signal.SIGINT)
        printed = await said(next_one)
    assert next_one.returncode == 0
    assert "Traceback" not in printed
    assert not server_runs(folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("reached", ["postgres/data/PG_VERSION", "postgres/initialised", "logs/agent.log"])
async def test_a_signal_while_the_suite_starts_ends_it_cleanly(
    folder: Path, addresses: dict[str, str], number: signal.Signals, reached: str
) -> None:
    async with up(folder, addresses) as process:
        async with asyncio.timeout(WITHIN):
            while not (folder / reached).exists():  # noqa: ASYNC110  # another process makes it
                await asyncio.sleep(0.01)
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(number)
        printed = await said(process)
    assert process.returncode == 0
    assert "Traceback" not in printed
    await gone(children)
    assert not server_runs(folder)
    assert not (folder / "suite.json").exists()


async def test_a_service_that_ends_by_itself_is_named(folder: Path, addresses: dict[str, str]) -> None:
    async with up(folder, addresses) as process:
        await serves(process, folder)
        [files] = [it for it in psutil.Process(process.pid).children() if "lattice-files" in " ".join(it.cmdline())]
        files.kill()
        assert "files ended by itself with status -9" in await said(process)
    assert process.returncode == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_while_the_demo_starts_leaves_nothing(folder: Path, number: signal.Signals) -> None:
    process = await asyncio.create_subprocess_exec(
        LATTICE, "demo", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        env=os.environ | {"TMPDIR": str(folder)},
    )  # fmt: skip
    async with asyncio.timeout(WITHIN):
        while not found(folder, "lattice-demo-*/postgres/initialised"):  # noqa: ASYNC110  # another process makes it
            await asyncio.sleep(0.01)
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    printed = await said(process)
    assert process.returncode == 130
    assert "Traceback" not in printed
    await gone(children)
    assert not found(folder, "*")


async def _own_addresses(process: asyncio.subprocess.Process, folder: Path) -> None:
    """Wait for the line that tells where the last service listens: what a killed suite left is no proof."""
    assert process.stdout is not None
    while not (line := await process.stdout.readline()).startswith(b"agent"):
        assert line, "it ended"
