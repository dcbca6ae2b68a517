"""Commits to the feed as a process of files makes them, without what makes real ones slow: files and their apps."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.listen import open_announcer, open_listener
from lattice_files.domain.actors import Actor, ActorKind
from lattice_files.domain.changes import Applied, ArtifactCreated, Decision
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.store import commits
from lattice_files.store.commits import Attribution
from lattice_files.store.unit_of_work import CHANNEL, UnitOfWork, Work

WRITER: Final = Actor(kind=ActorKind.USER, id="alice", name="Alice")


@dataclass(frozen=True, kw_only=True)
class FeedWriter:
    """Writes the feed of one workspace."""

    unit: UnitOfWork
    scope: WorkspaceKey

    async def commits(self, count: int = 1, *, changes: int = 1, text: str = "") -> int:
        """So many commits of so many changes each, one after the other; answers the head after them."""
        head = 0
        for _ in range(count):
            async with self.unit.begin(self.scope) as work:
                head = await self.saves(work, changes=changes, text=text)
        return head

    async def saves(self, work: Work, *, changes: int = 1, text: str = "") -> int:
        """Save such a commit in a transaction that is open."""
        event = ArtifactCreated(artifact_id="plan_1", kind="plan", data={"text": text})
        decision = Decision(result=Applied(artifact_id="plan_1", version=1), events=(event,) * changes)
        return (await commits.save(work, decision, Attribution(actor=WRITER))).change_sequence


@asynccontextmanager
async def feed_writer(
    database_url: str, tenant: str, *, workspace: str = "main", channel: str = CHANNEL
) -> AsyncIterator[FeedWriter]:
    """A writer with connections of its own; on another channel than the service's nobody hears of its commits."""
    async with (
        open_database(database_url, application="feed writer") as database,
        open_listener(database_url, channel) as listener,
        open_announcer(database_url, channel, listener) as announcer,
    ):
        scope = WorkspaceKey(tenant=tenant, workspace=workspace)
        yield FeedWriter(unit=UnitOfWork(database, announcer, listener), scope=scope)
