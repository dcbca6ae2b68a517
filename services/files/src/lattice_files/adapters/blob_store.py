"""The port `BlobStore` on object stores: a local folder, S3, Google Cloud Storage or Azure.

A blob is the object `tenants/{tenant}/workspaces/{workspace}/blobs/{first two digits}/{digest}`, so
nothing is shared between workspaces [B-02]. Objects are written whole or not at all. An object store
is durable once it has answered; a local folder is made so here, for obstore does not sync it [B-03].
Whatever keeps a store from doing its work, from a lost network to a full disk, is PeerUnavailable.
"""

import asyncio
import hashlib
import logging
import os
import shutil
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from urllib.request import url2pathname
from uuid import uuid4

import obstore
from lattice_chassis import telemetry
from lattice_chassis.content import chunks_of
from lattice_chassis.transactions import in_transaction
from obstore.exceptions import BaseError
from obstore.store import LocalStore, from_url

from lattice_files.domain.content import Content
from lattice_files.domain.rejections import BlobMissing, PeerUnavailable
from lattice_files.domain.workspaces import WorkspaceKey

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_log: Final = logging.getLogger("lattice.files.blobs")

_BLOCK_BYTES: Final = 1024 * 1024
_PART_BYTES: Final = 5 * 1024 * 1024  # the smallest that S3 takes
_PARTS_AT_ONCE: Final = 2
_PLAIN: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-")
_LONGEST_SEGMENT: Final = 200
_STAGING: Final = ".staging"
_LEFT_BEHIND: Final = timedelta(days=1)


def open_blob_store(location: str, *, make: bool = True) -> "ObjectBlobs":
    """The blob store of a URL: `s3://`, `gs://`, `az://`, `file://`, or the path of a folder, which `make` makes.

    Clouds take region, endpoint and credentials from the environment variables that their own tools
    read, such as AWS_REGION.

    Raises:
        ValueError: no store has such a URL, or there is no such folder, and it is not to be made.
    """
    parts = urlsplit(location)
    match parts.scheme:
        case "":
            return FolderBlobs(Path(location), make=make)
        case "file":
            return FolderBlobs(Path(url2pathname(parts.path)), make=make)
        case "s3" | "gs" | "az":
            return ObjectBlobs(from_url(location))
        case _:
            raise ValueError(f"blobs cannot be stored under {parts.scheme}://")


def key_of(scope: WorkspaceKey, digest: str) -> str:
    """The name of a blob's object; different workspaces have different ones, whatever their ids.

    Raises:
        ValueError: the digest is not 64 lower-case hex digits.
    """
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        raise ValueError("a blob is named by the SHA-256 of its content")
    return f"{folder_of(scope.tenant, scope.workspace)}/blobs/{digest[:2]}/{digest}"


def folder_of(tenant: str, workspace: str | None = None) -> str:
    """What the keys of a workspace's blobs begin with, or those of all blobs of a tenant."""
    folder = f"tenants/{_segment(tenant)}"
    return folder if workspace is None else f"{folder}/workspaces/{_segment(workspace)}"


class ObjectBlobs:
    """Blobs in any object store that obstore knows."""

    def __init__(self, store: "ObjectStore") -> None:
        self._store = store

    async def put(self, scope: WorkspaceKey, content: Content) -> None:
        """Store the content under its digest; see the port."""
        with telemetry.span("blob.put", size=content.size), _reaching_store():
            await self._write(key_of(scope, content.digest), content)

    async def read(self, scope: WorkspaceKey, digest: str) -> AsyncGenerator[bytes, None]:
        """The content in chunks of at most 64 KiB; see the port."""
        with _reaching_store():  # no span: it would become current for whoever reads, between two chunks
            try:
                found = await obstore.get_async(self._store, key_of(scope, digest))
            except FileNotFoundError as error:
                raise BlobMissing(digest) from error
            size = 0
            async for block in found.stream(min_chunk_size=_BLOCK_BYTES):
                size += len(block)
                for chunk in chunks_of(bytes(block)):
                    yield chunk
            if size != found.meta["size"]:
                raise BlobMissing(digest)

    async def fetch(self, scope: WorkspaceKey, digest: str, into: Path) -> Content:
        """A local copy, its digest checked; see the port."""
        path, size, sha256 = into / f"blob-{uuid4().hex}", 0, hashlib.sha256()
        with telemetry.span("blob.fetch"), path.open("xb") as file:
            async with aclosing(self.read(scope, digest)) as chunks:
                async for chunk in chunks:
                    size += len(chunk)
                    sha256.update(chunk)
                    file.write(chunk)
        if sha256.hexdigest() != digest:
            raise BlobMissing(digest)
        return Content(path=path, size=size, digest=digest)

    async def delete(self, scope: WorkspaceKey, digest: str) -> None:
        """Remove a blob; see the port."""
        with telemetry.span("blob.delete"), _reaching_store(), suppress(FileNotFoundError):
            await self._delete(key_of(scope, digest))

    async def stored(self, folder: str) -> AsyncGenerator[tuple[str, int], None]:
        """The keys and sizes of all objects below a folder of `folder_of`, whatever they are; see the port."""
        with _reaching_store():
            async for found in obstore.list(self._store, folder):
                for each in found:
                    yield each["path"], each["size"]

    async def clear(self, folder: str) -> int:
        """Delete all objects below a folder, and answer how many; see the port."""
        count = 0
        with _reaching_store():
            async for found in obstore.list(self._store, folder):
                keys = [each["path"] for each in found]
                await obstore.delete_async(self._store, keys)
                count += len(keys)
        return count

    async def _write(self, key: str, content: Content) -> None:
        """Write an object, durably, unless it is there already."""
        try:
            if (await obstore.head_async(self._store, key))["size"] == content.size:
                return
        except FileNotFoundError:
            pass
        await obstore.put_async(self._store, key, content.path, chunk_size=_PART_BYTES, max_concurrency=_PARTS_AT_ONCE)

    async def _delete(self, key: str) -> None:
        """Delete an object; FileNotFoundError where there is none, unless the store does not tell."""
        await obstore.delete_async(self._store, key)


