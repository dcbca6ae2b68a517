"""Content on its way: from a stream to a file, from a file to the blob store."""

import asyncio
import hashlib
from collections.abc import AsyncIterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

from lattice_chassis.content import Digest, receive
from lattice_chassis.errors import WorkspaceErased
from lattice_chassis.failpoints import failpoint
from lattice_chassis.telemetry import span

from lattice_files.domain.apps import App, Derived, Format
from lattice_files.domain.content import Content
from lattice_files.domain.native import NativeFile
from lattice_files.domain.rejections import NotFound, QuotaExceeded
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.service.resources import Resources, within
from lattice_files.store import blobs, storage
from lattice_files.store.blobs import BlobKind, NewBlob
from lattice_files.store.unit_of_work import Reading

_DELETION: Final = timedelta(seconds=5)
"""How long a writer waits for the deletion of a blob that it needs again."""

_LOOK_AGAIN: Final = timedelta(milliseconds=50)
"""After how long it looks whether the deletion has ended."""


def app_of(resources: Resources, kind: str) -> tuple[App, Format]:
    """The app and the format of a kind.

    Raises:
        NotFound: this deployment has no app for it; what is stored can be read all the same [N-43].
    """
    app, file_format = resources.workers.apps.app_of(kind), resources.workers.apps.format_of(kind)
    if app is None or file_format is None:
        raise NotFound(entity="app", id=kind)
    return app, file_format


async def require_room(resources: Resources, scope: WorkspaceKey, declared: Digest) -> None:
    """Refuse content that is too large, or for which the tenant has no room, before any of it is read.

    Storing it asks again.

    Raises:
        FileTooLarge: it is over the limit of a file.
        QuotaExceeded: the tenant has no room for it, and the workspace does not have it already.
    """
    declared.require_within(resources.limits.file_bytes)
    quota = resources.limits.storage_quota
    if quota is None:
        return
    async with resources.unit.reading(scope) as reading:
        too_much = await storage.used(reading) + declared.size > quota
        if too_much and not await blobs.is_present(reading, declared.sha256.hex()):
            raise QuotaExceeded(quota="storage", limit=quota)


async def received(chunks: AsyncIterable[bytes], declared: Digest, limit: int, into: Path) -> Content:
    """A stream read to its end into the folder `into`, in constant memory.

    Raises:
        FileTooLarge, DigestMismatch, ValidationFailed: as the chassis' `receive` does.
    """
    path = into / "received"
    with path.open("wb") as file:
        await receive(chunks, declared, limit=limit, into=file)
    failpoint("content.received")
    return Content(path=path, size=declared.size, digest=declared.sha256.hex())


def written(content: bytes, path: Path) -> Content:
    """Content at hand, as a file."""
    path.write_bytes(content)
    return Content(path=path, size=len(content), digest=hashlib.sha256(content).hexdigest())


async def derive_and_store(
    resources: Resources, scope: WorkspaceKey, native: Content, file_format: Format, name: str, into: Path
) -> NativeFile:
    """Read text and review out of a file that came from outside, and make all three durable [B-04].

    Raises:
        FileRefused, FileTooLarge, AppTimeout, AppCrashed: the app does not take the file.
        PeerUnavailable: no worker was free in time.
        QuotaExceeded: the tenant has no room for it.
    """
    app, _ = app_of(resources, file_format.kind)
    async with resources.workers.slot(app, within=resources.limits.slot) as worker:
        derived = await worker.extract(native, file_format, into)
    failpoint("content.derived")
    return await store_file(resources, scope, native, derived, file_format, name)


async def store_file(
    resources: Resources, scope: WorkspaceKey, native: Content, derived: Derived, file_format: Format, name: str
) -> NativeFile:
    """Make the blobs of a new version durable, before any commit names them [B-03]."""
    new = [
        NewBlob(kind=BlobKind.NATIVE, content=native),
        NewBlob(kind=BlobKind.TEXT, content=derived.text),
        NewBlob(kind=BlobKind.REVIEW, content=derived.review),
    ]
    await store_blobs(resources, scope, new)
    return NativeFile.made_of(name, file_format, native, derived)


async def store_blobs(resources: Resources, scope: WorkspaceKey, new: Sequence[NewBlob]) -> None:
    """Touch the blobs' rows, then put each, whether or not it is there: whoever was first may have failed [B-06].

    Where putting took so long that a collection took one of the rows, all is done again: there is no object without
    a row.

    Raises:
        PeerUnavailable: one of them is being deleted, and that takes too long.
        QuotaExceeded: the tenant has no room for what is new of them; none was put.
        WorkspaceErased: the workspace was erased, before or meanwhile; none is left [ER-02].
    """
    digests = frozenset(it.content.digest for it in new)
    with span("blobs.put", blobs=len(new), bytes=sum(it.content.size for it in new)):
        stored = False
        while not stored:
            try:
                await _touch(resources, scope, new)
            except WorkspaceErased:  # perhaps while some were being put, after all others were deleted
                for digest in digests:
                    await resources.blobs.delete(scope, digest)
                raise
            failpoint("blobs.touched")
            for blob in new:
                await resources.blobs.put(scope, blob.content)
                failpoint("blobs.one_put")
            failpoint("blobs.put")
            async with resources.unit.reading(scope) as reading:
                stored = await blobs.touch_again(reading, digests)


async def _touch(resources: Resources, scope: WorkspaceKey, new: Sequence[NewBlob]) -> None:
    touched = False
    async with within(_DELETION, "blobs"):
        while not touched:
            async with resources.unit.together(scope) as reading:
                rows = await blobs.touch(reading, new)
                if rows.grown:
                    await _require_quota(resources, reading)
            touched = rows.present
            if not touched:  # another process may be the one to end the deletion
                await asyncio.sleep(_LOOK_AGAIN.total_seconds())


async def _require_quota(resources: Resources, reading: Reading) -> None:
    """Refuse what these statements added, which undoes them, where it is more than the tenant may have.

    Whoever adds in this workspace at the same time waits for their end; in others it does not, so that a tenant
    may come to exceed its quota by what is being stored at once.
    """
    quota = resources.limits.storage_quota
    if quota is not None and await storage.used(reading) > quota:
        raise QuotaExceeded(quota="storage", limit=quota)
