"""Where content lies while a call needs it: a disk that all tenants share, so that none may fill it [SE-11]."""

import errno
import logging
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from lattice_files.domain.rejections import PeerUnavailable, QuotaExceeded
from lattice_files.domain.workspaces import WorkspaceKey

_log: Final = logging.getLogger("lattice.files")


class Spool:
    """The spool of one process, and how much of it each tenant's calls have taken at the moment."""

    def __init__(self, root: Path, quota: int) -> None:
        self._root = root
        self._quota = quota
        self._taken: Counter[str] = Counter()

    @asynccontextmanager
    async def folder(self, scope: WorkspaceKey, size: int) -> AsyncIterator[Path]:
        """A folder for the files of one call, gone with them when the block is left.

        `size` is what will be fetched or received into it, in bytes. What apps add to that is bounded by their slots.

        Raises:
            QuotaExceeded: the tenant's calls have taken so much that this does not fit beside it.
            PeerUnavailable: the disk is full.
        """
        if self._taken[scope.tenant] + size > self._quota:
            raise QuotaExceeded(quota="spool", limit=self._quota)
        self._taken[scope.tenant] += size
        try:
            with tempfile.TemporaryDirectory(dir=self._root, prefix="call-") as folder:
                yield Path(folder)
        except OSError as error:
            if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
                raise
            _log.error("the spool %s is full: %s", self._root, error)
            raise PeerUnavailable(peer="spool") from error
        finally:
            self._taken[scope.tenant] -= size
            if not self._taken[scope.tenant]:
                del self._taken[scope.tenant]
