"""A proxy on the loopback through which a client reaches a service, and which cuts connections when told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

_PIECE = 64 * 1024


class Proxy:
    """Hands bytes on in both directions; `cut` ends every connection as a network does that breaks."""

    def __init__(self, target: str) -> None:
        """Prepare it for a service at `host:port`."""
        self._host, _, port = target.rpartition(":")
        self._port = int(port)
        self._open: set[asyncio.StreamWriter] = set()
        self._answering = asyncio.Event()
        self._answering.set()
        self.address = ""

    def hold_answers(self) -> None:
        """Let nothing through to clients from now on, until they are cut off."""
        self._answering.clear()

    def cut(self) -> None:
        """End all connections at once, in the middle of whatever is sent; new ones are served."""
        for writer in self._open:
            writer.transport.abort()
        self._answering.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of a client."""
        try:
            from_service, to_service = await asyncio.open_connection(self._host, self._port)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, to_service}
        self._open |= ends
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_hand_on(reader, to_service, None))
                group.create_task(_hand_on(from_service, writer, self._answering))
        finally:
            self._open -= ends
            for end in ends:
                end.transport.abort()


async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, allowed: asyncio.Event | None) -> None:
    with suppress(OSError):
        while piece := await reader.read(_PIECE):
            if allowed is not None:
                await allowed.wait()
            writer.write(piece)
            await writer.drain()
    writer.transport.abort()


@asynccontextmanager
async def proxy_to(target: str) -> AsyncIterator[Proxy]:
    """A proxy that listens while the context lasts."""
    proxy = Proxy(target)
    serving: set[asyncio.Task[None]] = set()

    def began(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(proxy.serve(reader, writer))
        serving.add(task)
        task.add_done_callback(serving.discard)

    server = await asyncio.start_server(began, "127.0.0.1", 0)
    proxy.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        proxy.cut()
        await asyncio.gather(*serving, return_exceptions=True)
