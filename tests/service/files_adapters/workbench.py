"""What the tests of app workers work with: documents of the fake app, folders for results, living processes."""

import asyncio
import hashlib
import itertools
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from lattice_files.adapters.app_workers import AppPrograms
from lattice_files.adapters.worker_process import AppProgram
from lattice_files.domain.actors import Actor, ActorKind
from lattice_files.domain.apps import Batch, ChangeMode, CommandCall, Format
from lattice_files.domain.content import Content

OpenWorkers = Callable[..., AbstractAsyncContextManager[AppPrograms]]
"""Opens a pool of the fake app with the limits that a test changes."""

TESTS: Final = Path(__file__).parents[2]
FAKE_APP: Final = (sys.executable, str(TESTS / "fakes/fake_app"))
FAKE_FORMAT: Final = Format(name="fake", media_type="application/x-fake", extension="fake")
NOON: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)

ASSISTANT: Final = Actor(kind=ActorKind.AGENT, id="thr_1", name="Assistant", run_id="run_1")
ALICE: Final = Actor(kind=ActorKind.USER, id="alice", name="Alice")


def fake_app(*options: str) -> AppProgram:
    """The fake app as a program, with options of its own."""
    return AppProgram(command=(*FAKE_APP, *options))


class Workbench:
    """A folder of one test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count(1)

    def content(self, data: bytes) -> Content:
        """A spooled content."""
        path = self._folder / f"content-{next(self._numbers)}"
        path.write_bytes(data)
        return Content(path=path, size=len(data), digest=hashlib.sha256(data).hexdigest())

    def document(self, *paragraphs: str, **parts: object) -> Content:
        """A file of the fake app."""
        return self.content(json.dumps({"paragraphs": paragraphs, **parts}).encode())

    def into(self) -> Path:
        """A folder for what one call makes."""
        folder = self._folder / f"made-{next(self._numbers)}"
        folder.mkdir()
        return folder


def batch(*commands: tuple[str, dict[str, object]], author: Actor = ASSISTANT) -> Batch:
    """Commands of the fake app, by default from an agent, so tracked."""
    calls = [CommandCall(command=name, arguments_json=json.dumps(arguments)) for name, arguments in commands]
    return Batch(commands=calls, author=author, time=NOON, mode=ChangeMode.BY_AUTHOR)


APPEND: Final = batch(("append_paragraph", {"text": "More."}))
HANG: Final = batch(("hang", {}))


async def until(condition: Callable[[], bool]) -> None:
    """Return once another process brought the condition about; TimeoutError where it does not within a minute."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - the condition is another process's
            await asyncio.sleep(0.01)


def is_left(path: str) -> bool:
    """Whether a file or folder is still there."""
    return Path(path).exists()


def size_of_files(folder: Path) -> int:
    """How many bytes the files of a folder have."""
    return sum(path.stat().st_size for path in folder.iterdir())


def living_in_group(group: int) -> Sequence[int]:
    """The processes of a process group that are not dead; those nobody has waited for yet count as dead."""
    return [process for process, state, pgrp in _processes() if pgrp == group and state not in "ZX"]


def programs_in_group(group: int) -> Sequence[int]:
    """The living processes of a worker's group without its guard, which leads it."""
    return [process for process in living_in_group(group) if process != group]


def _processes() -> list[tuple[int, str, int]]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                state, _parent, group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            except (FileNotFoundError, ProcessLookupError):
                continue  # it ended while we looked
            found.append((int(entry.name), state, int(group)))
    return found
