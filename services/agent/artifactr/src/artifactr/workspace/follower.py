"""Following files' feeds while somebody watches, so that changes show at once [MP-16].

It keeps clients fresh when nobody is running. Nothing depends on it: every read that has to include a change names it,
and every run begins behind a barrier.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from contextvars import Context
from datetime import timedelta
from typing import Final

from lattice_chassis.errors import PeerUnavailable

from artifactr.core.actors import WorkspaceKey
from artifactr.ports import ChangeFeed, FeedDiverged
from artifactr.workspace.ingestion import Ingestion

FIRST_DELAY: Final = timedelta(milliseconds=500)
LONGEST_DELAY: Final = timedelta(seconds=5)

_log: Final = logging.getLogger("artifactr.follower")


class Follower:
    """Follows the feed of each workspace that is watched in this process, once."""

    def __init__(self, ingestion: Ingestion, feed: ChangeFeed) -> None:
        self._ingestion = ingestion
        self._feed = feed
        self._watchers: Counter[WorkspaceKey] = Counter()
        self._tasks: dict[WorkspaceKey, asyncio.Task[None]] = {}

    @asynccontextmanager
    async def following(self, key: WorkspaceKey) -> AsyncIterator[None]:
        """Follow the workspace's feed until the block is left by the last who follows it here."""
        self._watchers[key] += 1
        if self._watchers[key] == 1:
            # A context of its own: it follows for all who watch, whoever came first [TR-03].
            following = self._follow(key)
            self._tasks[key] = asyncio.create_task(following, name=f"following {key.workspace}", context=Context())
        try:
            yield
        finally:
            self._watchers[key] -= 1
            if not self._watchers[key]:
                del self._watchers[key]
                task = self._tasks.pop(key)
                task.cancel()
                await asyncio.wait([task])

    async def _follow(self, key: WorkspaceKey) -> None:
        delay = FIRST_DELAY
        while True:
            try:
                reached = await self._ingestion.position(key)
                async with aclosing(self._feed.watch(key, reached)) as positions:
                    async for position in positions:
                        await self._ingestion.through(key, position.sequence)
                        delay = FIRST_DELAY
            except FeedDiverged:
                _log.exception("workspace %s is not followed any more", key.workspace)
                return
            except PeerUnavailable as error:
                _log.info("%s, trying again in %g s", error, delay.total_seconds())
            except Exception:  # noqa: BLE001 - an optimisation must not end for good over a passing fault
                _log.warning("following workspace %s failed, trying again", key.workspace, exc_info=True)
            await asyncio.sleep(delay.total_seconds())
            delay = min(delay * 2, LONGEST_DELAY)
