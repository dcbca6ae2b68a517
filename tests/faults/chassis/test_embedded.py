"""The embedded server: shared by processes, surviving their deaths, as root and as anybody else."""

import logging
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg2
import pytest
from lattice_chassis.postgres.embedded import EmbeddedPostgres, EmbeddedPostgresError
from psycopg2.extensions import parse_dsn
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

HOLD = """
import os, sys
from pathlib import Path
from lattice_chassis.postgres.embedded import EmbeddedPostgres
if len(sys.argv) > 2:  # become somebody else, now that all is imported that only root may read
    os.setgroups([])
    os.setgid(int(sys.argv[3]))
    os.setuid(int(sys.argv[2]))
with EmbeddedPostgres(Path(sys.argv[1]), settings={"fsync": "off"}) as server:
    print(server.create_database("lattice_notes").service, flush=True)
    sys.stdin.read()
"""

IS_ROOT = os.geteuid() == 0


FAST = {"fsync": "off"}


@pytest.fixture
def project() -> Iterator[Path]:
    """A new project's folder; not one of pytest's, which are closed to the user that root's server runs as."""
    folder = Path(tempfile.mkdtemp(prefix="lattice-project-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder whose server every test leaves stopped, for tests that need no new one."""
    project = Path(tempfile.mkdtemp(prefix="lattice-project-"))
    yield project / ".lattice" / "postgres"
    shutil.rmtree(project)


@pytest.fixture
def process(folder: Path) -> Iterator[Callable[[], subprocess.Popen[str]]]:
    """Starts another process that uses the server until its input ends; it has answered once it is returned."""
    started: list[subprocess.Popen[str]] = []

    def start() -> subprocess.Popen[str]:
        command = [sys.executable, "-c", HOLD, str(folder)]
        holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(holder)
        assert holder.stdout is not None
        assert "lattice_notes_service" in holder.stdout.readline()
        return holder

    yield start
    for holder in started:
        holder.kill()
        holder.communicate()


def postmaster(folder: Path) -> psutil.Process:
    return psutil.Process(int((folder / "data" / "postmaster.pid").read_text().splitlines()[0]))


def answers(server: EmbeddedPostgres) -> bool:
    try:
        psycopg2.connect(server.admin_dsn).close()
    except psycopg2.OperationalError:
        return False
    return True


def test_data_outlive_a_restart(folder: Path) -> None:
    with EmbeddedPostgres(folder, settings=FAST) as server:
        ask(server, "CREATE TABLE outlives ()")
    assert not answers(server)
    with EmbeddedPostgres(folder, settings=FAST) as server:
        ask(server, "SELECT * FROM outlives")


def ask(server: EmbeddedPostgres, statement: str) -> None:
    connection = psycopg2.connect(server.admin_dsn)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(statement)
    connection.close()


def test_creating_a_database_again_changes_nothing(folder: Path) -> None:
    with EmbeddedPostgres(folder, settings=FAST) as server:
        first = server.create_database("lattice_notes")
        assert server.create_database("lattice_notes") == first


def test_the_last_process_to_leave_stops_the_server(folder: Path, process: Callable[[], subprocess.Popen[str]]) -> None:
    with EmbeddedPostgres(folder, settings=FAST) as server:
        first = postmaster(folder)
        other = process()
        assert postmaster(folder) == first
    assert answers(server)
    other.communicate(timeout=60)
    assert not answers(server)


def test_processes_that_start_at_once_share_one_server(project: Path) -> None:
    folder = project / "postgres"
    command = [sys.executable, "-c", HOLD, str(folder)]
    together = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    urls = {holder.communicate(timeout=60)[0] for holder in together}
    assert len(urls) == 1
    assert [holder.returncode for holder in together] == [0, 0, 0]
    assert not answers(EmbeddedPostgres(folder))


def test_a_server_whose_user_was_killed_is_taken_over_and_stopped(
    folder: Path, process: Callable[[], subprocess.Popen[str]]
) -> None:
    killed = process()
    first = postmaster(folder)
    killed.send_signal(signal.SIGKILL)
    killed.wait(timeout=60)
    with EmbeddedPostgres(folder, settings=FAST) as server:
        assert postmaster(folder) == first
    assert not answers(server)


def test_a_killed_server_is_started_again(folder: Path) -> None:
    with EmbeddedPostgres(folder, settings=FAST) as server:
        ask(server, "CREATE TABLE kept ()")
        postmaster(folder).kill()
        with EmbeddedPostgres(folder, settings=FAST) as again:
            ask(again, "SELECT * FROM kept")


def test_a_stale_process_number_does_not_keep_the_server_down(folder: Path) -> None:
    with EmbeddedPostgres(folder, settings=FAST):
        lines = (folder / "data" / "postmaster.pid").read_text().splitlines()
    (folder / "data" / "postmaster.pid").write_text("\n".join([str(os.getpid()), *lines[1:]]))
    with EmbeddedPostgres(folder, settings=FAST) as server:
        assert answers(server)


def test_an_initialisation_that_was_cut_off_begins_anew(project: Path) -> None:
    folder = project / "postgres"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(folder, settings=FAST) as server:
        assert answers(server)


def test_a_folder_too_deep_for_a_socket_has_its_socket_elsewhere(project: Path) -> None:
    deep = project / ("d" * 60) / ("e" * 60)
    with EmbeddedPostgres(deep, settings=FAST) as server:
        assert answers(server)
        elsewhere = sockets_of(server)
        assert deep not in elsewhere.parents
    assert not elsewhere.exists()


def test_a_socket_folder_that_somebody_else_put_there_is_refused(project: Path) -> None:
    """In the temporary folder anybody may be first; a link would have its target given away."""
    deep = project / ("d" * 60) / ("e" * 60)
    server = EmbeddedPostgres(deep, settings=FAST)
    sockets_of(server).symlink_to(project)
    try:
        with pytest.raises(EmbeddedPostgresError, match="another user's"):
            server.start()
    finally:
        sockets_of(server).unlink()


def sockets_of(server: EmbeddedPostgres) -> Path:
    return Path(parse_dsn(server.admin_dsn)["host"])


def test_only_its_owner_reaches_the_server(folder: Path, process: Callable[[], subprocess.Popen[str]]) -> None:
    """Whoever opens the socket is trusted, so nobody else may."""
    with EmbeddedPostgres(folder, settings=FAST):
        for private in (folder / "data", folder / "socket"):
            assert stat.S_IMODE(private.stat().st_mode) == 0o700
        (socket,) = (folder / "socket").glob(".s.PGSQL.*[0-9]")
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700


def test_parents_are_opened_for_passing_through_only(project: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Where the server's user may not pass, and nowhere else; a private folder that was opened is named."""
    private, open_already = project / "private", project / "private" / "open"
    open_already.mkdir(parents=True)
    for folder, mode in ((project, 0o755), (private, 0o700), (open_already, 0o705)):
        folder.chmod(mode)
    for _ in range(2):
        with EmbeddedPostgres(open_already / "postgres", settings=FAST):
            opened = 0o701 if IS_ROOT else 0o700
            modes = [stat.S_IMODE(folder.stat().st_mode) for folder in (project, private, open_already)]
            assert modes == [0o755, opened, 0o705]
    warned = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert [f"opened {private} for" in message for message in warned] == [True] * IS_ROOT


@pytest.mark.parametrize("name", ["d a t a", "a,b", 'it\'s $HOME `id` \\ "quoted" 100%'])
async def test_any_name_of_a_folder_will_do(project: Path, name: str) -> None:
    """A shell reads pg_ctl's options, libpq its connection string, and SQLAlchemy its URL."""
    for _ in range(2):  # a new folder, and one that has data
        with EmbeddedPostgres(project / name / "postgres", settings=FAST) as server:
            engine = create_async_engine(server.create_database("lattice_notes").service)
            async with engine.connect() as connection:
                assert (await connection.execute(text("SELECT current_user"))).scalar_one() == "lattice_notes_service"
            await engine.dispose()
        assert not answers(server)


def test_it_runs_for_a_user_who_is_not_root(project: Path) -> None:
    """As root the test becomes somebody else; as somebody else it is one already."""
    command = [sys.executable, "-c", HOLD, str(project / ".lattice" / "postgres")]
    if IS_ROOT:
        nobody = pwd.getpwnam("nobody")
        os.chown(project, nobody.pw_uid, nobody.pw_gid)
        command += [str(nobody.pw_uid), str(nobody.pw_gid)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "lattice_notes_service" in done.stdout) == (0, True), done.stderr


@pytest.mark.skipif(not IS_ROOT, reason="only root can meet data of somebody else and open them")
def test_root_runs_somebody_elses_data_as_their_owner(project: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    os.chown(project, nobody.pw_uid, nobody.pw_gid)
    folder = project / ".lattice" / "postgres"
    command = [sys.executable, "-c", HOLD, str(folder), str(nobody.pw_uid), str(nobody.pw_gid)]
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True)
    with EmbeddedPostgres(folder, settings=FAST):
        assert postmaster(folder).uids().effective == nobody.pw_uid
        assert postmaster(folder).gids().effective == nobody.pw_gid
    assert {path.stat().st_uid for path in (folder / "data").rglob("*")} == {nobody.pw_uid}


def test_a_setting_that_the_server_refuses_is_told(folder: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match="max_connections"):
        EmbeddedPostgres(folder, settings={"max_connections": "many"}).start()
