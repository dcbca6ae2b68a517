"""A program that holds two workers, one of them in the middle of a call that hangs, until it is killed.

It prints one line: the ids of their process groups, then their folders.
"""

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from lattice_files.adapters.app_workers import open_app_workers
from lattice_files.adapters.worker_pool import PoolLimits
from service.files_adapters.workbench import FAKE_FORMAT, HANG, Workbench, fake_app


async def main() -> None:
    """Take both workers, make one hang, say which they are."""
    within = timedelta(seconds=60)
    async with AsyncExitStack() as stack:
        bench = Workbench(Path(stack.enter_context(TemporaryDirectory())))
        workers = await stack.enter_async_context(open_app_workers([fake_app()], PoolLimits(slots=2, warm=2)))
        (app,) = workers.apps
        idle, busy = [await stack.enter_async_context(workers.slot(app, within=within)) for _ in range(2)]
        hanging = asyncio.create_task(busy.apply_batch(bench.document("One."), FAKE_FORMAT, HANG, bench.into()))
        processes = idle._process, busy._process
        print(*(it.process_id for it in processes), *(it.socket.parent for it in processes), flush=True)
        await hanging


if __name__ == "__main__":
    asyncio.run(main())
