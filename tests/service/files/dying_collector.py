"""A server of files that is killed at its first deletion of a blob: `marked` before it, `deleted` right after."""

import os
import signal
import sys
from typing import Never

from lattice_files import main
from lattice_files.adapters.blob_store import ObjectBlobs
from lattice_files.domain.workspaces import WorkspaceKey


def die() -> Never:
    """End at once, with nothing tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("a killed process runs no further")


def serve(moment: str) -> None:
    """Serve as `lattice-files serve` does, up to the moment."""
    delete = ObjectBlobs.delete

    async def last_deletion(store: ObjectBlobs, scope: WorkspaceKey, digest: str) -> None:
        if moment == "deleted":
            await delete(store, scope, digest)
        die()

    ObjectBlobs.delete = last_deletion  # type: ignore[method-assign, assignment]
    sys.argv = ["lattice-files", "serve"]
    main.run()


if __name__ == "__main__":
    serve(sys.argv[1])
