"""Opening workspaces: what a process needs to be a replica of the agent service."""

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Final

import grpc
from lattice_chassis.identity import Identity
from lattice_chassis.postgres.database import Database, open_database
from lattice_chassis.postgres.listen import POLL, open_announcer, open_listener
from lattice_chassis.postgres.workspaces import position

from artifactr.adapters.artifacts import FilesArtifacts
from artifactr.adapters.change_feed import FilesChangeFeed
from artifactr.adapters.proposals import FilesProposals
from artifactr.adapters.types import FilesTypes
from artifactr.core.actors import EDITOR, Actor, Caller
from artifactr.core.artifacts import Artifact
from artifactr.store.left_behind import LeftThread, left_threads
from artifactr.store.unit_of_work import UnitOfWork
from artifactr.wire.identities import caller_of
from artifactr.workspace.collaborators import Collaborators
from artifactr.workspace.executions import Replica
from artifactr.workspace.follower import Follower
from artifactr.workspace.ingestion import Ingestion
from artifactr.workspace.registration import registering
from artifactr.workspace.workspace import Workspace

CHANNEL: Final = "lattice_agent"
"""The channel of NOTIFY on which commits to the log are announced."""


class Workspaces:
    """Opens handles. Made by `open_workspaces`; may be shared by all tasks of an event loop."""

    def __init__(self, collaborators: Collaborators, across: Database | None) -> None:
        self._with = collaborators
        self._across = across

    def open(self, tenant: str, workspace: str, actor: Actor, *, roles: Collection[str] = EDITOR) -> Workspace:
        """A handle for an actor; here and in `open_for` alone a tenant enters [TN-01].

        A workspace needs no creation: one never written to is empty [TN-02]. An agent's handle is made of another by
        `Workspace.acting_as`, which tells for whom it works.

        Args:
            tenant: the tenant's id.
            workspace: the workspace's id in it.
            actor: who acts.
            roles: the actor's, as `editor` in every workspace or `launch/editor` in one; files goes by them, and so
                do the runs that the actor starts [SE-08].
        """
        return Workspace(Caller(tenant=tenant, workspace=workspace, actor=actor, roles=frozenset(roles)), self._with)

    def open_for(self, identity: Identity, workspace: str) -> Workspace:
        """A handle for whoever calls an RPC, with the roles that were verified, in a workspace of their tenant."""
        return Workspace(caller_of(identity, workspace), self._with)

    @property
    def looks_across(self) -> bool:
        """Whether `left_behind` can look: it takes the follower role."""
        return self._across is not None

    async def left_behind(self, agent_names: Collection[str] | None = None) -> Sequence[LeftThread]:
        """Threads of all tenants in which work stands still that nobody holds, 500 at the most [RN-15].

        Where names are given, those that name one of these agents; the empty one stands for threads that name none.
        """
        if self._across is None:
            return ()
        async with self._across.across_tenants() as connection:
            return await left_threads(connection, agent_names)

    def registering(self, types: Collection[type[Artifact]]) -> AbstractAsyncContextManager[None]:
        """Have an application's artifact types registered with files for the length of a block [AT-01].

        The block begins once they are, or at once where files cannot be reached: then they are as soon as it can be.
        Raises TypeRefused where files does not take one of them, as when its schema may refuse what it once accepted.
        """
        return registering(self._with.types, types)


@asynccontextmanager
async def open_workspaces(
    database_url: str,
    files: grpc.aio.Channel,
    *,
    poll: timedelta = POLL,
    follower_url: str = "",
    replica: Replica | None = None,
) -> AsyncIterator[Workspaces]:
    """Open agent's database, as its service role, and the peers it needs; on leaving, all is closed.

    `files` is a channel to the files service that forwards the current identity; it stays its owner's. `poll` is how
    long a subscriber waits at the most for a commit whose notification was lost [SB-07]. `follower_url` opens the same
    database as its follower role, for `left_behind`. `replica` says where others reach this process, which none does
    unless it is given.
    """
    async with (
        open_database(database_url, application="lattice agent") as database,
        _open_across(follower_url) as across,
        open_listener(database_url, CHANNEL, poll=poll, position=partial(position, database)) as listener,
        open_announcer(database_url, CHANNEL, listener) as announcer,
    ):
        unit, feed = UnitOfWork(database, announcer, listener), FilesChangeFeed(files)
        ingestion = Ingestion(unit, feed)
        yield Workspaces(
            Collaborators(
                unit=unit,
                listener=listener,
                artifacts=FilesArtifacts(files),
                proposals=FilesProposals(files),
                feed=feed,
                ingestion=ingestion,
                follower=Follower(ingestion, feed),
                types=FilesTypes(files),
                replica=replica or Replica(),
            ),
            across,
        )


@asynccontextmanager
async def _open_across(url: str) -> AsyncIterator[Database | None]:
    if not url:
        yield None
        return
    async with open_database(url, application="lattice agent, all tenants", pool_size=1) as database:
        yield database
