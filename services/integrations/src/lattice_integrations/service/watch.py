"""Watching a workspace's switches: where they stand, then each change, in order, without gap or repeat.

A watch reads its changes from the table after its own position and keeps none in memory: a page is read, sent, and
only then the next one. No transaction is open while something is sent, so a reader that stalls costs the stream alone.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import TypeAlias

from lattice_chassis.metrics import WATCH_BACKLOG

from lattice_integrations.domain.registry import Registry
from lattice_integrations.domain.rejections import SlowConsumer
from lattice_integrations.domain.switches import SwitchChange
from lattice_integrations.domain.workspaces import WorkspaceKey
from lattice_integrations.service.switches import States, list_integrations
from lattice_integrations.store.positions import Cursor
from lattice_integrations.store.switch_store import ChangePage, SwitchStore


@dataclass(frozen=True, kw_only=True)
class WatchLimits:
    """How a watch behaves; the figures are settings."""

    page: int = 500
    """Changes read at once."""
    backlog: int = 1000
    """Changes that may wait for a reader that had caught up; with more it is cut off [SB-08]."""
    progress: timedelta = timedelta(seconds=10)
    """After how long without a message a mark is sent."""


@dataclass(frozen=True, kw_only=True)
class Changed:
    """One change, with the position after it."""

    change: SwitchChange
    cursor: Cursor


@dataclass(frozen=True, kw_only=True)
class Progress:
    """Everything up to the position has been sent."""

    cursor: Cursor


WatchEvent: TypeAlias = States | Changed | Progress


async def watch(
    store: SwitchStore, registry: Registry, scope: WorkspaceKey, cursor: Cursor | None, limits: WatchLimits
) -> AsyncGenerator[WatchEvent, None]:
    """The states at first, unless there is a cursor to go on from; then every change, and marks while there is none.

    The first mark says that the watch has caught up. Changes of integrations that are not declared are passed over.
    It ends only by an error: CursorReset for a cursor that the workspace's history does not have, SlowConsumer.
    """
    with store.wakings(scope) as wakings:  # before the first read, so that no commit falls in between
        if cursor is None:
            states = await list_integrations(store, registry, scope)
            yield states
            cursor = states.cursor
        caught_up = False
        sent_at = monotonic()
        async for may_be_new in wakings:
            while may_be_new:
                page = await _page_after(store, scope, cursor, limits.page)
                WATCH_BACKLOG.record(page.waiting)
                if caught_up and page.waiting > limits.backlog:
                    raise SlowConsumer(waiting=page.waiting)
                for change, position in page.changes:
                    if change.key in registry:
                        yield Changed(change=change, cursor=position)
                        sent_at = monotonic()
                cursor = page.position
                if page.waiting == len(page.changes):
                    break
            if not caught_up or monotonic() - sent_at >= limits.progress.total_seconds():
                yield Progress(cursor=cursor)
                sent_at = monotonic()
            caught_up = True


async def _page_after(store: SwitchStore, scope: WorkspaceKey, cursor: Cursor, limit: int) -> ChangePage:
    async with store.reading(scope) as switches:
        return await switches.changes_after(cursor, limit=limit)
