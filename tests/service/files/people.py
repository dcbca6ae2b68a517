"""Who calls files in tests: participants with an identity and a workspace, over a real channel."""

import hashlib
import json
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypedDict, TypeVar, Unpack

import grpc
import pytest
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import artifacts_service_pb2_grpc as artifacts_grpc
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1 import changes_service_pb2_grpc as changes_grpc
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import native_files_service_pb2_grpc as native_grpc
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.files.v1 import proposals_service_pb2_grpc as proposals_grpc
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice.integrations.v1 import integrations_service_pb2_grpc as integrations_grpc
from lattice.type.v1 import actor_pb2, names_pb2
from lattice_chassis.channels import channel
from lattice_chassis.content import CHUNK_BYTES
from lattice_chassis.errors import RefusedByPeer, refusal_of
from lattice_chassis.identity import Identity, development_metadata
from opentelemetry import context as contexts
from opentelemetry.context import Context

FAKEAPP: Final = "files:fakeapp"
"""The integration that governs the fake app."""

Command: TypeAlias = tuple[str, dict[str, Any]]

Credentials: TypeAlias = Callable[[Identity], Sequence[tuple[str, str]]]
"""The metadata by which a server believes that somebody is who it is."""

_CONTRACTS: Final = [it.DESCRIPTOR for it in (artifacts_pb, changes_pb, native_pb, proposals_pb)]
_Answer = TypeVar("_Answer")


class ContextFields(TypedDict, total=False):
    """What a write may say beside its change; the request id is made unless given."""

    request_id: str
    fence: tuple[str, int]
    thread_id: str
    proposal_id: str
    must_propose: bool
    rationale: str


def new_request_id() -> str:
    """A request id that nobody used."""
    return str(uuid.uuid4())


def document(*paragraphs: str, **parts: object) -> bytes:
    """A file of the fake app."""
    return json.dumps({"paragraphs": paragraphs, **parts}).encode()


def append(text: str) -> Command:
    """A command that adds a paragraph."""
    return "append_paragraph", {"text": text}


def replace(old: str, new: str) -> Command:
    """A command that replaces words which occur once."""
    return "replace_text", {"old": old, "new": new}


