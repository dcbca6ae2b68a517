"""A loopback proxy between a client and a server, whose answers can be held back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class HeldBack:
    """Passes bytes both ways; from `hold` until `release` no byte of the server reaches a client."""

    def __init__(self) -> None:
        self.address = ""
        self._open = asyncio.Event()
        self._open.set()

    def hold(self) -> None:
        """Keep every further answer."""
        self._open.clear()

    def release(self) -> None:
        """Pass on what was kept, and what comes."""
        self._open.set()

    async def pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, answers: bool) -> None:
        """Pass bytes on until either side closes."""
        try:
            while block := await source.read(65536):
                if answers:
                    await self._open.wait()
                sink.write(block)
                await sink.drain()
        except ConnectionError:
            pass
        finally:
            sink.close()


@asynccontextmanager
async def proxy_to(address: str) -> AsyncIterator[HeldBack]:
    """A proxy to a server at `host:port`."""
    host, _, port = address.rpartition(":")
    proxy = HeldBack()
    tasks: set[asyncio.Task[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream, downstream = await asyncio.open_connection(host, int(port))
        for work in (proxy.pump(reader, downstream, answers=False), proxy.pump(upstream, writer, answers=True)):
            task = asyncio.create_task(work)
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    proxy.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
