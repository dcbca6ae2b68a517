"""People and agents at the real files, as other clients of it: what they commit waits until agent takes it up."""

import itertools
import uuid
from collections.abc import Sequence

import grpc
from artifactr.adapters.artifacts import FilesArtifacts
from artifactr.adapters.proposals import FilesProposals
from artifactr.core.actors import Actor, Caller
from artifactr.core.changes import (
    AcceptProposal,
    ArchiveArtifact,
    Change,
    CreateArtifact,
    EditArtifact,
    ProposalAnswer,
    RejectProposal,
    WithdrawProposal,
)
from artifactr.core.patches import JsonPatch
from artifactr.core.rejections import Rejection
from artifactr.ports import Write
from service.agent.notes.feed_writer import Proposed


class FilesWriter:
    """Writes plans in one workspace, each change under words of its own."""

    def __init__(self, channel: grpc.aio.Channel, tenant: str, workspace: str) -> None:
        self._artifacts = FilesArtifacts(channel)
        self._proposals = FilesProposals(channel)
        self._where = (tenant, workspace)
        self._versions: dict[str, int] = {}
        self._archived: set[str] = set()
        self._numbers = itertools.count(1)
        self.head = 0
        self.open_proposals: list[Proposed] = []

    def lag(self, *, away: bool) -> None:
        """The real files are always there."""

    def existing(self, ids: Sequence[str]) -> list[str]:
        """Those of the plans that there are."""
        return [it for it in ids if it in self._versions]

    async def edit(self, by: Actor, artifact_id: str, *, thread_id: str = "") -> None:
        """Add a task to a plan, or create it where it is missing; nothing where it is archived."""
        if artifact_id not in self._archived:
            await self._change(by, self._edit(artifact_id), thread_id=thread_id)

    async def archive(self, by: Actor, artifact_id: str) -> None:
        """Archive a plan, where there is one to archive."""
        if artifact_id in self._versions and artifact_id not in self._archived:
            base = self._versions[artifact_id]
            await self._change(by, ArchiveArtifact(artifact_id=artifact_id, base_version=base))
            self._archived.add(artifact_id)

    async def propose(self, by: Actor, artifact_id: str) -> None:
        """Propose a task for a plan, or its creation where it is missing; nothing where it is archived."""
        if artifact_id in self._archived:
            return
        outcome = await self._proposals.propose(self._caller(by), self._edit(artifact_id), _write("better"))
        self.head = outcome.change_sequence
        self.open_proposals.append(Proposed(outcome.proposal_id, artifact_id, by))

    async def decide(self, by: Actor, proposed: Proposed, *, accept: bool) -> None:
        """Accept or reject a proposal; its author withdraws it. What files refuses to one is rejected by nobody."""
        answer: ProposalAnswer = RejectProposal(proposal_id=proposed.proposal_id)
        if by.participant == proposed.proposer.participant:
            answer = WithdrawProposal(proposal_id=proposed.proposal_id)
        elif accept:
            answer = AcceptProposal(proposal_id=proposed.proposal_id)
        try:
            resolved = await self._proposals.answer(self._caller(by), answer, _write())
        except Rejection:
            return  # an agent that may not accept, a plan that was archived or created meanwhile
        self.head = resolved.change_sequence
        self.open_proposals.remove(proposed)
        if resolved.version:
            self._versions[proposed.artifact_id] = resolved.version

    async def _change(self, by: Actor, change: Change, *, thread_id: str = "") -> None:
        outcome = await self._artifacts.change(self._caller(by), change, _write(thread_id=thread_id))
        self.head = outcome.change_sequence
        self._versions[change.artifact_id] = self._versions.get(change.artifact_id, 0) + 1

    def _edit(self, artifact_id: str) -> Change:
        base = self._versions.get(artifact_id)
        if base is None:
            return CreateArtifact(kind="plan", data={"title": "Launch", "tasks": {}}, artifact_id=artifact_id)
        words = f"s{next(self._numbers)}"
        add = {"op": "add", "path": f"/tasks/{words}", "value": {"title": words}}
        patch = JsonPatch(operations=[add])
        return EditArtifact(artifact_id=artifact_id, base_version=base, patch=patch, summary=words)

    def _caller(self, by: Actor) -> Caller:
        tenant, workspace = self._where
        return Caller(tenant=tenant, workspace=workspace, actor=by)


def _write(rationale: str = "", *, thread_id: str = "") -> Write:
    return Write(request_id=str(uuid.uuid4()), thread_id=thread_id, rationale=rationale)
