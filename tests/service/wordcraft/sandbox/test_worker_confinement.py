"""The worker's program itself: confined before its socket opens where others cannot confine its programs."""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
import pytest
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice.app.v1.app_service_pb2_grpc import AppServiceStub
from lattice_chassis.channels import channel
from lattice_wordcraft.main import EX_CONFIG
from lattice_wordcraft.sandbox.confinement import Bubblewrap, SelfConfinement, works
from service.wordcraft.documents import plan, text_of
from service.wordcraft.sandbox.conftest import HOSTILE, SECRET
from service.wordcraft.sandbox.test_escapes import has_heard, listening
from service.wordcraft.worker import FILES, Worker, left_in

pytestmark = pytest.mark.documents

WITHOUT_LANDLOCK = """
import errno, os, sys
from lattice_wordcraft.sandbox import seccomp
seccomp._NUMBERS["landlock_create_ruleset"] = (444, 444)
seccomp.forbid([seccomp.Rule("landlock_create_ruleset", errno.ENOSYS)])
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Becomes a program on a system that has no Landlock, as far as the program can tell."""

ATTEMPTS = """
import json, sys
from pathlib import Path
from lattice_wordcraft.sandbox.confinement import SelfConfinement
folder, attempts = Path(sys.argv[1]), json.loads(sys.argv[2])
sys.path.insert(0, sys.argv[3])
import hostile

SelfConfinement().enter(socket=folder / "app.sock", folder=folder)
print(json.dumps([hostile.attempt(attack, argument) for attack, argument in attempts]))
"""
"""Confines itself as the worker does, then tries to get out."""


@pytest.fixture
def no_bubblewrap(tmp_path: Path) -> str:
    """A search path without it."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("true", "sh"):
        (programs / name).symlink_to(f"/bin/{name}")
    return str(programs)


@asynccontextmanager
async def working(command: Sequence[str], path: str, **settings: str) -> AsyncIterator[Worker]:
    """A worker that answers, on a machine with only these programs."""
    with TemporaryDirectory(prefix="worker-") as name:
        socket, traces = Path(name) / "app.sock", Path(name) / "spans.jsonl"
        environment = {"PATH": path, "HOME": name, "TMPDIR": name, "LATTICE_TRACE_FILE": str(traces), **settings}
        process = await asyncio.create_subprocess_exec(*command, "--socket", str(socket), env=environment)
        try:
            async with channel(f"unix:{socket}", [app_pb.DESCRIPTOR], identity=lambda: FILES) as connected:
                async with asyncio.timeout(30):
                    await ready(connected)
                yield Worker(process, connected, traces)
        finally:
            process.terminate()
            assert await process.wait() == 0
        assert left_in(name) <= {"app.sock", "spans.jsonl"}


async def ready(connected: grpc.aio.Channel) -> None:
    """Wait until a worker describes itself."""
    await AppServiceStub(connected).Describe(app_pb.DescribeRequest(), wait_for_ready=True)


def status_of(pid: int) -> dict[str, str]:
    """What the system says of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def network_of(pid: int) -> Path:
    """The network namespace of a process."""
    return Path(f"/proc/{pid}/ns/net").readlink()


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(it) for task in Path(f"/proc/{pid}/task").iterdir() for it in (task / "children").read_text().split()]


async def test_a_worker_without_bubblewrap_confines_itself_and_works(
    worker_command: list[str], no_bubblewrap: str, tmp_path: Path
) -> None:
    """SE-07: its socket, its engine's pipes, its renderer and its trace go on working."""
    if not works(SelfConfinement(), tmp_path):
        pytest.skip("this machine has no Landlock")
    async with working(worker_command, no_bubblewrap) as worker:
        status = status_of(worker.process.pid)
        assert (status["Seccomp"], status["NoNewPrivs"]) == ("2", "1")
        (host,) = children_of(worker.process.pid)
        assert int(status_of(host)["Seccomp_filters"]) > int(status["Seccomp_filters"])
        if os.geteuid() == 0:
            assert status_of(host)["Uid"].split() == ["65534"] * 4
        assert (await worker.extract(plan()))[0] == text_of(plan())
        assert (await worker.page(plan(), 1, 300)).startswith(b"\x89PNG")
        assert "AppService/RenderPage" in worker.trace_file.read_text()


