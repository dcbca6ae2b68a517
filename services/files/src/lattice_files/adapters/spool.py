"""The spool: a folder of this process alone, below one that all servers of a machine may share.

What is spooled is the content of documents, and workers have their folders in a spool too. A server
that is killed cannot delete its own. So each process holds a lock (`flock`) in its folder as long as
it lives; the system frees it however the process ends, and whoever starts next removes the folders
whose lock is free.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_PREFIX: Final = "p-"  # short, for workers have sockets here, whose paths may have about a hundred bytes
_LOCK: Final = "lock"


def default_root() -> Path:
    """Where the servers of this user spool unless told otherwise."""
    return Path(tempfile.gettempdir()) / f"lattice-files-{os.geteuid()}"


@contextmanager
def open_spool(root: Path) -> Iterator[Path]:
    """A new folder below `root`, which is made if need be; it is gone with all in it when the block is left.

    Only this user may enter it. What killed processes left below `root` is removed first.

    Raises:
        PermissionError: `root` is another user's, who could exchange what lies there.
    """
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Of a link both: whoever made it chose the folder of ours in which we would remove what looks left behind.
    if not {root.stat().st_uid, root.lstat().st_uid} <= {0, os.geteuid()}:
        raise PermissionError(f"the spool {root} is another user's")
    with ExitStack() as own:
        with _locked(root / _LOCK):  # so that nobody takes a folder that has no lock yet for one left behind
            _sweep(root)
            folder = own.enter_context(TemporaryDirectory(prefix=_PREFIX, dir=root, ignore_cleanup_errors=True))
            own.enter_context(_locked(Path(folder) / _LOCK))
        yield Path(folder)


def _sweep(root: Path) -> None:
    for folder in root.glob(f"{_PREFIX}*"):
        with suppress(OSError), _locked(folder / _LOCK, operation=fcntl.LOCK_EX | fcntl.LOCK_NB):
            shutil.rmtree(folder)  # a lock that another process holds, or a folder that it just removed, is no error


@contextmanager
def _locked(path: Path, *, operation: int = fcntl.LOCK_EX) -> Iterator[None]:
    with path.open("wb") as file:
        fcntl.flock(file, operation)
        yield
