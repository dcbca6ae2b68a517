"""Watching the log: each entry after a position, stored and then live, with marks of progress [SB-02 to SB-08].

A watch reads what it sends from the table, after its own position, and keeps nothing in memory but one page: a reader
that stalls costs its own stream alone, and no transaction is open while something is sent.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import TypeAlias

from lattice_chassis.metrics import WATCH_BACKLOG
from lattice_chassis.paging import NEVER_WRITTEN, Cursor, sequence_after

from artifactr.core.events import Batch, Envelope
from artifactr.core.rejections import SlowConsumer
from artifactr.store.log import PAGE
from artifactr.workspace.reading import heard_by
from artifactr.workspace.workspace import Workspace


@dataclass(frozen=True, kw_only=True)
class WatchLimits:
    """How a watch behaves; the figures are settings."""

    backlog: int = 1000
    """Entries that may wait for a reader that had caught up; with more it is cut off [SB-08]."""
    progress: timedelta = timedelta(seconds=10)
    """After how long without a message a mark is sent."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One entry, with the position after it."""

    envelope: Envelope
    cursor: Cursor


@dataclass(frozen=True, kw_only=True)
class Progress:
    """Everything up to the position was considered, whether or not the watch's threads hear of it [SB-06]."""

    cursor: Cursor


WatchEvent: TypeAlias = Entry | Progress


async def watch_log(
    workspace: Workspace, cursor: Cursor | None, thread_ids: Sequence[str], limits: WatchLimits
) -> AsyncGenerator[WatchEvent, None]:
    """Every entry after a position that followers of these threads hear of; no threads means all [SB-03].

    The first mark says that the watch has caught up. It ends only by an error: CursorReset for a position that the log
    does not have [SB-05], SlowConsumer for a reader that falls behind.
    """
    now = await workspace.cursor()
    reached, epoch = sequence_after(cursor, now), now.epoch
    caught_up, sent_at = False, monotonic()
    async with aclosing(workspace.watch(reached)) as batches:
        async for batch in batches:
            WATCH_BACKLOG.record(len(batch))
            if caught_up:
                await _require_pace(workspace, reached, batch, limits)
            if batch and epoch == NEVER_WRITTEN.epoch:
                epoch = (await workspace.cursor()).epoch  # it began with the first entry
            for envelope in batch:
                reached = envelope.log_sequence
                if heard_by(envelope, thread_ids):
                    yield Entry(envelope=envelope, cursor=Cursor(epoch=epoch, sequence=reached))
                    sent_at = monotonic()
            if not batch and (not caught_up or monotonic() - sent_at >= limits.progress.total_seconds()):
                yield Progress(cursor=Cursor(epoch=epoch, sequence=reached))
                caught_up, sent_at = True, monotonic()


async def _require_pace(workspace: Workspace, reached: int, batch: Batch, limits: WatchLimits) -> None:
    """Refuse a reader for whom more waits than may; where less than a page waits, that was all."""
    if len(batch) < min(PAGE, limits.backlog):
        return
    waiting = await workspace.head() - reached
    if waiting > limits.backlog:
        raise SlowConsumer(waiting=waiting)
