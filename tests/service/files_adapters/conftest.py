"""Pools of the fake app's workers: programs of their own on sockets of their own."""

from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_files.adapters.app_workers import AppPrograms, open_app_workers
from lattice_files.adapters.worker_pool import PoolLimits
from service.files_adapters.workbench import OpenWorkers, Workbench, fake_app


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    """A folder for documents and results."""
    return Workbench(tmp_path)


@pytest.fixture(scope="session")
def open_workers() -> OpenWorkers:
    """Opens a pool of one slot, unless told otherwise, whose calls end after half a minute."""

    def opened(**changed: object) -> AbstractAsyncContextManager[AppPrograms]:
        limits = {"slots": 1, "call_limit": timedelta(seconds=30), **changed}
        return open_app_workers([fake_app()], PoolLimits(**limits))  # type: ignore[arg-type]  # the test's to fit

    return opened
