"""Programs that see untrusted files run without a network, and where it can be had with a read-only disk.

bubblewrap is preferred, `unshare` takes the network away alone. What a machine allows is found out by
trying. Where neither works the programs run plain, and the worker says so when it starts.
"""

import asyncio
import os
import shutil
from pathlib import Path


async def confinement(folder: Path) -> tuple[str, ...]:
    """The words to put before a program so that it has no network; none where this machine allows nothing.

    `folder` is the only place where a program inside bubblewrap may write.
    """
    for candidate in _candidates(folder):
        if shutil.which(candidate[0]) and await _works(candidate):
            return candidate
    return ()


def _candidates(folder: Path) -> tuple[tuple[str, ...], ...]:
    disk = (
        *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
        # LibreOffice makes its pipes in /tmp or here and nowhere else; /tmp may hold the very program to run.
        *("--tmpfs", "/var/tmp"),  # noqa: S108  inside the sandbox
        *("--bind", str(folder), str(folder)),
    )
    user = () if os.geteuid() == 0 else ("--user", "--map-current-user")
    # In a process namespace of its own a program that is killed takes all that it started with it.
    alone = ("--pid", "--fork", "--kill-child", "--mount-proc")
    return (
        ("bwrap", *disk, "--unshare-net", "--unshare-pid", "--die-with-parent", "--"),
        ("unshare", *user, "--net", *alone, "--"),
        ("unshare", *user, "--net", "--"),
    )


async def _works(words: tuple[str, ...]) -> bool:
    process = await asyncio.create_subprocess_exec(
        *words, "true", stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    return await process.wait() == 0
