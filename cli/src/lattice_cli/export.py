"""`lattice export`: all that people and agents made in a workspace, as files that need no Lattice to be read [ER-04].

It calls the services as any administrator of the workspace may. All is written into a folder beside the one that was
named and takes its place at the end, so an export that was killed leaves nothing that looks whole.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Annotated, Any, Final

import typer
from google.protobuf.message import Message
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb

from lattice_cli.connection import Connection
from lattice_cli.invocation import as_dict, invocation_of
from lattice_cli.native_files import download
from lattice_cli.paging import HistoryChanged, NothingThere, pages

MANIFEST: Final = "manifest.json"

_LONGEST_NAME: Final = 255
"""Bytes; what file systems take."""
_LONGEST_SUFFIX: Final = 20

_OTHERWISE: Final = "%"

_PAGE: Final = 500
_NATIVE: Final = "native_"


@dataclass
class Export:
    """An export on its way, in its folder."""

    connection: Connection
    folder: Path
    counts: dict[str, int] = field(default_factory=dict)
    """How many lines each list has."""

    @property
    def workspace(self) -> str:
        """The name of the workspace."""
        return self.connection.person.workspace_name

    def write(self, name: str, messages: Iterable[Message]) -> None:
        """Add lines to a list, which is there even where it is empty."""
        with (self.folder / f"{name}.jsonl").open("a", encoding="utf-8") as file:
            for message in messages:
                file.write(json.dumps(as_dict(message), ensure_ascii=False) + "\n")
                self.counts[name] = self.counts.get(name, 0) + 1


def export(
    context: typer.Context,
    workspace: Annotated[str, typer.Argument(help="The workspace, of the tenant that --tenant names.")],
    to: Annotated[Path, typer.Option(help="The folder that is made.")],
) -> None:
    """Write everything that people and agents made in a workspace into a folder; for its administrators."""
    invocation = invocation_of(context)
    if os.path.lexists(to):  # a link to nowhere, too
        invocation.refuse(f"{to} is there already")
    person = replace(invocation.person, workspace=workspace)

    async def work(connection: Connection) -> None:
        manifest = await exported(connection, to)
        if invocation.as_json:
            typer.echo(json.dumps(manifest))
        else:
            counts = ", ".join(f"{count:,} {name}" for name, count in manifest["counts"].items())
            invocation.console.print(f"{to}: {counts}, {len(manifest['files']):,} files", soft_wrap=True)

    replace(invocation, person=person).call(work)


async def exported(connection: Connection, to: Path) -> dict[str, Any]:
    """Export the connection's workspace into a folder that is not there yet, and answer the manifest.

    Raises:
        NothingThere: nobody ever wrote there, as where its name is mistyped, or it was erased.
        HistoryChanged: it was restored or erased meanwhile.
        OSError: it cannot be written, or somebody else made the folder.
    """
    to.absolute().parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{to.name}.partial-", dir=to.absolute().parent))
    try:
        manifest = await _written(Export(connection, folder))
        for path in (*(it for it in folder.rglob("*") if it.is_dir()), folder):
            _settle_folder(path)
        folder.rename(to)
        _settle_folder(to.absolute().parent)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return manifest


async def _written(export: Export) -> dict[str, Any]:
    """Write everything, the manifest last."""
    connection, folder = export.connection, export.folder
    begun, before = datetime.now(UTC), await _positions(connection)
    if not any(it["sequence"] for it in before.values()):
        raise NothingThere(f"nothing was ever done in {export.workspace}, or it was erased")
    await _artifacts(export)
    await _other_lists(export)
    after = await _positions(connection)
    _require_one_history(before, after)
    await _feed_and_log(export, after)
    _require_one_history(after, await _positions(connection))
    manifest = {
        "workspace": export.workspace,
        "begun": begun.isoformat(),
        "ended": datetime.now(UTC).isoformat(),
        "positions_before": before,
        "positions_after": after,
        "one_moment": before == after,
        "counts": export.counts,
        "files": {
            str(path.relative_to(folder)): _settled(path) for path in sorted(folder.rglob("*")) if path.is_file()
        },
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2, ensure_ascii=False), encoding="utf-8")
    _settled(folder / MANIFEST)
    return manifest


async def _positions(connection: Connection) -> dict[str, Any]:
    """Where feed, log and switches stand; the log includes the feed."""
    name = connection.person.workspace_name
    feed = await connection.changes.ListChanges(changes_pb.ListChangesRequest(workspace=name, page_size=1))
    read = log_pb.ReadLogRequest(workspace=name, last=1, min_change_sequence=feed.head_sequence)
    log = (await connection.log.ReadLog(read)).head
    asked = integrations_pb.ListSwitchChangesRequest(workspace=name, page_size=1)
    switches = (await connection.integrations.ListSwitchChanges(asked)).changes
    return {
        "feed": {"epoch": feed.cursor.epoch, "sequence": feed.head_sequence},
        "log": {"epoch": log.epoch, "sequence": log.sequence},
        "switches": {"sequence": switches[0].revision if switches else 0},
    }


def _require_one_history(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Raise HistoryChanged where what was written in between is of another history than what follows."""
    for name, position in before.items():
        began_anew = position["sequence"] and position.get("epoch") != after[name].get("epoch")
        if began_anew or after[name]["sequence"] < position["sequence"]:
            raise HistoryChanged(f"{name}: it was restored or erased meanwhile: export again")