async def test_a_worker_that_confines_itself_draws_with_libreoffice(
    worker_command: list[str], no_bubblewrap: str, tmp_path: Path
) -> None:
    """SE-07, N-15: which listens on a socket in its room, since it may have none in /tmp."""
    soffice = shutil.which("soffice")
    if soffice is None or not works(SelfConfinement(), tmp_path):
        pytest.skip("this machine has no LibreOffice, or no Landlock")
    Path(no_bubblewrap, "soffice").symlink_to(soffice)  # noqa: ASYNC240  nothing else runs yet
    async with working(worker_command, no_bubblewrap, LATTICE_WORDCRAFT_RENDERER="libreoffice") as worker:
        assert status_of(worker.process.pid)["Seccomp"] == "2"
        assert "+libreoffice-" in (await worker.stub.Describe(app_pb.DescribeRequest())).version
        assert (await worker.page(plan(), 1, 300)).startswith(b"\x89PNG")


async def test_the_confined_worker_itself_gets_out_no_more_than_its_programs(
    tmp_path: Path, open_folder: Path, victim: asyncio.subprocess.Process
) -> None:
    """SE-07: it parses what it was sent, so it is no safer than they are."""
    if not works(SelfConfinement(), tmp_path):
        pytest.skip("this machine has no Landlock")
    with listening() as sockets:
        attempts = [
            *((attack, str(address)) for attack, (_, address) in sockets.items()),
            *(("read", path) for path in ("/etc/shadow", "/etc/hostname", __file__)),
            *(("write", path) for path in (str(open_folder / "new"), "/tmp/lattice-escaped", "/dev/shm/x")),  # noqa: S108 - paths that must stay shut
            ("find_secret", SECRET),
            ("list_folder", "/home"),
            ("kill", str(victim.pid)),
            ("trace", str(victim.pid)),
            ("new_namespace", ""),
        ]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", ATTEMPTS, str(tmp_path), json.dumps(attempts), str(HOSTILE.parent)),
            stdout=asyncio.subprocess.PIPE,
        )
        output, _ = await process.communicate()
        outcomes = dict(zip(attempts, json.loads(output), strict=True))
        assert {attempt: it for attempt, it in outcomes.items() if not it.startswith("kept in")} == {}
        assert not any(has_heard(listener) for listener, _ in sockets.values())
    assert victim.returncode is None


async def test_a_worker_that_can_confine_nothing_does_not_start(worker_command: list[str], no_bubblewrap: str) -> None:
    """SE-07: and says why in one line, with the setting that allows it."""
    with TemporaryDirectory(prefix="worker-") as name:
        socket = Path(name) / "app.sock"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", WITHOUT_LANDLOCK, *worker_command, "--socket", str(socket)),
            env={"PATH": no_bubblewrap, "HOME": name, "TMPDIR": name},
            stderr=asyncio.subprocess.PIPE,
        )
        _, told = await process.communicate()
        assert process.returncode == EX_CONFIG
        assert b"LATTICE_WORDCRAFT_UNCONFINED=true" in told
        assert b"Traceback" not in told
        assert left_in(name) == set()  # no socket was ever there


async def test_a_worker_that_can_confine_nothing_starts_where_a_setting_says_so(
    worker_command: list[str], no_bubblewrap: str
) -> None:
    """SE-07: for trusted files only."""
    command = [sys.executable, "-c", WITHOUT_LANDLOCK, *worker_command]
    async with working(command, no_bubblewrap, LATTICE_WORDCRAFT_UNCONFINED="true") as worker:
        assert (await worker.extract(plan()))[0] == text_of(plan())


async def test_a_worker_with_bubblewrap_runs_its_programs_in_namespaces(
    worker_command: list[str], tmp_path: Path
) -> None:
    """SE-07: and stays as it is itself."""
    if not works(Bubblewrap(), tmp_path):
        pytest.skip("bubblewrap does not work on this machine")
    async with working(worker_command, os.environ["PATH"]) as worker:
        assert status_of(worker.process.pid)["Seccomp"] == "0"
        (outer,) = children_of(worker.process.pid)
        (inner,) = children_of(outer)
        assert network_of(inner) != network_of(os.getpid())
        assert (await worker.extract(plan()))[0] == text_of(plan())
