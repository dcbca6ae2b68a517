"""What stands afterwards, read through the contracts as any client reads it."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice_cli.connection import Connection

PAGE = 500


@dataclass(kw_only=True)
class Evidence:
    """A workspace in full."""

    revisions: Mapping[str, list[artifacts_pb.Revision]]
    """By artifact, in the order in which files lists them."""
    texts: Mapping[str, str]
    """The words of each artifact's current version."""
    leases: Mapping[str, native_pb.GetLeaseResponse]
    changes: list[changes_pb.Change]
    """The feed."""
    log: list[log_pb.LogEntry]
    switches: list[integrations_pb.SwitchChange]
    """Oldest first."""

    @property
    def is_at_rest(self) -> bool:
        """Whether every run has ended, and nobody holds a document."""
        events = Counter(it.WhichOneof("event") for it in self.log)
        held = any(it.HasField("lease") for it in self.leases.values())
        return events["run_started"] == events["run_ended"] and not held


async def gather(reader: Connection) -> Evidence:
    """Read everything; the log with all that is in the feed."""
    changes = [change async for change in _changes(reader)]
    artifact_ids = [it.artifact_created.artifact_id for it in changes if it.HasField("artifact_created")]
    return Evidence(
        revisions={it: [revision async for revision in _revisions(reader, it)] for it in artifact_ids},
        texts={it: await _text(reader, it) for it in artifact_ids},
        leases={it: await _lease(reader, it) for it in artifact_ids},
        changes=changes,
        log=[entry async for entry in _log(reader, len(changes))],
        switches=[change async for change in _switches(reader)][::-1],
    )


async def _lease(reader: Connection, artifact_id: str) -> native_pb.GetLeaseResponse:
    request = native_pb.GetLeaseRequest(name=reader.person.artifact_name(artifact_id))
    return await reader.native_files.GetLease(request)


async def _revisions(reader: Connection, artifact_id: str) -> AsyncIterator[artifacts_pb.Revision]:
    request = artifacts_pb.ListRevisionsRequest(name=reader.person.artifact_name(artifact_id), page_size=PAGE)
    while True:
        page = await reader.artifacts.ListRevisions(request)
        for revision in page.revisions:
            yield revision
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


async def _changes(reader: Connection) -> AsyncIterator[changes_pb.Change]:
    request = changes_pb.ListChangesRequest(workspace=reader.person.workspace_name)
    while (page := await reader.changes.ListChanges(request)).commits:
        for commit in page.commits:
            for change in commit.changes:
                yield change
        request.cursor.CopyFrom(page.cursor)


async def _log(reader: Connection, changes: int) -> AsyncIterator[log_pb.LogEntry]:
    request = log_pb.ReadLogRequest(workspace=reader.person.workspace_name, limit=PAGE, min_change_sequence=changes)
    while entries := (await reader.log.ReadLog(request)).entries:
        for entry in entries:
            yield entry
        request.after_sequence = entries[-1].log_sequence


async def _switches(reader: Connection) -> AsyncIterator[integrations_pb.SwitchChange]:
    request = integrations_pb.ListSwitchChangesRequest(workspace=reader.person.workspace_name, page_size=PAGE)
    while True:
        page = await reader.integrations.ListSwitchChanges(request)
        for change in page.changes:
            yield change
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


async def _text(reader: Connection, artifact_id: str) -> str:
    request = native_pb.ReadTextRequest(name=reader.person.artifact_name(artifact_id), max_chars=100_000)
    return (await reader.native_files.ReadText(request)).text
