"""What every blob store promises; a test class of each store inherits it and gives `store`."""

import asyncio
import hashlib
from contextlib import aclosing
from pathlib import Path

import obstore
import pytest
from lattice_chassis.transactions import transaction_open
from lattice_files.adapters.blob_store import ObjectBlobs, key_of
from lattice_files.domain.rejections import BlobMissing
from lattice_files.domain.workspaces import WorkspaceKey
from service.files_adapters.workbench import Workbench

MAIN = WorkspaceKey(tenant="acme", workspace="main")
ABSENT = hashlib.sha256(b"never stored").hexdigest()


async def read(store: ObjectBlobs, scope: WorkspaceKey, digest: str) -> bytes:
    return b"".join([chunk async for chunk in store.read(scope, digest)])


async def is_stored(store: ObjectBlobs, scope: WorkspaceKey, digest: str) -> bool:
    try:
        await read(store, scope, digest)
    except BlobMissing:
        return False
    return True


class BlobStoreContract:
    """The port `BlobStore`, claim by claim [B-02, B-03]."""

    @pytest.fixture
    def store(self) -> ObjectBlobs:
        raise NotImplementedError("each subclass gives its own")

    @pytest.mark.parametrize("size", [0, 1, 64 * 1024, 5 * 1024 * 1024 + 7, 12_000_000])
    async def test_what_was_put_is_read_in_chunks(self, size: int, store: ObjectBlobs, bench: Workbench) -> None:
        """B-02: whole, in order, at most 64 KiB at a time."""
        data = bytes(number % 251 for number in range(1000)) * (size // 1000) + bytes(size % 1000)
        content = bench.content(data)
        await store.put(MAIN, content)
        chunks = [chunk async for chunk in store.read(MAIN, content.digest)]
        assert b"".join(chunks) == data
        assert all(0 < len(chunk) <= 64 * 1024 for chunk in chunks)

    async def test_putting_again_is_harmless(self, store: ObjectBlobs, bench: Workbench) -> None:
        """B-03: two writers of one content leave one blob."""
        content = bench.content(b"the same words")
        await store.put(MAIN, content)
        await store.put(MAIN, bench.content(b"the same words"))
        assert await read(store, MAIN, content.digest) == b"the same words"

    async def test_a_blob_belongs_to_one_workspace_of_one_tenant(self, store: ObjectBlobs, bench: Workbench) -> None:
        """B-02, X-08: whoever knows a digest knows nothing."""
        content = bench.content(b"acme's own words")
        await store.put(MAIN, content)
        for other in (
            WorkspaceKey(tenant="acme", workspace="other"),
            WorkspaceKey(tenant="other", workspace="main"),
            WorkspaceKey(tenant="Acme", workspace="main"),
            WorkspaceKey(tenant="..", workspace="acme"),
        ):
            assert not await is_stored(store, other, content.digest)
            await store.delete(other, content.digest)
        assert await is_stored(store, MAIN, content.digest)

    @pytest.mark.parametrize("identifier", [".", "..", "a b", "50%", "Ünï", "a\\b", "\n", "x" * 200, "😀" * 200])
    async def test_any_id_names_a_workspace(self, identifier: str, store: ObjectBlobs, bench: Workbench) -> None:
        """VO-08: callers choose ids; none of them leads out of its place."""
        scope, content = WorkspaceKey(tenant=identifier, workspace=identifier), bench.content(b"words")
        await store.put(scope, content)
        assert await read(store, scope, content.digest) == b"words"

    async def test_a_missing_blob_is_told_as_such(self, store: ObjectBlobs, tmp_path: Path) -> None:
        """B-07: damage of the store, with the digest."""
        with pytest.raises(BlobMissing, match=ABSENT):
            await read(store, MAIN, ABSENT)
        with pytest.raises(BlobMissing, match=ABSENT):
            await store.fetch(MAIN, ABSENT, tmp_path)

    async def test_a_fetched_copy_is_checked_and_complete(
        self, store: ObjectBlobs, bench: Workbench, tmp_path: Path
    ) -> None:
        """B-01: what a worker is given is what the digest says."""
        content = bench.content(b"words" * 100_000)
        await store.put(MAIN, content)
        copy = await store.fetch(MAIN, content.digest, bench.into())
        assert (copy.size, copy.digest) == (content.size, content.digest)
        assert copy.path.read_bytes() == content.path.read_bytes()

    async def test_deleting_is_done_once_and_harmless_twice(self, store: ObjectBlobs, bench: Workbench) -> None:
        """B-06: collection may repeat itself."""
        content = bench.content(b"short-lived")
        await store.put(MAIN, content)
        await store.delete(MAIN, content.digest)
        await store.delete(MAIN, content.digest)
        assert not await is_stored(store, MAIN, content.digest)

    @pytest.mark.parametrize("milliseconds", [0, 1, 5, 25, 100])
    async def test_a_cancelled_put_leaves_the_whole_blob_or_none(
        self, milliseconds: int, store: ObjectBlobs, bench: Workbench
    ) -> None:
        """WP-07, B-03: wherever the cancel finds it, and the next put of the same content succeeds."""
        content = bench.content(bytes(20_000_000))
        putting = asyncio.create_task(store.put(MAIN, content))
        await asyncio.wait([putting], timeout=milliseconds / 1000)
        putting.cancel()
        await asyncio.wait([putting])
        if await is_stored(store, MAIN, content.digest):
            assert await read(store, MAIN, content.digest) == bytes(20_000_000)
        await store.put(MAIN, content)
        assert await read(store, MAIN, content.digest) == bytes(20_000_000)

    async def test_content_that_is_not_what_its_name_says_is_not_fetched(
        self, store: ObjectBlobs, bench: Workbench
    ) -> None:
        """B-02, B-07: of the same size, so that only the digest can tell."""
        content = bench.content(b"words")
        await store.put(MAIN, content)
        await obstore.put_async(store._store, key_of(MAIN, content.digest), b"sword")
        with pytest.raises(BlobMissing, match=content.digest):
            await store.fetch(MAIN, content.digest, bench.into())

    async def test_reading_may_stop_early(self, store: ObjectBlobs, bench: Workbench) -> None:
        """MP-34: a client that goes away holds nothing open."""
        content = bench.content(bytes(3_000_000))
        await store.put(MAIN, content)
        async with aclosing(store.read(MAIN, content.digest)) as chunks:
            assert len(await anext(chunks)) == 64 * 1024
        await store.delete(MAIN, content.digest)
        assert not await is_stored(store, MAIN, content.digest)

    async def test_no_blob_is_touched_while_a_transaction_is_open(self, store: ObjectBlobs, bench: Workbench) -> None:
        """WP-02: a slow store must not hold the workspace's lock."""
        token = transaction_open.set(True)
        try:
            with pytest.raises(RuntimeError, match="transaction"):
                await store.put(MAIN, bench.content(b"words"))
            with pytest.raises(RuntimeError, match="transaction"):
                await read(store, MAIN, ABSENT)
        finally:
            transaction_open.reset(token)
