"""The engine's host: a process that edits DOCX, spoken to in lines of JSON over its pipes.

A host serves one job at a time and one session a job. Its calls have no time limit of their own, so
the limit is kept from outside: a host that hangs is killed. A dead host's session handles would name
other documents in the next one (they start at 1 again), so no session outlives its host. A host
serves one tenant for its whole life, for a document may have taken it over, and it is replaced after
some jobs or when it holds much memory, since it gives none back.
"""

import asyncio
import base64
import importlib.util
import itertools
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Self

from lattice_wordcraft.ports import Answer, Document, Edited
from lattice_wordcraft.refusals import AppCrashed, AppTimeout, CommandRefused, FileRefused
from lattice_wordcraft.sandbox.rooms import Program, Room, Rooms

_log = logging.getLogger(__name__)

_LINE_LIMIT: Final = 2**28
"""Bytes of the longest answer: a file of 50 MiB in base64, with room for its text."""

_HEAP_LIMIT: Final = "40000000"
"""Bytes of the host's managed heap, in hexadecimal: 1 GiB. Beyond it a call fails and the host lives."""


class HostFailed(Exception):
    """The host answered an operation with an error of its own instead of a result."""


class EngineHost:
    """One host process."""

    def __init__(self, program: Program, room: Room) -> None:
        self._program = program
        self._room = room
        self._requests = itertools.count(1)
        self._awaiting = False
        self.jobs = 0
        self.tenant: str | None = None
        """Whose documents it has seen; None before the first."""

    @classmethod
    async def started(cls, rooms: Rooms) -> Self:
        """A fresh host in a room of its own."""
        room = rooms.room()
        try:
            # Without invariant globalization the host dies where libicu is missing.
            environment = {
                "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1",
                "DOTNET_GCHeapHardLimit": _HEAP_LIMIT,
                "DOTNET_EnableDiagnostics": "0",
                "DOTNET_BUNDLE_EXTRACT_BASE_DIR": str(room.path),
            }
            program = await room.start(str(_program()), environment=environment, line_limit=_LINE_LIMIT)
        except BaseException:
            room.close()
            raise
        host = cls(program, room)
        try:
            await host.call("ping")
        except BaseException:
            await host.ended()
            raise
        return host

    @property
    def pid(self) -> int:
        """The process id of the host, or of the program that confines it."""
        return self._program.pid

    @property
    def memory(self) -> int:
        """The bytes that the host holds in memory."""
        return self._program.memory

    @property
    def is_usable(self) -> bool:
        """Whether the host lives and owes no answer."""
        return self._program.process.returncode is None and not self._awaiting

    async def call(self, operation: str, **arguments: object) -> Answer:
        """The result of one operation. A cancel leaves the host unusable.

        Raises:
            AppCrashed: the host died.
            HostFailed: it answered with an error.
        """
        request = {"id": next(self._requests), "op": operation, "args": arguments}
        self._awaiting = True
        try:
            reply = await self._exchange(json.dumps(request).encode() + b"\n")
        except (ConnectionError, asyncio.IncompleteReadError, ValueError) as error:
            self.kill()
            raise AppCrashed(what="engine") from error
        self._awaiting = False
        if not reply.get("ok"):
            raise HostFailed((reply.get("error") or {}).get("message", "no reason given"))
        return reply.get("result")

    def kill(self) -> None:
        """End the process at once; harmless where it has ended."""
        self._program.kill()

    async def ended(self) -> None:
        """Kill the process, wait until it is gone, and delete its room."""
        self.kill()
        await self._program.ended()
        self._room.close()

    async def _exchange(self, line: bytes) -> dict[str, Any]:
        stdin, stdout = self._program.process.stdin, self._program.process.stdout
        assert stdin is not None  # noqa: S101  both are pipes since `started`
        assert stdout is not None  # noqa: S101 - a pipe, as above
        stdin.write(line)
        await stdin.drain()
        answer = await stdout.readline()
        if not answer:
            raise ConnectionResetError
        reply: dict[str, Any] = json.loads(answer)
        return reply


class EngineDocument:
    """A document open in a host; see `ports.Document`."""

    def __init__(self, host: EngineHost, handle: int, *, author: str, tracked: bool) -> None:
        self._host = host
        self._handle = handle
        self._author = author
        self._tracked = tracked

    @classmethod
    async def opened(cls, host: EngineHost, content: bytes, *, author: str, tracked: bool) -> Self:
        """A document in a session of its own; raises `FileRefused` (guard "engine") where the host cannot open it."""
        return cls(host, await _opened(host, content, author, tracked=tracked), author=author, tracked=tracked)

    async def ask(self, operation: str, **arguments: object) -> Answer:
        """The answer of an operation that changes nothing."""
        try:
            return await self._host.call(operation, handle=self._handle, **arguments)
        except HostFailed as error:
            raise CommandRefused(f"the engine fails at {operation}: {error}") from error

    async def edit(self, operation: str, **arguments: object) -> Edited:
        """Carry out an operation, or raise `CommandRefused` with the engine's reason."""
        result = await self.ask(operation, **arguments)
        if not result.get("success"):
            raise CommandRefused((result.get("error") or {}).get("message", "the engine gives no reason"))
        return Edited(
            created=_anchors(result, "created"),
            modified=_anchors(result, "modified"),
            removed=_anchors(result, "removed"),
        )

    async def track(self, *, tracked: bool) -> None:
        """Record what follows as tracked changes, or make it directly."""
        await self.ask("set_tracked_changes", mode=_mode(tracked=tracked))
        self._tracked = tracked

    async def saved(self, *, anchored: bool = False) -> bytes:
        """The package as it stands, with block ids in it where `anchored`."""
        result = await self.ask("save", persistAnchorIds=anchored)
        return base64.b64decode(result["docxB64"])

    async def reopen(self, anchored: bytes) -> None:
        """Go on with what was made of an anchored package, in a session of its own."""
        try:
            handle = await _opened(self._host, anchored, self._author, tracked=self._tracked)
        except FileRefused as error:
            raise CommandRefused(f"the engine cannot open what was made of it: {error.why}") from error
        await self.close()
        self._handle = handle

    async def close(self) -> None:
        """End the session; a host that owes an answer is beyond that."""
        if self._host.is_usable:
            await self._host.call("close_session", handle=self._handle)


