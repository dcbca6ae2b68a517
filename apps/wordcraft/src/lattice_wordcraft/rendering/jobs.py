"""Jobs of confined programs that draw: each in a room that lives for one call, and killed when its time is up."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

from lattice_wordcraft.ports import Page
from lattice_wordcraft.refusals import AppCrashed, AppTimeout, FileRefused, PageOutOfRange
from lattice_wordcraft.rendering.drawing import MAX_IMAGE_BYTES
from lattice_wordcraft.sandbox.rooms import Room, Rooms

_KILLED: Final = 128
_CHUNK_BYTES: Final = 2**16
_MAX_PAGE_BYTES: Final = MAX_IMAGE_BYTES + 2**10


class Jobs:
    """So many jobs at a time, each within the time limit; further ones wait for a place, within theirs."""

    def __init__(self, rooms: Rooms, *, size: int, time_limit: timedelta) -> None:
        self._rooms = rooms
        self._places = asyncio.Semaphore(size)
        self._time_limit = time_limit.total_seconds()

    @asynccontextmanager
    async def within_time(self) -> AsyncIterator[None]:
        """Run the block within the time limit, or end it with `AppTimeout`."""
        try:
            async with asyncio.timeout(self._time_limit):
                yield
        except TimeoutError as error:
            raise AppTimeout(what="renderer") from error

    @asynccontextmanager
    async def room(self) -> AsyncIterator[Room]:
        """A room for one program after the other, once there is a place."""
        async with self._places:
            with self._rooms.room() as room:
                yield room


async def drawn(room: Room, kind: str, content: bytes, number: int, long_side: int) -> Page:
    """A page of a document ("docx") or of a PDF ("pdf").

    Raises:
        PageOutOfRange: there is no such page.
        FileRefused: it cannot be drawn (guard "renderer").
        AppCrashed: as in `ran`, or the answer is no page.
    """
    file = await asyncio.to_thread(room.put, f"document.{kind}", content)
    module = "lattice_wordcraft.rendering.drawing"
    command = (sys.executable, "-I", "-m", module, kind, str(file), str(number), str(long_side))
    status, told = await ran(room, *command, limit=_MAX_PAGE_BYTES)
    if status:
        raise FileRefused(guard="renderer", why="it cannot be drawn")
    answer, _, png = told.partition(b"\n")
    try:
        page = Page(png=png, **json.loads(answer))
    except (ValueError, TypeError) as error:
        raise AppCrashed(what="renderer") from error
    if not png:
        raise PageOutOfRange(count=page.page_count)
    return page


async def ran(room: Room, *command: str, limit: int, environment: Mapping[str, str] | None = None) -> tuple[int, bytes]:
    """The status with which a program ends, and what it writes to standard output; a cancel kills it.

    Raises:
        AppCrashed: it was killed by a signal, or writes more than `limit` bytes.
    """
    program = await room.start(*command, environment=environment or {})
    output, told = program.process.stdout, bytearray()
    assert output is not None  # noqa: S101  a pipe since it was started
    try:
        while chunk := await output.read(_CHUNK_BYTES):
            told += chunk
            if len(told) > limit:
                raise AppCrashed(what="renderer")
        await program.process.wait()
    finally:
        program.kill()
        status = await program.ended()
    # A shell or a sandbox between reports the signal of its child as a status over 128.
    if status < 0 or status > _KILLED:
        raise AppCrashed(what="renderer")
    return status, bytes(told)
