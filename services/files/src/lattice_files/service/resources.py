"""What the use cases work with, put together once by the composition root."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from lattice_chassis.postgres.locks import SessionLocks

from lattice_files.domain.limits import Limits
from lattice_files.domain.policies import WritePolicy
from lattice_files.domain.rejections import PeerUnavailable
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.ports import AppWorkers, BlobStore, Switches
from lattice_files.service.gate import Gate
from lattice_files.service.spool import Spool
from lattice_files.store.unit_of_work import UnitOfWork, Work


@dataclass(frozen=True, kw_only=True)
class Resources:
    """The database, the ports and the figures of one deployment; shared by all calls."""

    unit: UnitOfWork
    locks: SessionLocks
    """Names that one process of the deployment holds at a time."""
    switches: Switches
    workers: AppWorkers
    blobs: BlobStore
    spool: Spool
    limits: Limits = field(default=Limits())
    policies: Mapping[str, WritePolicy] = field(default_factory=dict)
    """The write policies of native kinds that have another one than `direct`; others are registered with theirs."""
    kinds: frozenset[str] | None = None
    """The kinds that may be created; None for any [TN-05]."""
    agents_accept: bool = False
    """Whether agents may accept what policy makes them propose [AMB-27]."""

    @property
    def gate(self) -> Gate:
        """What every governed write passes."""
        return Gate(self.switches, self.workers.apps)

    @asynccontextmanager
    async def writing(self, scope: WorkspaceKey) -> AsyncIterator[Work]:
        """The workspace's transaction, within the commit deadline [X-06].

        Raises:
            PeerUnavailable: the deadline passed; a repeat tells whether it committed all the same [WP-07].
        """
        async with within(self.limits.commit, "database"), self.unit.begin(scope) as work:
            yield work


@asynccontextmanager
async def within(length: timedelta, peer: str) -> AsyncIterator[None]:
    """Bound what waits for a peer.

    Raises:
        PeerUnavailable: it took longer.
    """
    deadline = asyncio.timeout(length.total_seconds())
    try:
        async with deadline:
            yield
    except TimeoutError:
        if deadline.expired():
            raise PeerUnavailable(peer=peer) from None
        raise
