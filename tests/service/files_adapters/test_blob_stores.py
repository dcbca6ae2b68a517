"""The contract of blob stores on a folder and on an S3 server, and what only a folder has to prove."""

import asyncio
import hashlib
import os
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import obstore
import pytest
from lattice_files.adapters.blob_store import FolderBlobs, ObjectBlobs, key_of, open_blob_store
from lattice_files.domain.rejections import BlobMissing, PeerUnavailable
from moto.server import ThreadedMotoServer
from obstore.store import S3Store
from service.files_adapters.blob_store_contract import ABSENT, MAIN, BlobStoreContract, is_stored, read
from service.files_adapters.workbench import TESTS, Workbench, until


@pytest.fixture(scope="module")
def s3_endpoint() -> Iterator[str]:
    """An S3 server with a bucket."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    bucket = urllib.request.Request(f"http://{host}:{port}/blobs", method="PUT")
    with urllib.request.urlopen(bucket):  # noqa: S310 - a server of this machine
        yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def s3_environment(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What tells obstore of the server."""
    for name, value in {
        "AWS_ENDPOINT_URL": s3_endpoint,
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "someone",
        "AWS_SECRET_ACCESS_KEY": "something",
    }.items():
        monkeypatch.setenv(name, value)


class TestFolderBlobs(BlobStoreContract):
    """On a folder, the default."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> ObjectBlobs:
        return open_blob_store(str(tmp_path / "blobs"))


class TestS3Blobs(BlobStoreContract):
    """On S3, as moto's server speaks it."""

    @pytest.fixture
    def store(self, s3_environment: None) -> ObjectBlobs:
        return open_blob_store("s3://blobs")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "blobs"


async def test_a_store_out_of_reach_is_a_peer_that_is_unavailable(bench: Workbench, tmp_path: Path) -> None:
    """RJ-03: PEER_UNAVAILABLE, which a client may try again; whatever is asked of it."""
    nowhere = S3Store(
        "blobs",
        endpoint="http://127.0.0.1:9",
        access_key_id="a",
        secret_access_key="b",  # noqa: S106 - nobody reads it
        client_options={"allow_http": True},
        retry_config={"max_retries": 0},
    )
    store = ObjectBlobs(nowhere)
    for asked in (
        store.put(MAIN, bench.content(b"words")),
        store.fetch(MAIN, ABSENT, tmp_path),
        store.delete(MAIN, ABSENT),
        read(store, MAIN, ABSENT),
    ):
        with pytest.raises(PeerUnavailable) as refused:
            await asked
        assert refused.value.peer == "blobs"


async def test_a_bucket_that_is_not_there_is_a_peer_that_is_unavailable(s3_environment: None, bench: Workbench) -> None:
    """RJ-03: a wrong setting, or a bucket that somebody deleted; no fault of the client."""
    with pytest.raises(PeerUnavailable):
        await open_blob_store("s3://nobodys").put(MAIN, bench.content(b"words"))


async def test_a_url_with_a_path_keeps_its_blobs_below_it(s3_environment: None, bench: Workbench) -> None:
    """B-02: several deployments may share a bucket."""
    content, below, beside = bench.content(b"words"), open_blob_store("s3://blobs/a/b"), open_blob_store("s3://blobs/c")
    await below.put(MAIN, content)
    assert await read(below, MAIN, content.digest) == b"words"
    assert not await is_stored(beside, MAIN, content.digest)
    (found,) = [it["path"] for page in obstore.list(open_blob_store("s3://blobs")._store, prefix="a") for it in page]
    assert found == f"a/b/{key_of(MAIN, content.digest)}"


@pytest.mark.parametrize("asked", ["put", "delete"])
async def test_a_folder_that_fails_is_a_peer_that_is_unavailable(asked: str, root: Path, bench: Workbench) -> None:
    """RJ-03, B-03: here a file stands where the workspace's folder should."""
    store, content = FolderBlobs(root), bench.content(b"words")
    (root / "tenants").write_bytes(b"")
    with pytest.raises(PeerUnavailable):
        await (store.put(MAIN, content) if asked == "put" else store.delete(MAIN, content.digest))
    assert _staged(root) == []


