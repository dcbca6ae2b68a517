"""Reconciling the log with files' feed after a restore: a new epoch, and what is missing, by change id [MP-22].

A backup of agent is older than that of files, so the log may lack changes; or files alone came back from a backup, and
lost changes that the log has. What is missing is appended. What was lost stays on the log, for it happened, without its
number in files, which the next change there has. Replicas of the service are stopped meanwhile.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lattice.agent.v1 import log_service_pb2 as log_pb

from artifactr.core.actors import SystemActor, WorkspaceKey
from artifactr.core.events import AppEvent
from artifactr.ports import ChangeFeed, FeedCommit, FeedPosition
from artifactr.store import reconciling
from artifactr.store.feed_cursors import forget_cursor, save_cursor
from artifactr.store.unit_of_work import UnitOfWork

EVENT: Final = "lattice.reconciled"
"""The name of the event that tells, on the log, what was taken up and what files lost."""

_OPERATOR: Final = SystemActor(name="lattice reconcile")


@dataclass(frozen=True, kw_only=True)
class Reconciled:
    """What was done to the log of a workspace."""

    taken_up: int
    """Changes that it lacked."""
    lost: int
    """Changes on it that files does not have any more."""


async def reconcile(unit: UnitOfWork, feed: ChangeFeed, key: WorkspaceKey) -> Reconciled:
    """Begin a new history of the log, and bring it to the head of the feed; a repeat finds nothing to take up.

    Raises PeerUnavailable where files cannot be reached; nothing was changed then.
    """
    async with unit.unlocked(key) as connection:
        known = await reconciling.known_ids(connection, key)
    numbers, missing, position = await _compared(feed, key, known)
    async with unit.begin(key) as work:
        renumbered = reconciling.lost(known, numbers)
        lost = len(renumbered)
        renumbered |= {it: number for it, number in numbers.items() if it in known and known[it] != number}
        await reconciling.renumber(work.connection, key, renumbered)
        for commit in missing:
            work.append_commit([change.entry for change in commit.changes])
        done = Reconciled(taken_up=sum(len(it.changes) for it in missing), lost=lost)
        if done.taken_up or done.lost:
            data = json.dumps({"taken_up": done.taken_up, "lost": done.lost})
            work.append(AppEvent(name=EVENT, data=data), _OPERATOR)
        if position.sequence:
            await save_cursor(work.connection, key, position)
        else:
            await forget_cursor(work.connection, key)
        await reconciling.begin_new_history(work.connection, key)
    return done


async def _compared(
    feed: ChangeFeed, key: WorkspaceKey, known: Mapping[str, int | None]
) -> tuple[dict[str, int], list[FeedCommit], FeedPosition]:
    """The numbers of all changes in the feed, by id; the commits that the log lacks; and the head."""
    numbers: dict[str, int] = {}
    missing: list[FeedCommit] = []
    position: FeedPosition | None = None
    while True:
        page = await feed.changes(key, position, patient=True)
        for commit in page.commits:
            ids = {log_pb.LogEntry.FromString(it.entry).entry_id: it.change_sequence for it in commit.changes}
            numbers |= ids
            if not ids.keys() & known.keys():
                missing.append(commit)
        position = page.position
        if not page.commits or position.sequence >= page.head:
            return numbers, missing, position
