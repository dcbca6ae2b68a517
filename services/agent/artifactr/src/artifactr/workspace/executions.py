"""Where a run stands, and which replica executes it [RN-16]."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.postgres.listen import Listener

from artifactr.core.actors import WorkspaceKey
from artifactr.core.events import RunStatus
from artifactr.core.rejections import NotFound
from artifactr.core.runs import ENDS, Run
from artifactr.store import claims as claims_store
from artifactr.store import runs as runs_store
from artifactr.store.unit_of_work import UnitOfWork


@dataclass
class Replica:
    """This process among those that share a database.

    `address` is where the others reach it, empty for a process that none can reach; a server knows it once it listens.
    """

    address: str = ""


@dataclass(frozen=True, kw_only=True)
class Execution:
    """A run as it stands, and the address of whoever executes it now.

    That is None while nobody does, as during a pause; empty for a process that no other can reach.
    """

    run: Run
    address: str | None

    @property
    def ended(self) -> bool:
        """Whether nothing more comes of the run."""
        return self.run.status in ENDS


async def execution(unit: UnitOfWork, key: WorkspaceKey, run_id: str) -> Execution:
    """Where a run stands; NotFound where there is none."""
    async with unit.unlocked(key) as connection:
        found = await runs_store.find_run(connection, key, run_id)
        if found is None:
            raise NotFound(entity="run", id=run_id)
        if found.run.status is not RunStatus.RUNNING:
            return Execution(run=found.run, address=None)
        address = await claims_store.holder_address(connection, key, found.run.thread_id, token=found.claim_token)
    return Execution(run=found.run, address=address)


async def executions(
    unit: UnitOfWork, listener: Listener, key: WorkspaceKey, run_id: str
) -> AsyncGenerator[Execution, None]:
    """Where a run stands, now and whenever that may have changed; it ends with the run's end.

    A database that is away for a while only puts it off.
    """
    with listener.subscribed(key.tenant, key.workspace) as wakings:
        async for _ in wakings:
            try:
                now = await execution(unit, key, run_id)
            except PeerUnavailable:
                continue
            yield now
            if now.ended:
                return
