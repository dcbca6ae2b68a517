"""Attempts to get out of each confinement, by a hostile program in place of an engine.

That the attacks are real is shown by the last test, where they succeed with nothing around them.
"""

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from lattice_wordcraft.sandbox.confinement import Unconfined
from service.wordcraft.sandbox.conftest import SECRET, Cell
from service.wordcraft.sandbox.hostile import find_secret

pytestmark = pytest.mark.documents


@contextmanager
def listening() -> Iterator[dict[str, tuple[socket.socket, object]]]:
    """Sockets that would hear of an attack, by the attack, each with its address."""
    with ExitStack() as opened:
        tcp = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        abstract = opened.enter_context(socket.socket(socket.AF_UNIX))
        name = f"lattice-{os.getpid()}"
        abstract.bind(f"\0{name}")
        abstract.listen()
        datagrams = opened.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        datagrams.bind(f"\0{name}-datagrams")
        sockets: dict[str, tuple[socket.socket, object]] = {
            "connect_tcp": (tcp, tcp.getsockname()[1]),
            "send_udp": (udp, udp.getsockname()[1]),
            "connect_unix": (abstract, f"@{name}"),
            "send_unix": (datagrams, f"@{name}-datagrams"),
        }
        for each, _ in sockets.values():
            each.setblocking(False)
        yield sockets


def has_heard(listener: socket.socket) -> bool:
    """Whether anything has arrived at a socket."""
    try:
        if listener.type == socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(100)
    except BlockingIOError:
        return False
    return True


async def test_it_reaches_nobody_over_any_socket(cell: Cell) -> None:
    """SE-07: not on this machine's loopback, not by datagrams, not by an abstract unix socket."""
    with listening() as sockets:
        assert await cell.escaped(*((attack, address) for attack, (_, address) in sockets.items())) == {}
        assert not any(has_heard(listener) for listener, _ in sockets.values())


async def test_it_reaches_no_unix_socket_that_a_file_names(cell: Cell, open_folder: Path) -> None:
    """SE-07: such as a database's, or another worker's."""
    path = open_folder / "service.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        path.chmod(0o777)
        listener.listen()
        listener.setblocking(False)
        assert await cell.escaped(("connect_unix", path)) == {}
        assert not has_heard(listener)


async def test_it_reads_no_file_but_programs_and_its_own(cell: Cell, open_folder: Path) -> None:
    """SE-07: no password, no document of others, no folder of another job."""
    document = open_folder / "document.docx"
    document.write_text("Berlin")
    document.chmod(0o666)
    with cell.rooms.room() as other:
        files = ("/etc/shadow", "/etc/hostname", document, other.put("document.docx", b"of another job"))
        assert await cell.escaped(*(("read", path) for path in files)) == {}
        seen = await cell.escaped(
            *(("list_folder", path) for path in (open_folder, other.path, cell.rooms.folder, "/home"))
        )
        assert not any(other.path.name in names or "document" in names for names in seen.values()), seen


async def test_it_reads_no_secret_of_another_process(cell: Cell, victim: asyncio.subprocess.Process) -> None:
    """SE-07: not even of the same user's."""
    assert str(victim.pid) in find_secret(SECRET)
    assert await cell.escaped(("find_secret", SECRET)) == {}


async def test_it_writes_nowhere_but_in_its_room(cell: Cell, open_folder: Path) -> None:
    """SE-07: the disk is read-only, also where everybody may write."""
    with cell.rooms.room() as other:
        other.path.chmod(0o777)
        name = f"lattice-escaped-{os.getpid()}"
        paths = [Path(folder, name) for folder in (open_folder, other.path, "/tmp", "/dev/shm", "/")]  # noqa: S108 - paths that must stay shut
        assert await cell.escaped(*(("write", path) for path in paths)) == {}
        assert not any(path.exists() for path in paths)


async def test_it_lays_no_hand_on_another_process(cell: Cell, victim: asyncio.subprocess.Process) -> None:
    """SE-07: though that is the same user's."""
    attacks = ("kill", "kill_thread", "kill_by_descriptor", "trace", "limit_other")
    assert await cell.escaped(*((attack, victim.pid) for attack in attacks)) == {}
    await asyncio.sleep(0.05)
    assert victim.returncode is None


async def test_it_gains_no_right(cell: Cell) -> None:
    """SE-07: nobody, and nobody it remains."""
    attacks = ("lift_limits", "dump_core", "new_namespace", "become_root", "is_root")
    assert await cell.escaped(*((attack, "") for attack in attacks)) == {}


async def test_the_attacks_succeed_where_nothing_confines_them(
    tmp_path: Path, open_folder: Path, victim: asyncio.subprocess.Process
) -> None:
    """They would be no proof otherwise."""
    cell = Cell(Unconfined(), tmp_path)
    with listening() as sockets, cell.rooms.room() as other:
        attempts: list[tuple[str, object]] = [
            *((attack, address) for attack, (_, address) in sockets.items()),
            ("read", other.put("document.docx", b"of another job")),
            ("list_folder", other.path),
            ("write", open_folder / "new"),
            ("find_secret", SECRET),
            ("fork", 3),
            ("kill_by_descriptor", victim.pid),
        ]
        assert list(await cell.escaped(*attempts)) == attempts
        assert all(has_heard(listener) for listener, _ in sockets.values())
    assert await victim.wait() < 0
