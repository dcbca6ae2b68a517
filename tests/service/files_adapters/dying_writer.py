"""A program that puts a blob into a folder and is killed at a moment: `copy`, `sync` or `rename`."""

import asyncio
import hashlib
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Never

from lattice_files.adapters.blob_store import FolderBlobs
from lattice_files.domain.content import Content
from service.files_adapters.blob_store_contract import MAIN


def die(*_: object) -> Never:
    """End at once, with nothing tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("a killed process runs no further")


def half_a_copy(source: Path, target: Path) -> None:
    """Copy half of the content, then die."""
    data = source.read_bytes()
    target.write_bytes(data[: len(data) // 2])
    die()


def main(moment: str, root: str, path: str) -> None:
    """Put the content of the path, up to the moment."""
    match moment:
        case "copy":
            shutil.copyfile = half_a_copy  # type: ignore[assignment]
        case "sync":
            os.fsync = die  # type: ignore[assignment]
        case "rename":
            Path.replace = die  # type: ignore[method-assign,assignment]
        case _:
            raise ValueError(moment)
    data = Path(path).read_bytes()
    content = Content(path=Path(path), size=len(data), digest=hashlib.sha256(data).hexdigest())
    asyncio.run(FolderBlobs(Path(root)).put(MAIN, content))


if __name__ == "__main__":
    main(*sys.argv[1:])
