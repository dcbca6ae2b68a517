"""files as a program of its own: what can be killed, and whose spans can be read."""

import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from lattice_chassis import failpoints
from lattice_chassis.telemetry import TRACE_FILE_VARIABLE
from lattice_cli.processes import Program, RunningService, free_address, serving
from lattice_files.settings import FilesSettings

TESTS: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, kw_only=True)
class Span:
    """A span that ended, as the trace file tells of it."""

    name: str
    span_id: str
    parent_id: str | None
    kind: str
    start: int
    end: int
    attributes: dict[str, Any]


@dataclass(kw_only=True)
class FilesProgram:
    """A running `lattice-files serve`."""

    service: RunningService
    trace_file: Path

    @property
    def address(self) -> str:
        """Where it listens."""
        return self.service.address

    def spans_of(self, trace_id: str) -> Sequence[Span]:
        """The spans of a trace that ended, by their start."""
        lines = [json.loads(line) for line in self.trace_file.read_text().splitlines()]
        spans = [
            Span(
                name=line["name"],
                span_id=line["span_id"],
                parent_id=line["parent_id"],
                kind=line["kind"],
                start=line["start_unix_nano"],
                end=line["end_unix_nano"],
                attributes=line["attributes"],
            )
            for line in lines
            if line["trace_id"] == trace_id
        ]
        return sorted(spans, key=lambda it: it.start)


@asynccontextmanager
async def files_program(
    settings: FilesSettings, folder: Path, command: Sequence[str] = ("lattice-files", "serve"), *, dies_at: str = ""
) -> AsyncIterator[FilesProgram]:
    """Serve these settings in a process of its own, on a free port; killed or asked to stop, it is gone on leaving.

    With `dies_at` it dies by itself at the first call that reaches this stage.
    """
    address = free_address()
    environment = {
        "PYTHONPATH": os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "LATTICE_FILES_LISTEN": address,
        "LATTICE_FILES_DATABASE_URL": settings.database_url.get_secret_value(),
        "LATTICE_FILES_BLOBS_URL": settings.blobs_url,
        "LATTICE_FILES_APPS": json.dumps([app.model_dump() for app in settings.apps]),
        "LATTICE_FILES_SPOOL": str(settings.spool),
        "LATTICE_FILES_APP_SLOTS": "1",
        "LATTICE_FILES_EDIT": f"{settings.edit.total_seconds()}s",
        "LATTICE_FILES_EDIT_LEASE": f"{settings.edit_lease.total_seconds()}s",
        "LATTICE_FILES_NOTICE": "0ms",
        "LATTICE_FILES_COLLECTION_GRACE": f"{settings.collection_grace / timedelta(milliseconds=1):.0f}ms",
        TRACE_FILE_VARIABLE: str(folder / "spans.jsonl"),
        failpoints.VARIABLE: dies_at,
    }
    if settings.integrations is not None:
        environment["LATTICE_FILES_INTEGRATIONS"] = settings.integrations
    program = Program(name=command[0], arguments=command[1:], environment=environment)
    async with serving(program, address, folder / "files.log") as service:
        yield FilesProgram(service=service, trace_file=folder / "spans.jsonl")
