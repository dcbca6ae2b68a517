"""The half of a handle that reaches files, which keeps artifacts and proposals, and decides about them [MP-01]."""

from collections.abc import Sequence
from typing import TypeVar

from lattice_chassis.failpoints import failpoint

from artifactr.core.actors import AgentActor, Caller
from artifactr.core.artifacts import Artifact, ArtifactHeader, StoredArtifact
from artifactr.core.changes import Change, ProposalAnswer, ProposeChange
from artifactr.core.events import ThreadMode
from artifactr.core.outcomes import Outcome, Resolved
from artifactr.core.proposals import Proposal, ProposalState
from artifactr.core.threads import Claim
from artifactr.ports import FeedPosition, Fence, Write
from artifactr.workspace.collaborators import Collaborators
from artifactr.workspace.threads import require_thread
from artifactr.workspace.write_ids import WriteIds

ArtifactCommand = Change | ProposeChange | ProposalAnswer
"""What files carries out."""

ArtifactT = TypeVar("ArtifactT", bound=Artifact)


class ArtifactHandle:
    """What one actor does with artifacts and proposals; `Workspace` is the whole handle."""

    def __init__(self, caller: Caller, collaborators: Collaborators, claim: Claim | None = None) -> None:
        self._caller = caller
        self._with = collaborators
        self._fence = None if claim is None else Fence(scope=claim.thread_id, token=claim.token)
        self._taken_up: FeedPosition | None = None
        """How far files' feed is known to be taken up: once it is, it stays so."""
        self._write_ids = WriteIds(caller.actor.run_id if isinstance(caller.actor, AgentActor) else "")

    async def get(self, artifact_type: type[ArtifactT], artifact_id: str) -> ArtifactT:
        """The artifact as files has it now, as an instance of its type, whose methods make the commands to change it.

        Raises NotFound where there is no such artifact of that type, and ValidationFailed where its data do not fit
        the class, whose validators may be stricter than the schema that files has.
        """
        return artifact_type.from_stored(await self.artifact(artifact_id))

    async def artifact(self, artifact_id: str) -> StoredArtifact:
        """The artifact as files has it now, of whatever type; NotFound where there is none."""
        return await self._with.artifacts.artifact(self._caller, artifact_id)

    async def artifacts(self, kind: str = "") -> Sequence[StoredArtifact]:
        """The artifacts of a kind, or of all, that are not archived, oldest first.

        As many as fit one page: 500, and 3 MiB of their data. `artifact_headers` tells of more.
        """
        return await self._with.artifacts.artifacts(self._caller, kind)

    async def artifact_headers(self, kind: str = "", *, limit: int = 500) -> Sequence[ArtifactHeader]:
        """The id, kind and version of the same, however much data they have; `limit` at the most."""
        return await self._with.artifacts.headers(self._caller, kind, limit)

    async def opening(self, artifact_id: str, max_chars: int) -> str:
        """The first words of a native file as files has it now [N-42]; NotFound where there is none."""
        return await self._with.artifacts.opening(self._caller, artifact_id, max_chars)

    async def proposals(
        self, *, state: ProposalState | None = None, artifact_id: str = "", proposer: str = ""
    ) -> Sequence[Proposal]:
        """The proposals in a state, about an artifact, of a participant by its key; oldest first, 500 at the most."""
        return await self._with.proposals.proposals(
            self._caller, state=state, artifact_id=artifact_id, proposer=proposer
        )

    async def next_write(self, change: Change | None = None, *, request_id: str = "") -> Write:
        """What this handle's next write to files says beside its change; for writes that are no commands, None.

        An agent's belongs to its own thread, for files refuses any other, and must become a proposal while that is in
        suggest mode [CM-06, TH-02, AMB-19, SE-08]. In a tool call of a run its request id is the same whenever the
        call is repeated [MP-20].
        """
        actor = self._caller.actor
        thread_id = "" if change is None else change.thread_id
        must_propose = False
        if isinstance(actor, AgentActor):
            thread_id = thread_id or actor.thread_id
            must_propose = await self._suggests(actor.thread_id)
        return Write(
            request_id=request_id or self._write_ids.next(),
            thread_id=thread_id,
            must_propose=must_propose,
            fence=self._fence,
            rationale="" if change is None else change.rationale,
        )

    async def ingest(self, through: int, *, patient: bool = False) -> None:
        """Take up files' changes through a number, so that what follows is recorded after them [MP-14, X-03].

        A patient call waits for files to be back, as long as any call may take: it is for whoever has just committed
        something there, and knows that it stands.
        """
        if self._taken_up is None or through > self._taken_up.sequence:
            self._reach(await self._with.ingestion.through(self._caller.key, through, patient=patient))

    async def catch_up(self) -> None:
        """Take up all that files has committed by now; where nothing is new that is one call of files [MP-16].

        PeerUnavailable where files cannot be reached.
        """
        self._reach(await self._with.ingestion.catch_up(self._caller.key, self._taken_up))

    def _reach(self, position: FeedPosition | None) -> None:
        reached = 0 if self._taken_up is None else self._taken_up.sequence
        if position is not None and position.sequence > reached:  # another task may have come further
            self._taken_up = position

    async def _committed_by_files(self, command: ArtifactCommand, request_id: str) -> Outcome | Resolved:
        """Have a command carried out, and take what it did up into the log [MP-14]."""
        change = command.change if isinstance(command, ProposeChange) else command
        write = await self.next_write(change if isinstance(change, Change) else None, request_id=request_id)
        outcome = await self._carried_out(command, write)
        failpoint("write.committed")
        # Also if files has gone down since it committed: what it did stands.
        await self.ingest(outcome.change_sequence, patient=True)
        return outcome

    async def _carried_out(self, command: ArtifactCommand, write: Write) -> Outcome | Resolved:
        if isinstance(command, Change):
            return await self._with.artifacts.change(self._caller, command, write)
        if isinstance(command, ProposeChange):
            return await self._with.proposals.propose(self._caller, command.change, write)
        return await self._with.proposals.answer(self._caller, command, write)

    async def _suggests(self, thread_id: str) -> bool:
        async with self._with.unit.unlocked(self._caller.key) as connection:
            return (await require_thread(connection, self._caller.key, thread_id)).mode is ThreadMode.SUGGEST
