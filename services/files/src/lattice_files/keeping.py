"""What an operator does with the store of files: erase, verify and reconcile it [ER-01 to ER-06, MP-22]."""

import argparse
import asyncio
import hashlib
import json
import sys
from contextlib import aclosing
from dataclasses import asdict, dataclass
from typing import Any, Final

from lattice_chassis.keeping import confirmed_extent, tell_erased, tell_faults, tell_reconciled, tell_unfinished
from lattice_chassis.postgres.erasure import ContentMissing, Erasure, Extent, WritersRemain, erase
from lattice_chassis.postgres.inspection import Fault, Inspection, open_inspection
from lattice_chassis.postgres.reconciliation import begin_new_histories

from lattice_files.adapters.blob_store import ObjectBlobs, folder_of, key_of, open_blob_store
from lattice_files.domain.rejections import BlobMissing, PeerUnavailable
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.settings import FilesSettings
from lattice_files.store import checks

SERVICE: Final = "files"


@dataclass(frozen=True)
class StoredContent:
    """The objects of tenants, as an erasure sees them."""

    blobs: ObjectBlobs
    may_be_lost: bool = False
    """Whether there may be none although rows tell of them, since they are known to be lost."""

    async def require(self, erasure: Erasure) -> None:
        """Raise ContentMissing for a store that has not one of the objects which rows tell of: it is another one."""
        told = await erasure.count_where("blobs", "state = 'present'")
        if told and not self.may_be_lost and not await self.count(erasure.extent):
            raise ContentMissing(
                f"the database tells of {told} blobs, and the store has none of them: is it that of the service? "
                "Where they are lost, say --blobs-lost"
            )

    async def clear(self, extent: Extent) -> int:
        """Delete every object, whether or not a row tells of it."""
        return await self.blobs.clear(folder_of(extent.tenant, extent.workspace))

    async def count(self, extent: Extent) -> int:
        """How many objects there are now."""
        return sum([1 async for _ in self.blobs.stored(folder_of(extent.tenant, extent.workspace))])


def keep(arguments: argparse.Namespace, settings: FilesSettings) -> int:
    """Do what the command says, and answer the exit status of the program."""
    url = settings.database_url.get_secret_value()
    try:
        blobs = open_blob_store(settings.blobs_url, make=False)
    except ValueError as error:
        sys.exit(str(error))
    match arguments.command:
        case "erase":
            extent = confirmed_extent(SERVICE, arguments)
            content = StoredContent(blobs, may_be_lost=arguments.blobs_lost)
            try:
                report = asyncio.run(erase(url, extent, content))
            except (ContentMissing, WritersRemain, PeerUnavailable) as error:
                tell_unfinished(SERVICE, extent, f"not everything was erased: {error}")
            return tell_erased(SERVICE, extent, report)
        case "verify":
            taken_up = json.load(sys.stdin)["taken_up"] if arguments.taken_up else []
            return tell_faults(SERVICE, asyncio.run(verify(url, blobs, taken_up)))
        case _:
            # agent's backup is older: a fence of after it would keep its next runs out, and no run of before lives.
            return tell_reconciled(SERVICE, workspaces=asyncio.run(begin_new_histories(url, "DELETE FROM fences")))


async def verify(url: str, blobs: ObjectBlobs, taken_up: list[dict[str, Any]]) -> list[Fault]:
    """What is wrong in the database, with the objects, and with what agent says that it took up of the feeds.

    Every object is read and its digest computed, so it takes as long as reading the whole store does.
    """
    async with open_inspection(url) as inspection:
        faults = await inspection.faults(checks.CHECKS)
        for position in taken_up:
            faults += await _compared(inspection, position)
        rows = await inspection.rows(checks.BLOBS)
    for row in rows:
        faults += await _looked_at(blobs, row)
    return await _still_needed(url, faults) + await _strays(url, blobs)


async def _compared(inspection: Inspection, position: dict[str, Any]) -> list[Fault]:
    """Compare what agent took up of a feed with the feed."""
    scope = WorkspaceKey(tenant=position["tenant"], workspace=position["workspace"])
    found = await inspection.rows(checks.TAKEN_UP, **asdict(scope), sequence=position["sequence"])
    row = found[0] if found else None
    if row is not None and (row.epoch, row.digest) == (position["epoch"], position["digest"]):
        return []
    about = f"agent took up {position['sequence']} changes, and they are not the first of the feed"
    return [_fault("FEED_DIVERGED", scope, about)]


async def _looked_at(blobs: ObjectBlobs, row: Any) -> list[Fault]:  # noqa: ANN401 - SQLAlchemy's row
    scope = WorkspaceKey(tenant=row.tenant, workspace=row.workspace)
    size, hashed = 0, hashlib.sha256()
    try:
        async with aclosing(blobs.read(scope, row.digest)) as chunks:
            async for chunk in chunks:
                size += len(chunk)
                hashed.update(chunk)
    except BlobMissing:
        # What nothing names may be about to be stored, or was being deleted when its collection died.
        return [_fault("BLOB_MISSING", scope, row.digest)] if row.named else []
    if (hashed.hexdigest(), size) != (row.digest, row.size):
        return [_fault("BLOB_DAMAGED", scope, row.digest)]
    return []


async def _still_needed(url: str, faults: list[Fault]) -> list[Fault]:
    """The faults without the content that nothing names any more: it was collected, or erased, while we read."""
    if not any(it.kind == "BLOB_MISSING" for it in faults):
        return faults
    async with open_inspection(url) as inspection:
        rows = await inspection.rows(checks.BLOBS)
    needed = {
        _fault("BLOB_MISSING", WorkspaceKey(tenant=it.tenant, workspace=it.workspace), it.digest)
        for it in rows
        if it.named
    }
    return [it for it in faults if it.kind != "BLOB_MISSING" or it in needed]


async def _strays(url: str, blobs: ObjectBlobs) -> list[Fault]:
    """Objects that no row tells of. A row comes before its object, and goes after it: the rows are read in between."""
    found = {key async for key, _ in blobs.stored("tenants")}
    async with open_inspection(url) as inspection:
        rows = await inspection.rows("SELECT tenant, workspace, digest FROM blobs")
    known = {key_of(WorkspaceKey(tenant=it.tenant, workspace=it.workspace), it.digest) for it in rows}
    if unknown := found - known:
        unknown &= {key async for key, _ in blobs.stored("tenants")}
    return [Fault(kind="BLOB_STRAY", workspace="", about=key) for key in sorted(unknown)]


def _fault(kind: str, scope: WorkspaceKey, about: str) -> Fault:
    return Fault(kind=kind, workspace=f"tenants/{scope.tenant}/workspaces/{scope.workspace}", about=about)
