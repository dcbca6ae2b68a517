"""Artifacts and proposals as the change feed of files tells of them, each change under words of its own."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from artifactr.core.actors import Actor
from artifactr.wire import actors
from google.protobuf.message import Message
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as pb
from service.agent.scripted_files import ScriptedFiles

KIND = "plan"
ACCEPT, REJECT, WITHDRAW = (
    artifacts_pb.PROPOSAL_DECISION_ACCEPT,
    artifacts_pb.PROPOSAL_DECISION_REJECT,
    artifacts_pb.PROPOSAL_DECISION_WITHDRAW,
)


@dataclass(frozen=True)
class Proposed:
    """A proposal that waits for its answer."""

    proposal_id: str
    artifact_id: str
    proposer: Actor


class FeedWriter:
    """Commits to the feed of one workspace what its people and agents do."""

    def __init__(self, files: ScriptedFiles, workspace: str) -> None:
        self._files = files
        self._workspace = workspace
        self._versions: dict[str, int] = {}
        self._archived: set[str] = set()
        self._numbers = itertools.count(1)
        self.open_proposals: list[Proposed] = []

    @property
    def head(self) -> int:
        """The number of the last change."""
        return self._files.feeds[self._workspace].head

    def lag(self, *, away: bool) -> None:
        """Let the feed be out of reach for those who ask how far it goes, or no longer."""
        self._files.feeds[self._workspace].away = away

    def existing(self, ids: Sequence[str]) -> list[str]:
        """Those of the artifacts that there are."""
        return [it for it in ids if it in self._versions]

    async def edit(self, by: Actor, artifact_id: str, *, thread_id: str = "") -> None:
        """Change an artifact, or create it, in that thread, where it is missing; nothing where it is archived."""
        if artifact_id not in self._archived:
            await self._commit(self._changed(artifact_id), by=by, thread_id=thread_id)

    async def archive(self, by: Actor, artifact_id: str) -> None:
        """Archive an artifact, where there is one to archive."""
        if artifact_id in self._versions and artifact_id not in self._archived:
            self._archived.add(artifact_id)
            archived = pb.ArtifactArchived(artifact_id=artifact_id, kind=KIND, version=self._next_version(artifact_id))
            await self._commit(archived, by=by)

    async def propose(self, by: Actor, artifact_id: str) -> None:
        """Propose a change of an artifact, or its creation where it is missing."""
        proposed = Proposed(f"prp_{next(self._numbers)}", artifact_id, by)
        self.open_proposals.append(proposed)
        await self._commit(
            pb.ProposalCreated(proposal_id=proposed.proposal_id, artifact_id=artifact_id, rationale="better"), by=by
        )

    async def decide(self, by: Actor, proposed: Proposed, *, accept: bool) -> None:
        """Accept a proposal, with changes where its number is even, or reject it; its author withdraws it instead."""
        self.open_proposals.remove(proposed)
        own = by.participant == proposed.proposer.participant
        accept = accept and not own and proposed.artifact_id not in self._archived
        resolved = pb.ProposalResolved(
            proposal_id=proposed.proposal_id,
            artifact_id=proposed.artifact_id,
            proposer=actors.to_proto(proposed.proposer),
            decision=ACCEPT if accept else WITHDRAW if own else REJECT,
        )
        if not accept:
            await self._commit(resolved, by=by)
            return
        changed = self._changed(proposed.artifact_id, proposed.proposal_id)
        resolved.version = self._versions[proposed.artifact_id]
        if resolved.version % 2 == 0:
            resolved.changes.text_edits.CopyFrom(artifacts_pb.TextEdits(field="text"))
        await self._commit(changed, resolved, by=by)

    def _changed(self, artifact_id: str, proposal_id: str = "") -> pb.ArtifactCreated | pb.ArtifactChanged:
        version = self._next_version(artifact_id)
        if version == 1:
            return pb.ArtifactCreated(
                artifact_id=artifact_id, kind=KIND, version=1, data_json="{}", proposal_id=proposal_id
            )
        summary = f"s{next(self._numbers)}"
        return pb.ArtifactChanged(
            artifact_id=artifact_id, kind=KIND, version=version, summary=summary, proposal_id=proposal_id
        )

    def _next_version(self, artifact_id: str) -> int:
        self._versions[artifact_id] = self._versions.get(artifact_id, 0) + 1
        return self._versions[artifact_id]

    async def _commit(self, *events: Message, by: Actor, thread_id: str = "") -> None:
        await self._files.append(self._workspace, *events, by=by, thread_id=thread_id)
