"""What a program takes and whom it calls: the memory of its processes, and a listener that hopes to hear nothing."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

_EVERY = 0.01
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Memory:
    """The most bytes that a process and all below it held at one time."""

    peak: int = 0


@contextmanager
def watched_memory(pid: int) -> Iterator[Memory]:
    """Look at a process and all below it a hundred times a second while the block runs."""
    memory, over = Memory(), threading.Event()

    def watch() -> None:
        while True:
            memory.peak = max(memory.peak, sum(map(_held, family_of(pid))))
            if over.wait(_EVERY):
                return

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield memory
    finally:
        over.set()
        thread.join()


def family_of(pid: int) -> Iterator[int]:
    """A process and all below it; those that end meanwhile have no children."""
    yield pid
    with suppress(FileNotFoundError, ProcessLookupError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from family_of(int(child))


def _held(pid: int) -> int:
    with suppress(FileNotFoundError, ProcessLookupError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    return 0


@dataclass
class Listener:
    """A server on loopback, and every request that reached it."""

    address: str = ""
    heard: list[str] = field(default_factory=list)


@asynccontextmanager
async def listening() -> AsyncIterator[Listener]:
    """A server that answers anything with a page and remembers who asked for what."""
    listener = Listener()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        listener.heard.append((await reader.readline()).decode("latin-1").strip())
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    listener.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield listener
