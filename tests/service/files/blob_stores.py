"""Where a session of tests keeps its blobs: a folder, or with LATTICE_TEST_BLOBS=s3 an S3 server over HTTP."""

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

import obstore
import pytest
from lattice_cli.processes import free_address
from lattice_files.adapters.blob_store import key_of, open_blob_store
from lattice_files.domain.workspaces import WorkspaceKey

_READY_WITHIN: Final = 30
"""Seconds until the S3 server has to answer."""

_ANY_DIGEST: Final = "0" * 64


@contextmanager
def chosen_store() -> Iterator[str]:
    """The URL of the store that the environment chooses, gone with all in it when the block is left."""
    with _STORES[os.environ.get("LATTICE_TEST_BLOBS", "folder")]() as url:
        yield url


def stored_digests(blobs_url: str, scope: WorkspaceKey) -> frozenset[str]:
    """What the store holds of a workspace, by a look of its own into the store."""
    prefix = key_of(scope, _ANY_DIGEST).removesuffix(f"{_ANY_DIGEST[:2]}/{_ANY_DIGEST}")
    objects = obstore.list(open_blob_store(blobs_url)._store, prefix=prefix)
    return frozenset(Path(it["path"]).name for page in objects for it in page)


@contextmanager
def _folder() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="lattice-blobs-") as folder:
        yield folder


@contextmanager
def _s3() -> Iterator[str]:
    """A bucket of moto's server, which runs as a process; the environment names it to every store that is opened."""
    address = free_address()
    host, _, port = address.partition(":")
    command = [sys.executable, "-m", "moto.server", "-H", host, "-p", port]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _make_bucket(f"http://{address}/lattice", server)
        with pytest.MonkeyPatch.context() as environment:
            for name, value in {
                "AWS_ENDPOINT_URL": f"http://{address}",
                "AWS_ALLOW_HTTP": "true",
                "AWS_REGION": "us-east-1",
                "AWS_ACCESS_KEY_ID": "someone",
                "AWS_SECRET_ACCESS_KEY": "something",
            }.items():
                environment.setenv(name, value)
            yield "s3://lattice/tests/blobs"
    finally:
        server.kill()
        server.wait()


def _make_bucket(url: str, server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + _READY_WITHIN
    while True:
        try:
            urllib.request.urlopen(urllib.request.Request(url, method="PUT")).close()  # noqa: S310 - a server of this machine
        except OSError:
            assert server.poll() is None, "the S3 server did not start"
            assert time.monotonic() < deadline, "the S3 server does not answer"
            time.sleep(0.05)
        else:
            return


_STORES: Final[Mapping[str, Callable[[], AbstractContextManager[str]]]] = {"folder": _folder, "s3": _s3}