class FolderBlobs(ObjectBlobs):
    """Blobs in a folder; several processes may share it. `make` makes it ready to be written to."""

    def __init__(self, root: Path, *, make: bool = True) -> None:
        self._root = root.absolute()
        self._staging = self._root / _STAGING
        if make:
            self._staging.mkdir(parents=True, exist_ok=True)
            self._sweep()
        elif not self._root.is_dir():
            raise ValueError(f"there is no folder {self._root}")
        super().__init__(LocalStore(self._root))

    async def _write(self, key: str, content: Content) -> None:
        await asyncio.to_thread(self._write_synced, self._root / key, content)

    async def _delete(self, key: str) -> None:
        await asyncio.to_thread(_delete_synced, self._root / key)

    async def clear(self, folder: str) -> int:
        """Delete all objects below a folder, and the folders, whose names tell of it."""
        count = await super().clear(folder)
        with _reaching_store():
            await asyncio.to_thread(_remove_folder, self._root / folder)
        return count

    def _write_synced(self, path: Path, content: Content) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.stat().st_size != content.size:
            staged = self._staging / uuid4().hex
            try:
                shutil.copyfile(content.path, staged)
                _sync(staged)  # before it is named: what has a name is whole, also after a crash of the machine
                staged.replace(path)
            finally:
                staged.unlink(missing_ok=True)
        # Also for a blob that was there: whoever wrote it, or made a folder, may not have come so far.
        for folder in (path.parent, *path.parent.parents):
            _sync(folder)
            if folder == self._root:
                break

    def _sweep(self) -> None:
        """Remove what crashed writers left behind; a live one is done within the day."""
        oldest = time.time() - _LEFT_BEHIND.total_seconds()
        for staged in self._staging.iterdir():
            with suppress(FileNotFoundError):  # it has its name meanwhile
                if staged.stat().st_mtime < oldest:
                    staged.unlink()


@contextmanager
def _reaching_store() -> Iterator[None]:
    """Run one operation, never while a transaction is open; a store out of reach becomes the domain's failure."""
    if in_transaction():
        raise RuntimeError("no blob is touched while a transaction is open: a slow store would hold its locks")
    try:
        yield
    except (BaseError, OSError) as error:  # from obstore once its retries are used up, or from the file system
        _log.warning("the blob store failed: %s", error)
        raise PeerUnavailable(peer="blobs") from error


def _segment(identifier: str) -> str:
    """An id as one segment of a key, for every file system and store: no two ids give the same.

    Upper case is escaped too, for some file systems do not tell it from lower case. An id that would
    become too long for a file name stands by its digest.
    """
    encoded = identifier.encode()
    escaped = "".join(chr(byte) if byte in _PLAIN else f"={byte:02x}" for byte in encoded)
    return escaped if len(escaped) <= _LONGEST_SEGMENT else f"~{hashlib.sha256(encoded).hexdigest()}"


def _delete_synced(path: Path) -> None:
    path.unlink()
    _sync(path.parent)  # or it could be back after a crash of the machine, when its row is gone


def _remove_folder(path: Path) -> None:
    if path.exists():
        shutil.rmtree(path)
        _sync(path.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
