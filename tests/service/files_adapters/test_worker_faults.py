"""What files survives of a worker: that it hangs, dies, lies, or is not waited for; and that nothing is left."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_files.adapters.app_workers import AppPrograms, open_app_workers
from lattice_files.adapters.worker_answers import AnswerLimits
from lattice_files.adapters.worker_client import WorkerClient
from lattice_files.adapters.worker_pool import PoolLimits
from lattice_files.adapters.worker_process import AppProgram, WorkerDidNotStart
from lattice_files.domain.rejections import AppCrashed, AppTimeout, FileTooLarge, PeerUnavailable, Rejection
from service.files_adapters.workbench import (
    APPEND,
    FAKE_FORMAT,
    HANG,
    TESTS,
    OpenWorkers,
    Workbench,
    batch,
    fake_app,
    is_left,
    living_in_group,
    programs_in_group,
    size_of_files,
    until,
)

pytestmark = pytest.mark.long

SOON = timedelta(seconds=60)


@pytest.fixture(scope="module")
async def workers(open_workers: OpenWorkers) -> AsyncIterator[AppPrograms]:
    """Two slots: while one gets another worker, the other one serves."""
    async with open_workers(slots=2, warm=2) as opened:
        yield opened


@asynccontextmanager
async def slot(workers: AppPrograms, within: timedelta = SOON) -> AsyncIterator[WorkerClient]:
    (app,) = workers.apps
    async with workers.slot(app, within=within) as worker:
        yield worker


async def group_of_next_worker(workers: AppPrograms) -> int:
    async with slot(workers) as worker:
        return worker._process.process_id


async def fails_and_is_replaced(
    workers: AppPrograms, expected: type[Rejection], call: Callable[[WorkerClient], Awaitable[object]]
) -> Rejection:
    """Claim that a call fails in this way, that nothing of its worker is left, and that another one works."""
    async with slot(workers) as worker:
        failed = worker._process
        with pytest.raises(expected) as failure:
            await call(worker)
    await until(lambda: not living_in_group(failed.process_id) and not failed.socket.parent.exists())
    assert await group_of_next_worker(workers) != failed.process_id
    return failure.value


async def test_a_worker_that_hangs_is_killed_at_its_time_limit(open_workers: OpenWorkers, bench: Workbench) -> None:
    """R-07, L-05: even one whose event loop is blocked."""
    async with open_workers(call_limit=timedelta(seconds=0.5)) as workers:
        await fails_and_is_replaced(
            workers, AppTimeout, lambda it: it.apply_batch(bench.document("One."), FAKE_FORMAT, HANG, bench.into())
        )


async def test_a_worker_that_dies_is_replaced(workers: AppPrograms, bench: Workbench) -> None:
    """R-07."""
    crash = batch(("crash", {}))
    await fails_and_is_replaced(
        workers, AppCrashed, lambda it: it.apply_batch(bench.document("One."), FAKE_FORMAT, crash, bench.into())
    )


@pytest.mark.parametrize(
    ("fault", "expected", "limit"),
    [("hang", AppTimeout, timedelta(seconds=0.5)), ("crash", AppCrashed, SOON)],
    ids=["hang", "crash"],
)
async def test_a_file_that_breaks_the_app_breaks_one_worker_only(
    fault: str, expected: type[Rejection], limit: timedelta, open_workers: OpenWorkers, bench: Workbench
) -> None:
    """R-07: also while a file is read, or a page rendered."""
    document = bench.document("One.", fault=fault)
    async with open_workers(call_limit=limit) as workers:
        await fails_and_is_replaced(workers, expected, lambda it: it.extract(document, FAKE_FORMAT, bench.into()))
        await fails_and_is_replaced(
            workers, expected, lambda it: it.render_page(document, FAKE_FORMAT, 1, 400, bench.into())
        )


@pytest.mark.parametrize("victim", ["program", "guard"])
async def test_a_worker_killed_in_the_middle_of_a_call_is_a_crash(
    victim: str, open_workers: OpenWorkers, bench: Workbench
) -> None:
    """R-07: whichever of its processes the kernel chose."""

    async def killed(worker: WorkerClient) -> None:
        call = asyncio.create_task(worker.apply_batch(bench.document("One."), FAKE_FORMAT, HANG, bench.into()))
        group, made = worker._process.process_id, bench.into()
        await until(lambda: not call.done() and bool(programs_in_group(group)))
        (program,) = programs_in_group(group)
        os.kill(program if victim == "program" else group, signal.SIGKILL)
        assert list(made.iterdir()) == []
        await call

    async with open_workers(call_limit=SOON) as workers:
        await fails_and_is_replaced(workers, AppCrashed, killed)


async def test_an_answer_over_the_limit_is_cut_off(open_workers: OpenWorkers, bench: Workbench) -> None:
    """R-07, L-06: no more of it is kept than the limit."""
    oversize, into = batch(("oversize", {})), bench.into()
    async with open_workers(answers=AnswerLimits(native=1_000_000)) as workers:
        failure = await fails_and_is_replaced(
            workers, FileTooLarge, lambda it: it.apply_batch(bench.document("One."), FAKE_FORMAT, oversize, into)
        )
    assert isinstance(failure, FileTooLarge)
    assert failure.limit == 1_000_000
    assert 0 < size_of_files(into) <= 1_000_000


@pytest.mark.parametrize(
    "what", ["wrong_digest", "order", "unended", "unknown", "large_chunk", "text", "review", "count", "no-such-fault"]
)
async def test_an_answer_that_breaks_the_contract_is_a_crash(what: str, workers: AppPrograms, bench: Workbench) -> None:
    """R-07: files believes neither digests nor counts, neither order nor encoding; an INTERNAL error is a crash too."""
    garbage = batch(("wrong_digest", {})) if what == "wrong_digest" else batch(("garbage", {"what": what}))
    await fails_and_is_replaced(
        workers, AppCrashed, lambda it: it.apply_batch(bench.document("One."), FAKE_FORMAT, garbage, bench.into())
    )


async def test_an_image_of_another_size_than_declared_is_a_crash(workers: AppPrograms, bench: Workbench) -> None:
    """R-07, N-41: the image itself is looked at."""
    document = bench.document("One.", fault="page")
    await fails_and_is_replaced(
        workers, AppCrashed, lambda it: it.render_page(document, FAKE_FORMAT, 1, 400, bench.into())
    )


async def test_a_worker_that_died_while_idle_is_replaced_before_it_is_given_out(
    open_workers: OpenWorkers, bench: Workbench
) -> None:
    """R-07: the next caller notices nothing."""
    async with open_workers() as workers:
        async with slot(workers) as worker:
            idle = worker._process
        os.kill(programs_in_group(idle.process_id)[0], signal.SIGKILL)
        await until(lambda: not idle.is_alive)
        async with slot(workers) as worker:
            assert (await worker.extract(bench.document("One."), FAKE_FORMAT, bench.into())).text_chars == 4


async def test_no_free_slot_within_the_deadline_is_a_peer_that_is_unavailable(
    open_workers: OpenWorkers, bench: Workbench
) -> None:
    """L-05: with the name of the peer, and the slot is free again afterwards."""
    async with open_workers() as workers:
        async with slot(workers):
            with pytest.raises(PeerUnavailable) as refused:
                async with slot(workers, within=timedelta(seconds=0.05)):
                    pass
            assert refused.value.peer == "app"
            assert refused.value.retry_after > timedelta()
        async with slot(workers) as worker:
            assert (await worker.extract(bench.document("One."), FAKE_FORMAT, bench.into())).text_chars == 4


async def test_callers_at_once_have_a_process_each_and_never_more_than_slots(
    open_workers: OpenWorkers, bench: Workbench
) -> None:
    """L-05: one job a worker at a time; the third caller waits for one of the two."""
    seen: set[int] = set()
    at_once = 0
    most_at_once = 0

    async def edit(workers: AppPrograms) -> None:
        nonlocal at_once, most_at_once
        async with slot(workers) as worker:
            at_once += 1
            most_at_once = max(most_at_once, at_once)
            seen.add(worker._process.process_id)
            await worker.apply_batch(bench.document("One."), FAKE_FORMAT, APPEND, bench.into())
            at_once -= 1

    async with open_workers(slots=2, warm=2) as workers:
        await asyncio.gather(*(edit(workers) for _ in range(6)))
    assert (len(seen), most_at_once) == (2, 2)


async def test_a_cancelled_call_leaves_no_process(open_workers: OpenWorkers, bench: Workbench) -> None:
    """WP-07: the worker is killed, for nobody knows what it still does."""
    groups: list[int] = []

    async def edit(workers: AppPrograms) -> None:
        async with slot(workers) as worker:
            groups.append(worker._process.process_id)
            await worker.apply_batch(bench.document("One."), FAKE_FORMAT, HANG, bench.into())

    async with open_workers(call_limit=SOON) as workers:
        editing = asyncio.create_task(edit(workers))
        await until(lambda: bool(groups))
        editing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await editing
        assert await group_of_next_worker(workers) != groups[0]
        await until(lambda: not living_in_group(groups[0]))  # killed, and dead in a moment


async def test_a_caller_cancelled_while_it_waits_takes_no_slot(open_workers: OpenWorkers) -> None:
    """WP-07."""
    async with open_workers() as workers:
        async with slot(workers):
            waiting = asyncio.create_task(group_of_next_worker(workers))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        assert await group_of_next_worker(workers)


async def test_a_caller_cancelled_while_a_worker_starts_leaves_no_process(tmp_path: Path) -> None:
    """WP-07: half a worker is none."""
    group_file = tmp_path / "group"
    # The first worker starts as it should; the second one says who it is and then never listens.
    script = 'if [ -e "$0" ]; then ps -o pgid= -p $$ > "$0"; exec sleep 60; fi; : > "$0"; exec "$@"'
    program = AppProgram(command=("sh", "-c", script, str(group_file), *fake_app().command))
    async with open_app_workers([program], PoolLimits(slots=2)) as workers, slot(workers):
        starting = asyncio.create_task(group_of_next_worker(workers))
        await until(lambda: bool(group_file.read_text().strip()))
        group = int(group_file.read_text())
        assert programs_in_group(group)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        await until(lambda: not living_in_group(group))  # killed, and dead in a moment


async def test_a_worker_is_replaced_after_its_share_of_jobs(open_workers: OpenWorkers) -> None:
    """Engines do not give memory back, so no worker lives for ever."""
    async with open_workers(jobs_a_worker=2) as workers:
        groups = [await group_of_next_worker(workers) for _ in range(4)]
        assert groups[0] == groups[1] != groups[2] == groups[3]
        await until(lambda: not living_in_group(groups[0]))  # killed, and dead in a moment


async def test_leaving_ends_every_worker_and_removes_its_folder(open_workers: OpenWorkers) -> None:
    """A service that stopped leaves nothing behind."""
    async with open_workers(slots=2, warm=2) as workers, slot(workers) as first, slot(workers) as second:
        processes = [first._process, second._process]
        assert all(living_in_group(it.process_id) for it in processes)
    await until(lambda: not any(living_in_group(it.process_id) for it in processes))
    assert not any(it.socket.parent.exists() for it in processes)


async def test_an_end_that_was_cancelled_at_any_moment_is_completed_by_the_next(open_workers: OpenWorkers) -> None:
    """WP-07: a caller that gives up, or a pool that closes, leaves no process, and spoils the slot for nobody."""
    async with open_workers() as workers, slot(workers) as worker:
        process = worker._process
        process.kill()
        for moment in range(20):
            ending = asyncio.create_task(process.end())
            for _ in range(moment):
                await asyncio.sleep(0)
            ending.cancel()
            await asyncio.wait([ending])
        await process.end()
        await until(lambda: not living_in_group(process.process_id))  # killed, and dead in a moment
        assert not process.socket.parent.exists()


async def test_workers_end_with_a_service_that_is_killed() -> None:
    """No signal can be handled after kill -9; the workers end all the same, also in the middle of a call."""
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "service.files_adapters.owner_program", cwd=TESTS, stdout=asyncio.subprocess.PIPE
    )
    assert owner.stdout is not None
    said = (await owner.stdout.readline()).decode().split()
    groups, folders = [int(it) for it in said[:2]], said[2:]
    assert len(folders) == 2
    assert all(programs_in_group(group) for group in groups)
    owner.kill()
    await owner.wait()
    await until(lambda: not any(living_in_group(group) for group in groups))
    assert not any(is_left(folder) for folder in folders)


async def test_folders_that_a_killed_guard_left_are_removed_by_the_next_start(open_workers: OpenWorkers) -> None:
    """B-06: documents may lie there; a kernel that is short of memory may end service and guards together."""
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "service.files_adapters.owner_program", cwd=TESTS, stdout=asyncio.subprocess.PIPE
    )
    assert owner.stdout is not None
    said = (await owner.stdout.readline()).decode().split()
    groups, folders = [int(it) for it in said[:2]], said[2:]
    owner.send_signal(signal.SIGSTOP)  # so that it does not tidy up after its workers
    for group in groups:
        os.killpg(group, signal.SIGKILL)
    owner.kill()
    await owner.wait()
    assert all(is_left(folder) for folder in folders)
    async with open_workers():
        assert not any(is_left(folder) for folder in folders)


@pytest.mark.parametrize("command", [("sleep", "60"), ("false",), ("/no/such/program",)])
async def test_a_program_that_is_no_worker_does_not_start(command: tuple[str, ...]) -> None:
    """A wrong setting stops the start, within its limit."""
    limits = PoolLimits(slots=1, start_limit=timedelta(seconds=1))
    with pytest.raises(WorkerDidNotStart):
        async with open_app_workers([AppProgram(command=command)], limits):
            pass


async def test_another_app_under_the_same_command_is_not_used(tmp_path: Path) -> None:
    """N-40: which formats an app serves is asked once; a program exchanged under a running service is refused."""
    started = tmp_path / "started"
    script = 'if [ -e "$0" ]; then set -- "$@" --format other; fi; : > "$0"; exec "$@"'
    program = AppProgram(command=("sh", "-c", script, str(started), *fake_app().command))
    async with open_app_workers([program], PoolLimits(slots=2)) as workers, slot(workers):
        with pytest.raises(PeerUnavailable):
            await group_of_next_worker(workers)
