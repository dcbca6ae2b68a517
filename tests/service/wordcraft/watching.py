"""What a program takes and whom it calls: the memory of its processes, and a listener that hopes to hear nothing."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field

import psutil

_EVERY = 0.01


@dataclass
class Memory:
    """The most bytes that a process and all below it held at one time."""

    peak: int = 0


@contextmanager
def watched_memory(pid: int) -> Iterator[Memory]:
    """Look at a process and all below it a hundred times a second while the block runs."""
    memory, root, over = Memory(), psutil.Process(pid), threading.Event()

    def watch() -> None:
        while True:
            memory.peak = max(memory.peak, _held(root))
            if over.wait(_EVERY):
                return

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield memory
    finally:
        over.set()
        thread.join()


def _held(root: psutil.Process) -> int:
    total = 0
    for process in (root, *root.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            total += process.memory_info().rss
    return total


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