async def test_a_deletion_is_synced(root: Path, bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-06: the row goes next, and what came back after a crash of the machine would have none."""
    store, content, synced = FolderBlobs(root), bench.content(b"words"), []
    await store.put(MAIN, content)
    sync = os.fsync

    def noted(descriptor: int) -> None:
        synced.append(Path(f"/proc/self/fd/{descriptor}").readlink())
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    await store.delete(MAIN, content.digest)
    assert synced == [(root / key_of(MAIN, content.digest)).parent]


@pytest.mark.parametrize("form", ["{}", "file://{}"])
async def test_a_folder_is_named_by_its_path_or_as_a_url(form: str, tmp_path: Path, bench: Workbench) -> None:
    """B-02: both name the same store."""
    folder, content = tmp_path / "a folder", bench.content(b"words")
    await FolderBlobs(folder).put(MAIN, content)
    location = form.format(folder if form == "{}" else str(folder).replace(" ", "%20"))
    assert await read(open_blob_store(location), MAIN, content.digest) == b"words"


def test_an_unknown_kind_of_store_is_refused() -> None:
    """A wrong setting stops the start."""
    with pytest.raises(ValueError, match="ftp"):
        open_blob_store("ftp://host/blobs")


@pytest.mark.parametrize("moment", ["copy", "sync", "rename"])
async def test_a_writer_killed_before_the_rename_leaves_nothing_to_be_seen(
    moment: str, root: Path, bench: Workbench
) -> None:
    """B-03: whole or not at all; the next writer of the same content succeeds."""
    content = bench.content(b"words" * 1000)
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "service.files_adapters.dying_writer", moment, str(root), str(content.path), cwd=TESTS
    )
    assert await writer.wait() == -9
    store = FolderBlobs(root)
    assert not await is_stored(store, MAIN, content.digest)
    assert not (root / key_of(MAIN, content.digest)).exists()
    await store.put(MAIN, content)
    assert await read(store, MAIN, content.digest) == b"words" * 1000


async def test_content_is_synced_before_it_has_its_name_and_every_folder_after(
    root: Path, bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B-03: durable on return, against a crash of the machine too."""
    content, synced = bench.content(b"words"), []
    sync = os.fsync

    def noted(descriptor: int) -> None:
        synced.append(Path(f"/proc/self/fd/{descriptor}").readlink())
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    store, blob = FolderBlobs(root), root / key_of(MAIN, content.digest)
    await store.put(MAIN, content)
    assert synced[0].parent == root / ".staging"
    assert synced[1:] == [blob.parent, *(it for it in blob.parent.parents if it.is_relative_to(root))]


async def test_a_cancelled_put_leaves_the_whole_blob_or_none(root: Path, bench: Workbench) -> None:
    """WP-07, B-03."""
    content = bench.content(bytes(20_000_000))
    store = FolderBlobs(root)
    putting = asyncio.create_task(store.put(MAIN, content))
    await until(lambda: any(_staged(root)))
    putting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await putting
    await until(lambda: not any(_staged(root)))
    if await is_stored(store, MAIN, content.digest):
        assert await read(store, MAIN, content.digest) == bytes(20_000_000)


async def test_writers_of_one_content_at_once_leave_it_whole(root: Path, bench: Workbench) -> None:
    """B-03: also through two stores on one folder."""
    content, stores = bench.content(b"words" * 100_000), [FolderBlobs(root), FolderBlobs(root)]
    await asyncio.gather(*(store.put(MAIN, content) for store in stores * 4))
    assert await read(stores[0], MAIN, content.digest) == b"words" * 100_000
    assert _staged(root) == []


async def test_a_damaged_blob_is_not_fetched_and_is_mended_by_the_next_put(
    root: Path, bench: Workbench, tmp_path: Path
) -> None:
    """B-07: the digest is checked; a blob of another size than its content is written again."""
    store, content = FolderBlobs(root), bench.content(b"words")
    await store.put(MAIN, content)
    (root / key_of(MAIN, content.digest)).write_bytes(b"wor")
    with pytest.raises(BlobMissing, match=content.digest):
        await store.fetch(MAIN, content.digest, bench.into())
    await store.put(MAIN, content)
    assert await read(store, MAIN, content.digest) == b"words"


async def test_what_crashed_writers_left_is_swept_after_a_day(root: Path) -> None:
    """B-06: a live writer's file is let be."""
    FolderBlobs(root)
    old, young = root / ".staging/old", root / ".staging/young"
    for staged in (old, young):
        staged.write_bytes(b"half a blob")
    os.utime(old, (0, 0))
    FolderBlobs(root)
    assert _staged(root) == [young]


async def test_a_sweep_goes_on_where_a_writer_is_done_meanwhile(root: Path) -> None:
    """B-06: what it finds may have its name when it is looked at."""
    FolderBlobs(root)
    done, old = root / ".staging/done", root / ".staging/old"
    done.symlink_to(root / "gone")  # listed, and not there
    old.write_bytes(b"half a blob")
    os.utime(old, (0, 0))
    FolderBlobs(root)
    assert not old.exists()


def test_only_a_digest_names_a_blob() -> None:
    """B-02: nothing else reaches the file system."""
    for name in ("", "../../etc/passwd", ABSENT.upper(), ABSENT[:-1], hashlib.md5(b"").hexdigest()):  # noqa: S324 - a name that is refused
        with pytest.raises(ValueError, match="SHA-256"):
            key_of(MAIN, name)


def _staged(root: Path) -> list[Path]:
    return list((root / ".staging").iterdir())