async def _artifacts(export: Export) -> None:
    """Artifacts with all their versions, and the files that those of native kinds are."""
    artifacts = export.connection.artifacts
    request = artifacts_pb.ListArtifactsRequest(workspace=export.workspace, show_archived=True, page_size=_PAGE)
    export.write("artifacts", ())
    export.write("revisions", ())
    async for page in pages(artifacts.ListArtifacts, request):
        export.write("artifacts", page.artifacts)
        for artifact in page.artifacts:
            asked = artifacts_pb.ListRevisionsRequest(name=artifact.name, page_size=_PAGE)
            async for revisions in pages(artifacts.ListRevisions, asked):
                export.write("revisions", revisions.revisions)
                if artifact.kind.startswith(_NATIVE):
                    for revision in revisions.revisions:
                        await _file(export, revision.artifact)


async def _file(export: Export, artifact: artifacts_pb.Artifact) -> None:
    """The file that a version is."""
    folder = export.folder / "files" / _safe(artifact.artifact_id) / str(artifact.version)
    folder.mkdir(parents=True)
    path = folder / _safe(json.loads(artifact.data_json)["name"])
    await download(export.connection, artifact.artifact_id, path, artifact.version)
    export.counts["files"] = export.counts.get("files", 0) + 1


async def _other_lists(export: Export) -> None:
    """Everything that is listed page by page, and the switches."""
    name, connection = export.workspace, export.connection
    lists: list[tuple[str, str, Any, Any]] = [
        (
            "proposals",
            "proposals",
            connection.proposals.ListProposals,
            proposals_pb.ListProposalsRequest(workspace=name, page_size=_PAGE),
        ),
        (
            "check-outs",
            "leases",
            connection.native_files.ListCheckOuts,
            native_pb.ListCheckOutsRequest(workspace=name, page_size=_PAGE),
        ),
        (
            "broken-check-outs",
            "broken_check_outs",
            connection.native_files.ListBrokenCheckOuts,
            native_pb.ListBrokenCheckOutsRequest(workspace=name, page_size=_PAGE),
        ),
        (
            "threads",
            "threads",
            connection.threads.ListThreads,
            threads_pb.ListThreadsRequest(workspace=name, page_size=_PAGE),
        ),
        ("runs", "runs", connection.runs.ListRuns, runs_pb.ListRunsRequest(workspace=name, page_size=_PAGE)),
        (
            "switch-changes",
            "changes",
            connection.integrations.ListSwitchChanges,
            integrations_pb.ListSwitchChangesRequest(workspace=name, page_size=_PAGE),
        ),
    ]
    for file, items, call, request in lists:
        export.write(file, ())
        async for page in pages(call, request):
            export.write(file, getattr(page, items))
    asked = integrations_pb.ListIntegrationsRequest(workspace=name)
    export.write("integrations", (await connection.integrations.ListIntegrations(asked)).integrations)


async def _feed_and_log(export: Export, through: dict[str, Any]) -> None:
    """The feed and the log up to positions: all that was read before is told there."""
    export.write("changes", ())
    async for change in _changes(export, through["feed"]["sequence"]):
        export.write("changes", [change])
    export.write("log", ())
    async for entry in _log(export, through["log"]["sequence"]):
        export.write("log", [entry])


async def _changes(export: Export, through: int) -> AsyncIterator[changes_pb.Change]:
    request, reached = changes_pb.ListChangesRequest(workspace=export.workspace), 0
    while reached < through:
        page = await export.connection.changes.ListChanges(request)
        for commit in page.commits:
            for change in commit.changes:
                if change.change_sequence <= through:
                    yield change
        if page.cursor.sequence <= reached:
            raise HistoryChanged(f"the feed ends at {reached}, and it was at {through}: export again")
        request.cursor.CopyFrom(page.cursor)
        reached = page.cursor.sequence


async def _log(export: Export, through: int) -> AsyncIterator[log_pb.LogEntry]:
    reached = 0
    while reached < through:
        request = log_pb.ReadLogRequest(workspace=export.workspace, after_sequence=reached, before_sequence=through + 1)
        entries = (await export.connection.log.ReadLog(request)).entries
        if not entries:
            raise HistoryChanged(f"the log ends at {reached}, and it was at {through}: export again")
        for entry in entries:
            reached = entry.log_sequence
            yield entry


def _safe(name: str) -> str:
    """A name as one file's, wherever it is unpacked: an id may hold any character but a slash, and be long in bytes."""
    # No two ids are one folder: what is written otherwise begins with a sign, and so is what begins with it itself.
    is_plain = name not in {".", ".."} and not name.startswith(_OTHERWISE) and not set(name) & {"/", "\0"}
    safe = name if is_plain else _OTHERWISE + name.encode().hex()
    if len(safe.encode()) <= _LONGEST_NAME:
        return safe
    suffix = PurePath(name).suffix
    return hashlib.sha256(name.encode()).hexdigest() + (suffix if len(suffix.encode()) <= _LONGEST_SUFFIX else "")


def _settle_folder(path: Path) -> None:
    """Have the disk know what a folder holds."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _settled(path: Path) -> dict[str, Any]:
    """The digest and the size of a file that is on the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        return {"sha256": hashlib.file_digest(file, "sha256").hexdigest(), "bytes": path.stat().st_size}
