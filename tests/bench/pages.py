"""A page of a document: from the worker's cache against the same bytes from a bare server, and drawn anew.

`python -m bench.pages SOCKET PNG` serves the floor: it takes the document, and answers with the image.
"""

import asyncio
import hashlib
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import grpc
from bench.measure import Pair, milliseconds, pair
from lattice.app.v1 import app_service_pb2 as pb
from lattice_chassis.content import chunks_of
from service.wordcraft.worker import Worker, running_worker

ROUNDS: Final = 100
COMMAND: Final = [str(Path(sys.executable).with_name("lattice-wordcraft"))]
QUIET: Final = {"LATTICE_WORDCRAFT_LOG_LEVEL": "WARNING"}
LIMIT: Final = 50.0
"""Milliseconds that a page from the cache may take."""


async def measure_pages(documents: Sequence[bytes]) -> None:
    """Print a line for a page from the cache, and for pages drawn of documents that were never seen."""
    async with AsyncExitStack() as opened:
        rdocx, best = [
            await opened.enter_async_context(running_worker(COMMAND, LATTICE_WORDCRAFT_RENDERER=renderer, **QUIET))
            for renderer in ("rdocx", "auto")
        ]
        name = (await best.stub.Describe(pb.DescribeRequest())).version.partition("+")[2].partition("-")[0]
        ours, floor = [
            median([await milliseconds(partial(worker.page, document, 1)) for document in documents])
            for worker in (best, rdocx)
        ]
        print(Pair(what=f"page 1 of 20 drawn by {name}", floor_is="drawn by rdocx", ours=ours, floor=floor), flush=True)
        bare = await opened.enter_async_context(_bare(await best.page(documents[0], 1)))
        cached = await pair(
            "page 1 from the cache",
            lambda: best.page(documents[0], 1),
            "a bare RPC with the same bytes",
            lambda: bare.page(documents[0], 1),
            ROUNDS,
        )
        print(cached, flush=True)
        print(Pair(what="page 1 from the cache", floor_is="the limit", ours=cached.ours, floor=LIMIT), flush=True)


@asynccontextmanager
async def _bare(png: bytes) -> AsyncIterator[Worker]:
    """A client of the floor's program."""
    with TemporaryDirectory(prefix="lattice-bench-") as name:
        socket, image = Path(name, "floor.sock"), Path(name, "page.png")
        await asyncio.to_thread(image.write_bytes, png)
        process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bench.pages", str(socket), str(image))
        try:
            async with grpc.aio.insecure_channel(f"unix:{socket}") as connected:
                async with asyncio.timeout(20):
                    await connected.channel_ready()
                yield Worker(process, connected, Path(name))
        finally:
            process.terminate()
            await process.wait()


async def _serve(socket: str, png: bytes) -> None:
    chunks = [pb.OutputChunk(output=pb.OUTPUT_PAGE, content=chunk) for chunk in chunks_of(png)]
    summary = pb.OutputSummary(output=pb.OUTPUT_PAGE, size=len(png), sha256=hashlib.sha256(png).digest())
    answers = [
        *(pb.RenderPageResponse(chunk=chunk) for chunk in chunks),
        pb.RenderPageResponse(end=pb.RenderPageEnd(outputs=[summary], page_count=1, width=1, height=1)),
    ]

    async def render_page(
        requests: AsyncIterator[pb.RenderPageRequest], _context: object
    ) -> AsyncIterator[pb.RenderPageResponse]:
        async for _ in requests:
            pass
        for answer in answers:
            yield answer

    handler = grpc.stream_stream_rpc_method_handler(
        render_page, pb.RenderPageRequest.FromString, pb.RenderPageResponse.SerializeToString
    )
    server = grpc.aio.server()
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler("lattice.app.v1.AppService", {"RenderPage": handler})]
    )
    server.add_insecure_port(f"unix:{socket}")
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], Path(sys.argv[2]).read_bytes()))
