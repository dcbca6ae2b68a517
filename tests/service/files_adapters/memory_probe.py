"""A program that moves 50 MiB through a worker or a blob store, and prints by how many bytes its memory grew."""

import asyncio
import hashlib
import json
import resource
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from lattice_files.adapters.app_workers import open_app_workers
from lattice_files.adapters.blob_store import open_blob_store
from lattice_files.adapters.worker_answers import MEBIBYTE
from lattice_files.adapters.worker_pool import PoolLimits
from lattice_files.domain.content import Content
from lattice_files.domain.workspaces import WorkspaceKey
from service.files_adapters.workbench import APPEND, FAKE_FORMAT, Workbench, fake_app

Move = Callable[[Content], Awaitable[None]]

SMALL, LARGE = 200_000, 50 * MEBIBYTE - 1000


def document(bench: Workbench, size: int) -> Content:
    """A file of the fake app of about that size, written without ever being held whole."""
    path, sha256 = bench.into() / "large", hashlib.sha256()
    before, after = json.dumps({"paragraphs": ["One."], "padding": ""}).encode().rsplit(b'""', 1)
    total = 0
    with path.open("wb") as file:
        for part in (before + b'"', *([b"x" * 50_000] * (size // 50_000)), b'"' + after):
            file.write(part)
            sha256.update(part)
            total += len(part)
    return Content(path=path, size=total, digest=sha256.hexdigest())


@asynccontextmanager
async def editing(bench: Workbench) -> AsyncIterator[Move]:
    """Moves a file through a worker that edits it."""
    limits = PoolLimits(slots=1, call_limit=timedelta(seconds=300))
    async with open_app_workers([fake_app()], limits) as workers:
        (app,) = workers.apps
        async with workers.slot(app, within=timedelta(seconds=60)) as worker:

            async def edit(content: Content) -> None:
                made = await worker.apply_batch(content, FAKE_FORMAT, APPEND, bench.into())
                assert made.native.size > content.size

            yield edit


@asynccontextmanager
async def storing(bench: Workbench) -> AsyncIterator[Move]:
    """Moves a file into a blob store, and out of it twice."""
    store, scope = open_blob_store(str(bench.into())), WorkspaceKey(tenant="acme", workspace="main")

    async def put_and_read(content: Content) -> None:
        await store.put(scope, content)
        async with aclosing(store.read(scope, content.digest)) as chunks:
            assert sum([len(chunk) async for chunk in chunks]) == content.size
        await store.fetch(scope, content.digest, bench.into())

    yield put_and_read


async def main(way: str) -> None:
    """Move a small file to warm up, then a large one; say how much that took."""
    with TemporaryDirectory() as folder:
        bench = Workbench(Path(folder))
        async with {"worker": editing, "blobs": storing}[way](bench) as move:
            await move(document(bench, SMALL))
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            await move(document(bench, LARGE))
            print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