@dataclass(frozen=True, kw_only=True)
class Participant:
    """Somebody who calls files in one workspace."""

    identity: Identity
    workspace: str
    artifacts: "artifacts_grpc.ArtifactsServiceAsyncStub"
    native: "native_grpc.NativeFilesServiceAsyncStub"
    proposals: "proposals_grpc.ProposalsServiceAsyncStub"
    changes: "changes_grpc.ChangesServiceAsyncStub"

    @property
    def actor(self) -> actor_pb2.Actor:
        """Who it is."""
        return self.identity.actor

    @property
    def scope(self) -> str:
        """The name of the workspace."""
        return f"tenants/{self.identity.tenant}/workspaces/{self.workspace}"

    def name(self, artifact_id: str) -> str:
        """The name of an artifact."""
        return f"{self.scope}/artifacts/{artifact_id}"

    async def uploads(
        self, content: bytes, *, file_name: str = "plan.fake", artifact_id: str = "", **context: Unpack[ContextFields]
    ) -> artifacts_pb.Outcome:
        """Upload a file."""
        header = native_pb.UploadHeader(
            workspace=self.scope,
            file_name=file_name,
            size=len(content),
            sha256=hashlib.sha256(content).digest(),
            artifact_id=artifact_id,
            context=write_context(**context),
        )
        return await self.uploads_as(header, content)

    async def uploads_as(self, header: native_pb.UploadHeader, content: bytes) -> artifacts_pb.Outcome:
        """Upload a file under a header that may lie."""
        first = native_pb.UploadFileRequest(header=header)
        chunks = [native_pb.UploadFileRequest(chunk=chunk) for chunk in _chunks(content)]
        return (await self.native.UploadFile(_stream([first, *chunks]))).outcome

    async def has_file(self, *paragraphs: str, **parts: object) -> str:
        """Upload a file with these paragraphs, and answer its artifact's id."""
        return (await self.uploads(document(*paragraphs, **parts))).applied.artifact_id

    async def downloads(self, artifact_id: str, version: int = 0) -> tuple[native_pb.DownloadHeader, bytes]:
        """The header and the bytes of a file."""
        request = native_pb.DownloadFileRequest(name=self.name(artifact_id), version=version)
        parts = [part async for part in self.native.DownloadFile(request)]
        return parts[0].header, b"".join(part.chunk for part in parts[1:])

    async def checks_out(self, artifact_id: str, request_id: str | None = None) -> native_pb.CheckOut:
        """Check a file out."""
        request = native_pb.CheckOutRequest(name=self.name(artifact_id), request_id=request_id or new_request_id())
        return (await self.native.CheckOut(request)).check_out

    async def extends(self, lent: native_pb.CheckOut, request_id: str | None = None) -> native_pb.CheckOut:
        """Extend a check-out."""
        request = native_pb.ExtendCheckOutRequest(
            name=lent.name, token=lent.token, request_id=request_id or new_request_id()
        )
        return (await self.native.ExtendCheckOut(request)).check_out

    async def checks_in(
        self, lent: native_pb.CheckOut, content: bytes, *, request_id: str | None = None, summary: str = ""
    ) -> artifacts_pb.Outcome:
        """Check a copy in."""
        header = native_pb.CheckInHeader(
            name=lent.name,
            token=lent.token,
            size=len(content),
            sha256=hashlib.sha256(content).digest(),
            summary=summary,
            request_id=request_id or new_request_id(),
        )
        first = native_pb.CheckInRequest(header=header)
        chunks = [native_pb.CheckInRequest(chunk=chunk) for chunk in _chunks(content)]
        return (await self.native.CheckIn(_stream([first, *chunks]))).outcome

    async def releases(self, artifact_id: str, token: int = 0) -> bool:
        """Release a check-out."""
        request = native_pb.ReleaseCheckOutRequest(name=self.name(artifact_id), token=token)
        return (await self.native.ReleaseCheckOut(request)).released

    async def lease_of(self, artifact_id: str) -> native_pb.GetLeaseResponse:
        """Who holds a file."""
        return await self.native.GetLease(native_pb.GetLeaseRequest(name=self.name(artifact_id)))

    def edit_request(
        self,
        artifact_id: str,
        base_version: int,
        *commands: Command,
        base_proposal: str = "",
        **context: Unpack[ContextFields],
    ) -> native_pb.EditRequest:
        """A batch on a version."""
        batch = [native_pb.AppCommand(command=name, arguments_json=json.dumps(given)) for name, given in commands]
        return native_pb.EditRequest(
            name=self.name(artifact_id),
            base_version=base_version,
            commands=batch,
            summary="edits the plan",
            base_proposal=base_proposal,
            context=write_context(**context),
        )

    async def edits(
        self,
        artifact_id: str,
        base_version: int,
        *commands: Command,
        base_proposal: str = "",
        **context: Unpack[ContextFields],
    ) -> native_pb.EditResponse:
        """Apply a batch."""
        request = self.edit_request(artifact_id, base_version, *commands, base_proposal=base_proposal, **context)
        return await self.native.Edit(request)

    async def reads(self, artifact_id: str, version: int = 0) -> str:
        """The whole text of a file."""
        request = native_pb.ReadTextRequest(name=self.name(artifact_id), version=version, max_chars=100_000)
        return (await self.native.ReadText(request)).text

    async def sees(self, artifact_id: str) -> artifacts_pb.Artifact:
        """An artifact at its current version."""
        return (await self.artifacts.GetArtifact(artifacts_pb.GetArtifactRequest(name=self.name(artifact_id)))).artifact

    async def revisions_of(self, artifact_id: str) -> Sequence[artifacts_pb.Revision]:
        """The revisions of an artifact."""
        request = artifacts_pb.ListRevisionsRequest(name=self.name(artifact_id))
        return (await self.artifacts.ListRevisions(request)).revisions

    async def feed(self) -> Sequence[changes_pb.Change]:
        """All changes of the workspace."""
        answer = await self.changes.ListChanges(changes_pb.ListChangesRequest(workspace=self.scope))
        return [change for commit in answer.commits for change in commit.changes]

    async def pending_proposals(self) -> Sequence[proposals_pb.Proposal]:
        """The proposals that await an answer."""
        request = proposals_pb.ListProposalsRequest(workspace=self.scope, state=proposals_pb.PROPOSAL_STATE_PENDING)
        return (await self.proposals.ListProposals(request)).proposals

    async def collects(self, *, dry_run: bool = False) -> tuple[int, int]:
        """Collect the workspace's blobs, and answer how many and how many bytes."""
        request = native_pb.CollectBlobsRequest(workspace=self.scope, dry_run=dry_run)
        answer = await self.native.CollectBlobs(request)
        return answer.blobs, answer.bytes

    async def supersedes(self, artifact_id: str, words: str = "Draft.") -> str:
        """Propose a batch, and another one built on it, which withdraws the first; the id of the second."""
        first = await self.edits(artifact_id, 1, append(words), must_propose=True)
        base = first.outcome.proposed.proposal_id
        second = await self.edits(artifact_id, 1, append("Final."), must_propose=True, base_proposal=base)
        return second.outcome.proposed.proposal_id


