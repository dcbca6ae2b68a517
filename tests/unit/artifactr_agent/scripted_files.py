"""A files service whose answers a test writes: a real gRPC server, with one native file in each workspace.

It is for what the real service cannot be made to do on cue: a lease that ends between refusal and reading, a worker
that dies, a switch that nobody can read. What both can do is proved on the real one.
"""

# ruff: noqa: N802 - the methods carry the names of the contract
import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import grpc
from google.protobuf.timestamp_pb2 import Timestamp
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import artifacts_service_pb2_grpc as artifacts_grpc
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1 import changes_service_pb2_grpc as changes_grpc
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import native_files_service_pb2_grpc as native_grpc
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.files.v1 import proposals_service_pb2_grpc as proposals_grpc
from lattice.type.v1 import actor_pb2, names_pb2
from lattice_chassis.errors import PeerUnavailable
from lattice_chassis.identity import current_identity
from lattice_chassis.names import ArtifactName, WorkspaceName
from lattice_chassis.server import Service
from lattice_files.domain.rejections import NotFound, PageOutOfRange, ValidationFailed, VersionConflict

Context = grpc.aio.ServicerContext[Any, Any]
ARTIFACT = "art_brief"
EPOCH = "5f0c1d9e-0000-4000-8000-000000000001"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(2_000)


@dataclass
class ScriptedFile:
    """The one native file of a workspace, and what happens to those who ask about it."""

    enabled: bool = True
    name: str = "brief.docx"
    version: int = 1
    text: str = "The launch is on 17 February. Legal has to agree."
    review: list[native_pb.ReviewItem] = field(default_factory=list)
    refusals: deque[Exception] = field(default_factory=deque)
    """What the next edits are answered, in order; then they apply."""
    status_failures: deque[Exception] = field(default_factory=deque)
    """What the next questions about the app are answered, in order."""
    read_failures: deque[Exception] = field(default_factory=deque)
    """What the next reads of the words are answered, in order."""
    proposes: bool = False
    reachable: bool = True
    """Whether its feed answers."""
    silent: bool = False
    """Whether whoever asks its feed gets no answer, not even a refusal."""
    edits: list[native_pb.EditRequest] = field(default_factory=list)
    text_reads: int = 0
    status_reads: int = 0
    commits: list[changes_pb.Commit] = field(default_factory=list)
    pending: list[proposals_pb.Proposal] = field(default_factory=list)
    """What awaits review."""

    def change(self, actor: actor_pb2.Actor, summary: str, *, run_id: str = "", thread_id: str = "") -> int:
        """Commit a new version of the file, and answer its change sequence."""
        self.version += 1
        changed = changes_pb.ArtifactChanged(
            artifact_id=ARTIFACT, kind="native_docx", version=self.version, summary=summary
        )
        return self._append(
            changes_pb.Change(actor=actor, run_id=run_id, thread_id=thread_id, artifact_changed=changed)
        )

    def propose(self, actor: actor_pb2.Actor, *, run_id: str, thread_id: str) -> int:
        """Commit a proposal, and answer its change sequence."""
        created = changes_pb.ProposalCreated(proposal_id="prp_1", artifact_id=ARTIFACT)
        return self._append(
            changes_pb.Change(actor=actor, run_id=run_id, thread_id=thread_id, proposal_created=created)
        )

    def _append(self, change: changes_pb.Change) -> int:
        change.change_sequence = len(self.commits) + 1
        change.change_id = str(uuid4())
        change.commit_time.GetCurrentTime()
        self.commits.append(changes_pb.Commit(commit_id=str(uuid4()), changes=[change]))
        return change.change_sequence


