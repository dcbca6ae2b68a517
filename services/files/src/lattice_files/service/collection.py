"""Collection: what nothing names any more is deleted, beside writers, which lose nothing by it [B-05, B-06].

It asks no switch: what is stored is kept in order while an app is off, too [N-06]. One collection of a
workspace runs at a time, in whichever process; one that dies leaves marked rows, which the next one
finishes.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from lattice_chassis.telemetry import span

from lattice_files.domain.actors import Caller, authorize_administrator
from lattice_files.domain.rejections import InvalidState, PeerUnavailable
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.service.resources import Resources, within
from lattice_files.store import blobs
from lattice_files.store.blobs import CollectableBlob

_AT_ONCE: Final = 500
"""Blobs that are marked in one transaction, which holds the workspace."""

_DELETED_WITHIN: Final = timedelta(seconds=30)
"""How long the deletion of what was marked together may take: well before the marks pass for abandoned."""

_DELETERS: Final = 8


@dataclass(frozen=True, kw_only=True)
class Collected:
    """What a collection deleted, or would."""

    blobs: int
    size: int
    """In bytes, all together."""


async def collect(resources: Resources, scope: WorkspaceKey, caller: Caller, *, dry_run: bool) -> Collected:
    """Delete the blobs of a workspace that nothing names and nobody touched for the grace; or count them.

    It is about what was so when it began: beside busy writers it would not end otherwise. What was
    deleted before a failure or a cancel stays deleted; a repeat goes on.

    Raises:
        Forbidden: the caller is no administrator.
        InvalidState: the workspace is being collected.
        PeerUnavailable: the blob store is out of reach or too slow, or the database was lost on the way.
    """
    authorize_administrator(caller)
    async with resources.unit.reading(scope) as reading:
        began = await reading.clock()
        if dry_run:
            count, size = await blobs.collectable(reading, began, resources.limits.collection_grace)
            return Collected(blobs=count, size=size)
    count, size = 0, 0
    async with resources.locks.taken(f"collection of {scope.tenant!r} {scope.workspace!r}") as lock:
        if lock is None:
            raise InvalidState(why="the workspace is being collected")
        while await lock.still_held():
            marked = await _mark(resources, scope, began)
            if not marked:
                return Collected(blobs=count, size=size)
            await _delete(resources, scope, marked)
            count, size = count + len(marked), size + sum(it.size for it in marked)
    raise PeerUnavailable(peer="database")


async def _mark(resources: Resources, scope: WorkspaceKey, began: datetime) -> Sequence[CollectableBlob]:
    async with resources.writing(scope) as work:
        return await blobs.mark(work, began, resources.limits.collection_grace, _AT_ONCE)


async def _delete(resources: Resources, scope: WorkspaceKey, marked: Sequence[CollectableBlob]) -> None:
    """Delete each object, then its row: until then its writers wait [B-06]."""
    left = iter(marked)
    with span("blobs.delete", blobs=len(marked)):
        try:
            async with within(_DELETED_WITHIN, "blobs"), asyncio.TaskGroup() as group:
                for _ in range(_DELETERS):
                    group.create_task(_delete_each(resources, scope, left))
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None


async def _delete_each(resources: Resources, scope: WorkspaceKey, left: Iterator[CollectableBlob]) -> None:
    for blob in left:
        await resources.blobs.delete(scope, blob.digest)
        async with resources.unit.reading(scope) as reading:
            await blobs.forget(reading, blob.digest)
