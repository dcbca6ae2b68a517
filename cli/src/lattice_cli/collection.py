"""`lattice files collect`: an administrator's call that frees what nothing names any more."""

from datetime import timedelta
from typing import Annotated, Final

import typer
from lattice.files.v1 import native_files_service_pb2 as native_pb

from lattice_cli.connection import Connection
from lattice_cli.invocation import invocation_of

PATIENCE: Final = timedelta(hours=1)
"""How long a collection may take; one that is cut off has deleted what it has, and the next one goes on."""


def collect(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be deleted.")] = False,
) -> None:
    """Delete stored content that no revision and no pending proposal names any more; for administrators."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = native_pb.CollectBlobsRequest(workspace=connection.person.workspace_name, dry_run=dry_run)
        answer = await connection.native_files.CollectBlobs(request, timeout=PATIENCE.total_seconds())
        done = "would be deleted" if dry_run else "deleted"
        invocation.show(answer, f"{answer.blobs:,} {_blobs(answer.blobs)}, {readable(answer.bytes)}, {done}")

    invocation.call(work)


def readable(size: int) -> str:
    """A number of bytes for people: at most 3 digits, in powers of 1,024."""
    scaled, unit = float(size), "bytes"
    for larger in ("KiB", "MiB", "GiB", "TiB", "PiB", "EiB"):
        if scaled < 999.5:
            break
        scaled, unit = scaled / 1024, larger
    return f"{scaled:.3g} {unit}"


def _blobs(count: int) -> str:
    return "blob" if count == 1 else "blobs"