class ScriptedFiles(
    native_grpc.NativeFilesServiceServicer,
    artifacts_grpc.ArtifactsServiceServicer,
    changes_grpc.ChangesServiceServicer,
    proposals_grpc.ProposalsServiceServicer,
):
    """The servicer; `files` holds the file of each workspace by the workspace's name."""

    def __init__(self) -> None:
        self.files: dict[str, ScriptedFile] = defaultdict(ScriptedFile)

    def services(self) -> Sequence[Service["ScriptedFiles"]]:
        """What to serve."""
        return [
            Service(native_grpc.add_NativeFilesServiceServicer_to_server, self),
            Service(artifacts_grpc.add_ArtifactsServiceServicer_to_server, self),
            Service(changes_grpc.add_ChangesServiceServicer_to_server, self),
            Service(proposals_grpc.add_ProposalsServiceServicer_to_server, self),
        ]

    def _file(self, name: str) -> ScriptedFile:
        artifact = ArtifactName.of_caller(name)
        if artifact.artifact != ARTIFACT:
            raise NotFound(entity="artifact", id=artifact.artifact)
        return self.files[str(artifact.workspace_name)]

    async def GetAppStatus(
        self, request: native_pb.GetAppStatusRequest, context: Context
    ) -> native_pb.GetAppStatusResponse:
        file = self.files[request.workspace]
        file.status_reads += 1
        if file.status_failures:
            raise file.status_failures.popleft()
        app = native_pb.AppStatus(integration_key="files:fake", enabled=file.enabled, kinds=["native_docx"])
        return native_pb.GetAppStatusResponse(apps=[app])

    async def ReadText(self, request: native_pb.ReadTextRequest, context: Context) -> native_pb.ReadTextResponse:
        file = self._file(request.name)
        file.text_reads += 1
        if file.read_failures:
            raise file.read_failures.popleft()
        if request.start < 0:
            raise ValidationFailed(errors=[("start", "is negative")])
        end = request.start + (request.max_chars or 8_000)
        return native_pb.ReadTextResponse(
            version=file.version,
            text=file.text[request.start : end],
            next_start=end if end < len(file.text) else 0,
            total_chars=len(file.text),
        )

    async def ReadReview(self, request: native_pb.ReadReviewRequest, context: Context) -> native_pb.ReadReviewResponse:
        file = self._file(request.name)
        end = request.start + (request.max_items or 50)
        return native_pb.ReadReviewResponse(
            version=file.version,
            items=file.review[request.start : end],
            next_start=end if end < len(file.review) else 0,
            total_items=len(file.review),
        )

    async def FindCommands(
        self, request: native_pb.FindCommandsRequest, context: Context
    ) -> native_pb.FindCommandsResponse:
        found = [
            native_pb.FoundCommand(
                id=f"command_{number}",
                label=f"Command {number}",
                description="Does something.",
                arguments_schema_json=json.dumps({"type": "object"}),
                example_json=json.dumps({}),
                enabled=True,
            )
            for number in range(30)
        ]
        return native_pb.FindCommandsResponse(commands=[] if request.query == "nothing" else found[: request.limit])

    async def RenderPage(self, request: native_pb.RenderPageRequest, context: Context) -> native_pb.RenderPageResponse:
        file = self._file(request.name)
        if request.page > 3:
            raise PageOutOfRange(count=3)
        return native_pb.RenderPageResponse(version=file.version, png=PNG, page_count=3, width=800, height=1_000)

    async def Edit(self, request: native_pb.EditRequest, context: Context) -> native_pb.EditResponse:
        file = self._file(request.name)
        file.edits.append(request)
        if file.refusals:
            raise file.refusals.popleft()
        if request.base_version != file.version:
            raise VersionConflict(artifact_id=ARTIFACT, base=request.base_version, head=file.version)
        agent = current_identity().actor
        where = {"run_id": agent.agent.run_id, "thread_id": request.context.thread_id}
        if file.proposes or request.context.must_propose:
            sequence = file.propose(agent, **where)
            proposed = artifacts_pb.Proposed(proposal_id="prp_1", artifact_id=ARTIFACT)
            return native_pb.EditResponse(outcome=artifacts_pb.Outcome(proposed=proposed, change_sequence=sequence))
        sequence = file.change(agent, request.summary, **where)
        applied = artifacts_pb.Applied(artifact_id=ARTIFACT, version=file.version)
        return native_pb.EditResponse(outcome=artifacts_pb.Outcome(applied=applied, change_sequence=sequence))

    async def GetArtifact(
        self, request: artifacts_pb.GetArtifactRequest, context: Context
    ) -> artifacts_pb.GetArtifactResponse:
        file = self._file(request.name)
        data = {
            "name": file.name,
            "format": "docx",
            "native": {"digest": "00", "size": 12_345},
            "text": {"digest": "00", "chars": len(file.text)},
            "review": {"digest": "00", "count": len(file.review)},
        }
        artifact = artifacts_pb.Artifact(
            name=request.name,
            artifact_id=ARTIFACT,
            kind="native_docx",
            version=file.version,
            data_json=json.dumps(data),
            updated_by=current_identity().actor,
            update_time=Timestamp(seconds=1),
        )
        return artifacts_pb.GetArtifactResponse(artifact=artifact)

    async def ListArtifacts(
        self, request: artifacts_pb.ListArtifactsRequest, context: Context
    ) -> artifacts_pb.ListArtifactsResponse:
        name = f"{WorkspaceName.of_caller(request.workspace)}/artifacts/{ARTIFACT}"
        answer = await self.GetArtifact(artifacts_pb.GetArtifactRequest(name=name), context)
        wanted = request.kind in ("", answer.artifact.kind)
        return artifacts_pb.ListArtifactsResponse(artifacts=[answer.artifact] if wanted else [])

    async def ListProposals(
        self, request: proposals_pb.ListProposalsRequest, context: Context
    ) -> proposals_pb.ListProposalsResponse:
        return proposals_pb.ListProposalsResponse(proposals=self.files[request.workspace].pending)

    async def EstablishBarrier(
        self, request: changes_pb.EstablishBarrierRequest, context: Context
    ) -> changes_pb.EstablishBarrierResponse:
        await self._answering(request.workspace)
        return changes_pb.EstablishBarrierResponse(head=self._head(request.workspace))

    async def _answering(self, workspace: str) -> None:
        if not self.files[workspace].reachable:
            raise PeerUnavailable(peer="files")
        if self.files[workspace].silent:
            await asyncio.Event().wait()

    async def ListChanges(
        self, request: changes_pb.ListChangesRequest, context: Context
    ) -> changes_pb.ListChangesResponse:
        await self._answering(request.workspace)
        head = self._head(request.workspace)
        commits = self.files[request.workspace].commits[request.cursor.sequence :]
        return changes_pb.ListChangesResponse(commits=commits, cursor=head, head_sequence=head.sequence)

    def _head(self, workspace: str) -> names_pb2.Cursor:
        return names_pb2.Cursor(epoch=EPOCH, sequence=len(self.files[workspace].commits))
