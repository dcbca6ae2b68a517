"""The engine's host, killed and hung under a job: the job fails typed, the next one works."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_wordcraft.host import EngineHosts
from lattice_wordcraft.refusals import AppCrashed, AppTimeout, CommandRefused, FileRefused
from lattice_wordcraft.sandbox.confinement import Bounds, Confinement
from lattice_wordcraft.sandbox.rooms import Rooms
from service.wordcraft.documents import plan
from service.wordcraft.watching import family_of

pytestmark = pytest.mark.documents


@pytest.fixture
async def fragile(confinement: Confinement, tmp_path: Path) -> AsyncIterator[EngineHosts]:
    """Hosts with little patience, in each confinement of this machine."""
    hosts = EngineHosts(
        Rooms(confinement=confinement, folder=tmp_path),
        tenant=lambda: "acme",
        size=1,
        time_limit=timedelta(seconds=3),
        jobs_per_host=3,
    )
    await hosts.warm()
    yield hosts
    await hosts.close()


def halt(pid: int) -> None:
    """Let a process and all below it hang."""
    for each in family_of(pid):
        os.kill(each, signal.SIGSTOP)


def rooms_in(folder: Path) -> list[Path]:
    """The rooms that are left."""
    return list(folder.iterdir())


def leave_alone(_pid: int) -> None:
    """Do nothing to the host."""


async def comments_of(hosts: EngineHosts, do: Callable[[int], None] = leave_alone) -> object:
    """One whole job, with something done to its host once the document is open."""
    async with hosts.document(plan()) as document:
        do(hosts.pids[0])
        return await document.ask("list_comments")


async def test_a_host_killed_under_a_job_fails_it_typed_and_the_next_job_works(fragile: EngineHosts) -> None:
    """R-07, N-25: no session of the dead host is ever asked again."""
    with pytest.raises(AppCrashed):
        await comments_of(fragile, lambda pid: os.kill(pid, signal.SIGKILL))
    assert await comments_of(fragile) == []


async def test_a_host_that_died_between_jobs_is_not_given_another(fragile: EngineHosts) -> None:
    """R-07: the next job starts a fresh one and never hears of it."""
    (idle,) = fragile.pids
    family = list(family_of(idle))
    os.kill(idle, signal.SIGKILL)
    await gone(family)
    async with asyncio.timeout(30):
        while any(host.is_usable for host in fragile._idle):  # noqa: ASYNC110  the event loop hears of it later
            await asyncio.sleep(0.01)
    assert await comments_of(fragile) == []
    assert idle not in fragile.pids


async def test_a_host_that_hangs_is_killed_when_its_time_is_up(fragile: EngineHosts) -> None:
    """R-07: the engine knows no limit of its own."""
    (hung,) = fragile.pids
    family = list(family_of(hung))
    with pytest.raises(AppTimeout):
        await comments_of(fragile, halt)
    assert await comments_of(fragile) == []
    assert hung not in fragile.pids
    await gone(family)


async def test_a_cancelled_job_takes_its_host_along(fragile: EngineHosts) -> None:
    """WP-07: what nobody waits for any more is not carried on."""
    (abandoned,) = fragile.pids
    started = asyncio.Event()

    def halt_and_tell(pid: int) -> None:
        halt(pid)
        started.set()

    task = asyncio.create_task(comments_of(fragile, halt_and_tell))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await comments_of(fragile) == []
    assert abandoned not in fragile.pids


async def test_a_refusal_keeps_the_host_and_an_unreadable_file_too(fragile: EngineHosts) -> None:
    """A refusal is no failure: nothing has to be started again."""
    (host,) = fragile.pids
    async with fragile.document(plan()) as document:
        with pytest.raises(CommandRefused, match="fails at no_such_operation"):
            await document.ask("no_such_operation")
    with pytest.raises(FileRefused, match="engine cannot open"):
        async with fragile.document(b"no package"):
            pytest.fail("it cannot be open")
    assert fragile.pids == [host]


async def test_a_host_is_replaced_after_its_share_of_jobs(fragile: EngineHosts) -> None:
    """Its memory only grows."""
    (first,) = fragile.pids
    for _ in range(3):
        await comments_of(fragile)
    assert first not in fragile.pids
    assert await comments_of(fragile) == []


async def gone(pids: list[int]) -> None:
    """Wait until none of the processes lives."""
    async with asyncio.timeout(30):
        while any(is_alive(pid) for pid in pids):  # noqa: ASYNC110  the system's to bring about
            await asyncio.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def test_a_host_serves_one_tenant_for_its_whole_life(confinement: Confinement, tmp_path: Path) -> None:
    """SE-07: a document may have taken it over, and would see the next one's."""
    caller = "acme"
    hosts = EngineHosts(
        Rooms(confinement=confinement, folder=tmp_path),
        tenant=lambda: caller,
        size=1,
        time_limit=timedelta(seconds=30),
        jobs_per_host=50,
    )
    await hosts.warm()
    served: dict[str, set[int]] = {"acme": set(), "globex": set()}
    for caller in ("acme", "acme", "globex", "acme", "globex", "globex"):
        assert await comments_of(hosts, served[caller].add) == []
        assert len(hosts.pids) == 1
    assert not served["acme"] & served["globex"]
    assert [len(served[tenant]) for tenant in ("acme", "globex")] == [2, 2]
    await hosts.close()


async def test_hosts_of_two_tenants_stay_warm_side_by_side(confinement: Confinement, tmp_path: Path) -> None:
    """As many as there are slots."""
    caller = "acme"
    hosts = EngineHosts(
        Rooms(confinement=confinement, folder=tmp_path),
        tenant=lambda: caller,
        size=2,
        time_limit=timedelta(seconds=30),
        jobs_per_host=50,
    )
    for caller in ("acme", "globex"):  # noqa: B007
        await comments_of(hosts)
    both = set(hosts.pids)
    for caller in ("acme", "globex", "acme"):  # noqa: B007
        await comments_of(hosts)
    assert set(hosts.pids) == both
    await hosts.close()


async def test_a_host_that_holds_much_memory_is_replaced_after_its_job(
    confinement: Confinement, tmp_path: Path
) -> None:
    """R-07: it gives none back."""
    hosts = EngineHosts(
        Rooms(confinement=confinement, folder=tmp_path),
        tenant=lambda: "acme",
        size=1,
        time_limit=timedelta(seconds=30),
        jobs_per_host=50,
        memory_per_host=2**20,
    )
    await hosts.warm()
    assert await comments_of(hosts) == []
    assert hosts.pids == []
    await hosts.close()


async def test_a_host_over_its_memory_is_killed_under_its_job_and_the_next_one_works(
    confinement: Confinement, tmp_path: Path
) -> None:
    """R-07, SE-07: the job fails typed."""
    narrow = Rooms(confinement=confinement, folder=tmp_path, bounds=Bounds(memory=2**20))
    hosts = EngineHosts(narrow, tenant=lambda: "acme", size=1, time_limit=timedelta(seconds=30), jobs_per_host=50)
    with pytest.raises(AppCrashed):
        await comments_of(hosts)
    assert rooms_in(tmp_path) == []
    await hosts.close()
