"""A log is reconciled with a feed that came back from a backup."""

import uuid
from collections.abc import AsyncIterator

import grpc
import pytest
from artifactr.adapters.change_feed import FilesChangeFeed
from artifactr.core.actors import WorkspaceKey
from artifactr.store.unit_of_work import UnitOfWork
from artifactr.workspace import Workspace
from artifactr.workspace.reconciliation import Reconciled, reconcile
from artifactr.workspace.workspaces import CHANNEL
from lattice_chassis.paging import NEVER_WRITTEN
from lattice_chassis.postgres.database import Database
from lattice_chassis.postgres.embedded import DatabaseUrls, EmbeddedPostgres
from lattice_chassis.postgres.listen import open_announcer, open_listener
from lattice_chassis.postgres.operating import operating
from service.agent.scripted_files import Feed, ScriptedFiles
from sqlalchemy import make_url


@pytest.fixture
async def unit(postgres: EmbeddedPostgres, agent_urls: DatabaseUrls) -> AsyncIterator[UnitOfWork]:
    """The database as its administrator has it."""
    url = postgres.administrator_url(str(make_url(agent_urls.owner).database))
    async with (
        operating(url, "reconcile") as engine,
        open_listener(url, CHANNEL) as listener,
        open_announcer(url, CHANNEL, listener) as announcer,
    ):
        yield UnitOfWork(Database(engine), announcer, listener)


async def test_where_files_lost_a_workspace_whole_its_next_changes_are_taken_up(
    unit: UnitOfWork,
    alice: Workspace,
    bob: Workspace,
    files: ScriptedFiles,
    files_channel: grpc.aio.Channel,
    tenant: str,
    name: str,
) -> None:
    """MP-22: a backup of before its first write; what is written afterwards begins a history of its own.

    Bob's replica was not there before, as none is while the log is reconciled.
    """
    await alice.ingest(await files.create(name, "plan_1"))
    files.feeds[name] = Feed(epoch=NEVER_WRITTEN.epoch)
    key, feed = WorkspaceKey(tenant=tenant, workspace="main"), FilesChangeFeed(files_channel)
    assert await reconcile(unit, feed, key) == Reconciled(taken_up=0, lost=1)

    files.feeds[name].epoch = uuid.uuid4().hex
    await files.create(name, "plan_2")
    await bob.barrier()
    assert [it.change_sequence for it in await bob.read()] == [0, 0, 1]