class EngineHosts:
    """Warm hosts, one job on each at a time; further jobs wait for a free one.

    No host that has served one tenant ever serves another.
    """

    def __init__(
        self,
        rooms: Rooms,
        *,
        tenant: Callable[[], str],
        size: int,
        time_limit: timedelta,
        jobs_per_host: int,
        memory_per_host: int = 512 * 2**20,
    ) -> None:
        """Hosts in these rooms.

        Args:
            rooms: where they run.
            tenant: whose document a job opens, asked when it does.
            size: how many there are at the most.
            time_limit: how long a job may take.
            jobs_per_host: after how many jobs a host is replaced.
            memory_per_host: the bytes beyond which it is replaced after a job.
        """
        self._size = size
        self._slots = asyncio.Semaphore(size)
        self._time_limit = time_limit.total_seconds()
        self._jobs_per_host = jobs_per_host
        self._memory_per_host = memory_per_host
        self._rooms = rooms
        self._tenant = tenant
        self._hosts: set[EngineHost] = set()
        self._idle: list[EngineHost] = []

    @property
    def pids(self) -> list[int]:
        """The process ids of the hosts that live now."""
        return [host.pid for host in self._hosts]

    async def warm(self) -> None:
        """Start a host ahead of the first job."""
        self._idle.append(await self._started())

    async def close(self) -> None:
        """End every host."""
        await asyncio.gather(*(host.ended() for host in self._hosts))
        self._hosts.clear()
        self._idle.clear()

    @asynccontextmanager
    async def document(self, content: bytes, *, author: str = "", tracked: bool = False) -> AsyncIterator[Document]:
        """Open a document for one job; leaving it closes the session, or kills a host that is stuck.

        Raises:
            FileRefused: the engine cannot open the document (guard "engine").
            AppTimeout: the job took longer than its limit.
            AppCrashed: the host died.
        """
        async with self._slots:
            host = await self._free()
            try:
                async with asyncio.timeout(self._time_limit):
                    document = await EngineDocument.opened(host, content, author=author, tracked=tracked)
                    try:
                        yield document
                    finally:
                        await document.close()  # a refusal leaves a good host behind
            except TimeoutError as error:
                raise AppTimeout(what="engine") from error
            finally:
                await self._give_back(host)

    async def _free(self) -> EngineHost:
        """A host for one job: an idle one that lives and has seen no other tenant's documents, else a fresh one."""
        tenant = self._tenant()
        while fitting := [it for it in self._idle if it.tenant in {tenant, None}]:
            host = max(fitting, key=lambda it: it.tenant is not None)
            self._idle.remove(host)
            if host.is_usable:
                host.tenant = tenant
                return host
            await self._end(host)
        # One slot is this job's, so where there are as many hosts as slots one of them is idle; the oldest goes.
        if len(self._hosts) >= self._size:
            await self._end(self._idle.pop(0))
        host = await self._started()
        host.tenant = tenant
        return host

    async def _started(self) -> EngineHost:
        host = await EngineHost.started(self._rooms)
        self._hosts.add(host)
        return host

    async def _give_back(self, host: EngineHost) -> None:
        host.jobs += 1
        if host.is_usable and host.jobs < self._jobs_per_host and host.memory < self._memory_per_host:
            self._idle.append(host)
            return
        _log.info("engine host %d ends after %d jobs", host.pid, host.jobs)
        await self._end(host)

    async def _end(self, host: EngineHost) -> None:
        self._hosts.discard(host)
        await host.ended()


async def _opened(host: EngineHost, content: bytes, author: str, *, tracked: bool) -> int:
    """The handle of a session on these bytes."""
    settings = {
        "trackedChanges": _mode(tracked=tracked),
        "revisionAuthor": author,
        "undoDepth": 0,  # a refused batch throws the session away, so nothing is ever undone
        "captureInitialProjection": False,
    }
    try:
        handle: int = await host.call("open_session", docxB64=base64.b64encode(content).decode(), settings=settings)
    except HostFailed as error:
        raise FileRefused(guard="engine", why=f"the engine cannot open it: {error}") from error
    return handle


def _program() -> Path:
    found = importlib.util.find_spec("docx_scalpel")
    if found is None or found.origin is None:
        raise RuntimeError("docx-scalpel is not installed")
    return Path(found.origin).parent / "_bin" / "docxodus-pyhost"


def _mode(*, tracked: bool) -> str:
    return "render_inline" if tracked else "accept"


def _anchors(result: dict[str, Any], key: str) -> tuple[str, ...]:
    return tuple(anchor["id"] for anchor in result.get(key) or ())