@dataclass(kw_only=True)
class Administrator:
    """Somebody who switches integrations in one workspace."""

    identity: Identity
    workspace: str
    stub: "integrations_grpc.IntegrationsServiceAsyncStub"
    revision: int = field(default=0)

    async def switches(self, key: str, *, on: bool) -> int:
        """Switch an integration, and answer the switch's new revision."""
        request = integrations_pb.SetEnabledRequest(
            workspace=f"tenants/{self.identity.tenant}/workspaces/{self.workspace}",
            key=key,
            enabled=on,
            expected_revision=self.revision,
            request_id=new_request_id(),
        )
        # In a trace of its own, as a person's: a test may do it in the middle of an agent's run.
        token = contexts.attach(Context())
        try:
            self.revision = (await self.stub.SetEnabled(request)).switch.revision
        finally:
            contexts.detach(token)
        return self.revision


def write_context(**fields: Unpack[ContextFields]) -> artifacts_pb.WriteContext:
    """What a write says beside its change."""
    fence = fields.get("fence")
    return artifacts_pb.WriteContext(
        request_id=fields.get("request_id") or new_request_id(),
        thread_id=fields.get("thread_id", ""),
        proposal_id=fields.get("proposal_id", ""),
        must_propose=fields.get("must_propose", False),
        rationale=fields.get("rationale", ""),
        fence=None if fence is None else names_pb2.Fence(scope=fence[0], token=fence[1]),
    )


def user(tenant: str, name: str, *roles: str, role: str = "editor") -> Identity:
    """A person with a role, or with several."""
    actor = actor_pb2.Actor(user=actor_pb2.UserActor(id=name, name=name.capitalize()))
    return Identity(tenant=tenant, actor=actor, roles=frozenset(roles or {role}))


def agent(tenant: str, thread_id: str, run_id: str = "run_1") -> Identity:
    """The agent of a thread."""
    actor = actor_pb2.Actor(agent=actor_pb2.AgentActor(thread_id=thread_id, run_id=run_id, name="Assistant"))
    return Identity(tenant=tenant, actor=actor)


@asynccontextmanager
async def participant(
    address: str, identity: Identity, workspace: str, shown_by: Credentials = development_metadata
) -> AsyncIterator[Participant]:
    """A participant with a channel of its own, who shows these credentials."""
    metadata = shown_by(identity)
    async with channel(address, _CONTRACTS, identity=lambda: metadata) as connection:
        yield Participant(
            identity=identity,
            workspace=workspace,
            artifacts=artifacts_grpc.ArtifactsServiceStub(connection),
            native=native_grpc.NativeFilesServiceStub(connection),
            proposals=proposals_grpc.ProposalsServiceStub(connection),
            changes=changes_grpc.ChangesServiceStub(connection),
        )


@asynccontextmanager
async def administrator(address: str, tenant: str, workspace: str) -> AsyncIterator[Administrator]:
    """An administrator of integrations, with a channel of its own."""
    identity = user(tenant, "ada", role="administrator")
    metadata = development_metadata(identity)
    async with channel(address, [integrations_pb.DESCRIPTOR], identity=lambda: metadata) as connection:
        stub = integrations_grpc.IntegrationsServiceStub(connection)
        yield Administrator(identity=identity, workspace=workspace, stub=stub)


async def refused(work: Awaitable[object]) -> RefusedByPeer:
    """The refusal with which a call ends."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await work
    refusal = refusal_of(caught.value)
    assert refusal is not None, caught.value
    return refusal


def detail(refusal: RefusedByPeer, kind: type[_Answer]) -> _Answer:
    """The one typed detail of a kind."""
    (found,) = [it for it in refusal.details if isinstance(it, kind)]
    return found


def _chunks(content: bytes) -> Iterable[bytes]:
    return [content[start : start + CHUNK_BYTES] for start in range(0, len(content), CHUNK_BYTES)]


async def _stream(messages: Iterable[_Answer]) -> AsyncIterator[_Answer]:
    for message in messages:
        yield message
