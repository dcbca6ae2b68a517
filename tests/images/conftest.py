"""The images as buildah made them (`make images`), run as a pod would run them, without an engine.

A program runs in the image's files, which are mounted read only, as the image's user, without any right of root and
unable to gain one, with a /tmp of its own and with the folders that a test lays in. Only root can do that.
"""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from deploy.containers import IMAGES, image

GROUP: Final = 10100
"""The group of a pod's folders."""

_ENTER: Final = """
set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount -t tmpfs tmpfs "$ROOT/tmp"
for pair in $FOLDERS; do mkdir -p "$ROOT${pair#*:}"; mount --bind "${pair%:*}" "$ROOT${pair#*:}"; done
mount -o remount,bind,ro "$ROOT"
exec setpriv --no-new-privs --bounding-set=-all,+setuid,+setgid,+sys_chroot \
  chroot --userspec="$USER_ID:$USER_ID" --groups="$GROUP" "$ROOT" "$@"
"""


@pytest.fixture(scope="session")
def roots() -> Iterator[Mapping[str, Path]]:
    """The files of each image."""
    if shutil.which("buildah") is None or os.geteuid() != 0:
        pytest.skip("buildah and root are needed to look into images and to run them")
    containers, found = [], {}
    for name in IMAGES:
        containers.append(_said("buildah", "from", "--pull-never", f"localhost/lattice-{name}:0.1.0"))
        found[name] = Path(_said("buildah", "mount", containers[-1]))
    yield found
    _said("buildah", "rm", *containers)


def _said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@asynccontextmanager
async def running(
    name: str, root: Path, arguments: Sequence[str], environment: Mapping[str, str], folders: Mapping[str, Path]
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The program of an image while the block runs; then it is told to end, as by a kubelet.

    `folders` are those that are laid in, by where.
    """
    path = "/opt/lattice/bin:/usr/local/bin:/usr/bin:/bin"
    told = {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    entering = {
        "PATH": os.environ["PATH"],
        "ROOT": str(root),
        "FOLDERS": " ".join(f"{source}:{where}" for where, source in folders.items()),
        "USER_ID": str(image(name).user),
        "GROUP": str(GROUP),
    }
    process = await asyncio.create_subprocess_exec(
        *("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", _ENTER, "sh"),
        *("env", "-i", *(f"{key}={value}" for key, value in told.items())),
        *(*image(name).entrypoint, *arguments),
        env=entering,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            _end(process.pid)
            async with asyncio.timeout(60):
                await process.wait()


def _end(waiting: int) -> None:
    """Tell the first process of a container, for which `unshare` only waits."""
    for child in Path(f"/proc/{waiting}/task/{waiting}/children").read_text().split():
        os.kill(int(child), signal.SIGTERM)
