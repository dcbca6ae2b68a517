"""Workers in a container beside files: reached over a shared folder, and killed as its own are."""

import asyncio
import os
import shutil
import signal
import stat
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_files.adapters.app_workers import AppPrograms, open_app_workers
from lattice_files.adapters.worker_pool import PoolLimits
from lattice_files.adapters.worker_process import AppProgram, WorkerDidNotStart
from lattice_files.domain.rejections import AppCrashed, AppTimeout
from service.files_adapters.workbench import APPEND, FAKE_APP, FAKE_FORMAT, HANG, Workbench, batch, until

SIDECAR = str(Path(sys.executable).with_name("lattice-sidecar"))
SOON = timedelta(seconds=60)


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    """A folder for documents and results."""
    return Workbench(tmp_path)


@pytest.fixture
def shared() -> Iterator[Path]:
    """The folder that both containers have; its path is short, as sockets want it."""
    folder = Path(tempfile.mkdtemp(prefix="pod-"))
    yield folder
    shutil.rmtree(folder)


@asynccontextmanager
async def sidecar(shared: Path, *command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The container of the app."""
    (shared / "app.sock").unlink(missing_ok=True)  # or one that was killed would seem to listen
    process = await asyncio.create_subprocess_exec(
        SIDECAR, "serve", str(shared / "app.sock"), "--", *(command or FAKE_APP)
    )
    await until((shared / "app.sock").is_socket)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        async with asyncio.timeout(60):
            await process.wait()


def reaching(shared: Path, **limits: object) -> AbstractAsyncContextManager[AppPrograms]:
    """files, whose workers are in the sidecar."""
    program = AppProgram(command=(SIDECAR, "reach", str(shared / "app.sock")))
    changed = {"slots": 1, "call_limit": SOON, **limits}
    return open_app_workers([program], PoolLimits(**changed))  # type: ignore[arg-type]  # the test's to fit


def workers_below(process: asyncio.subprocess.Process) -> list[int]:
    """The living processes that a sidecar started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except (FileNotFoundError, ProcessLookupError):
                continue  # it ended while we looked
            if int(parent) == process.pid and state not in "ZX":
                found.append(int(entry.name))
    return found


def modes_of_worker(shared: Path) -> tuple[int, int]:
    """The modes of the folder and the socket of the one worker."""
    (folder,) = (it for it in shared.iterdir() if it.is_dir())
    return stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE((folder / "app.sock").stat().st_mode)


async def append(workers: AppPrograms, bench: Workbench) -> str:
    """The text of a document after a paragraph more."""
    (app,) = workers.apps
    async with workers.slot(app, within=SOON) as worker:
        made = await worker.apply_batch(bench.document("One."), FAKE_FORMAT, APPEND, bench.into())
        return made.derived.text.path.read_text()


async def test_a_document_is_edited_by_a_worker_in_the_sidecar(shared: Path, bench: Workbench) -> None:
    """RO-04, R-07; on leaving, no worker and no folder of one is left."""
    async with sidecar(shared) as process:
        async with reaching(shared) as workers:
            assert "More." in await append(workers, bench)
            assert len(workers_below(process)) == 1
            assert modes_of_worker(shared) == (0o2770, 0o770)  # or sockets were not of the pod's group
        await until(lambda: not workers_below(process))
        await until(lambda: [it.name for it in shared.iterdir()] == ["app.sock"])


@pytest.mark.parametrize(("fault", "expected"), [(HANG, AppTimeout), (batch(("crash", {})), AppCrashed)])
async def test_a_worker_that_hangs_or_dies_in_the_sidecar_is_replaced(
    fault: object, expected: type[Exception], shared: Path, bench: Workbench
) -> None:
    """RO-04, R-07, L-05: even one whose event loop is blocked."""
    limit = timedelta(seconds=0.5) if expected is AppTimeout else SOON
    async with sidecar(shared) as process, reaching(shared, call_limit=limit) as workers:
        (first,) = workers_below(process)
        (app,) = workers.apps
        async with workers.slot(app, within=SOON) as worker:
            with pytest.raises(expected):
                await worker.apply_batch(bench.document("One."), FAKE_FORMAT, fault, bench.into())  # type: ignore[arg-type]
        await until(lambda: bool(workers_below(process)) and first not in workers_below(process))


async def test_a_sidecar_that_was_killed_serves_again_once_it_is_back(shared: Path, bench: Workbench) -> None:
    """RO-04."""
    async with AsyncExitStack() as pod:  # a sidecar ends after files
        first = await pod.enter_async_context(sidecar(shared))
        async with reaching(shared) as workers:
            for process in (*workers_below(first), first.pid):  # as the system ends all of a container
                os.kill(process, signal.SIGKILL)
            await first.wait()
            await pod.enter_async_context(sidecar(shared))
            (app,) = workers.apps
            await until(lambda: not workers._pools[app.name]._slots[0].process.is_alive)  # type: ignore[union-attr]
            assert "More." in await append(workers, bench)


async def test_without_a_sidecar_or_a_program_in_it_files_does_not_start(shared: Path) -> None:
    with pytest.raises(WorkerDidNotStart):
        async with reaching(shared, start_limit=timedelta(seconds=2)):
            pass
    async with sidecar(shared, "false"):
        with pytest.raises(WorkerDidNotStart):
            async with reaching(shared):
                pass


async def test_a_sidecar_that_is_told_to_end_first_serves_until_files_has_ended(shared: Path, bench: Workbench) -> None:
    """RO-04: the containers of a pod are told at once; calls that still run need their workers."""
    async with sidecar(shared) as process:
        async with reaching(shared) as workers:
            process.terminate()
            assert "More." in await append(workers, bench)
            assert process.returncode is None
        async with asyncio.timeout(60):
            assert await process.wait() == 0
