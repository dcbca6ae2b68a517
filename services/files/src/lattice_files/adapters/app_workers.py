"""The port `AppWorkers`: the programs of every app, each with a pool of its workers."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import timedelta

from lattice_files.adapters.spool import default_root, open_spool
from lattice_files.adapters.worker_client import WorkerClient
from lattice_files.adapters.worker_pool import PoolLimits, WorkerPool
from lattice_files.adapters.worker_process import AppProgram
from lattice_files.domain.apps import App, Apps


class AppPrograms:
    """The port `AppWorkers` on programs of this machine."""

    def __init__(self, pools: Sequence[tuple[App, WorkerPool]]) -> None:
        self._apps = Apps(app for app, _ in pools)
        self._pools = {app.name: pool for app, pool in pools}

    @property
    def apps(self) -> Apps:
        """The apps, as their first workers described them."""
        return self._apps

    def slot(self, app: App, *, within: timedelta) -> AbstractAsyncContextManager[WorkerClient]:
        """A free worker of an app; see the port."""
        return self._pools[app.name].slot(within)


@asynccontextmanager
async def open_app_workers(programs: Sequence[AppProgram], limits: PoolLimits) -> AsyncIterator[AppPrograms]:
    """Start each app's warm workers, and end all workers when the block is left; their folders lie in a spool.

    Raises:
        WorkerDidNotStart: a program does not start or describe itself.
        ValueError: two apps share a name, a format or an extension.
    """
    with open_spool(default_root()) as folder:  # whatever the setting: a socket needs a short path
        async with AsyncExitStack() as stack:
            pools = []
            for program in programs:
                pool = WorkerPool(program, limits, folder)
                stack.push_async_callback(pool.close)
                pools.append((await pool.open(), pool))
            yield AppPrograms(pools)
