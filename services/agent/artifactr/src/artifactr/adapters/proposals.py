"""Proposals of files over gRPC: the port Proposals."""

from collections.abc import Sequence
from typing import assert_never

import grpc
from lattice.files.v1 import proposals_service_pb2 as pb
from lattice.files.v1.proposals_service_pb2_grpc import ProposalsServiceStub
from lattice_chassis.errors import RefusedByPeer

from artifactr.core.actors import Caller
from artifactr.core.changes import AcceptProposal, Change, ProposalAnswer, RejectProposal, WithdrawProposal
from artifactr.core.outcomes import Proposed, Resolved
from artifactr.core.proposals import Proposal, ProposalState
from artifactr.files.calls import EDIT_TIMEOUT, MAX_PAGE, calling_as, proposal_name, workspace_name
from artifactr.ports import Write
from artifactr.wire import actors, writes
from artifactr.wire.enums import PROPOSAL_STATE_OF, PROPOSAL_STATES


class FilesProposals:
    """Proposals, made, answered and listed on behalf of a caller."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._proposals = ProposalsServiceStub(channel)

    async def propose(self, caller: Caller, change: Change, write: Write) -> Proposed:
        """Make a change a proposal."""
        request = pb.ProposeChangeRequest(
            workspace=workspace_name(caller),
            change=writes.proposed_change(change),
            context=writes.context(write, proposal_id=change.proposal_id),
        )
        with calling_as(caller):
            return writes.proposed((await self._proposals.ProposeChange(request)).outcome)

    async def answer(self, caller: Caller, answer: ProposalAnswer, write: Write) -> Resolved:
        """Accept, reject or withdraw a proposal."""
        name = proposal_name(caller, answer.proposal_id)
        context = writes.context(write)
        with calling_as(caller):
            match answer:
                case AcceptProposal():
                    changes = None if answer.changes is None else writes.patch(answer.changes)
                    acceptance = pb.AcceptProposalRequest(
                        name=name, changes=changes, rebase=answer.rebase, context=context
                    )
                    accepted = await self._proposals.AcceptProposal(acceptance, timeout=EDIT_TIMEOUT.total_seconds())
                    return writes.resolved(accepted.outcome)
                case RejectProposal():
                    rejection = pb.RejectProposalRequest(name=name, reason=answer.reason, context=context)
                    return writes.resolved((await self._proposals.RejectProposal(rejection)).outcome)
                case WithdrawProposal():
                    withdrawal = pb.WithdrawProposalRequest(name=name, context=context)
                    return writes.resolved((await self._proposals.WithdrawProposal(withdrawal)).outcome)
                case _:
                    assert_never(answer)

    async def proposals(
        self, caller: Caller, *, state: ProposalState | None, artifact_id: str, proposer: str
    ) -> Sequence[Proposal]:
        """Proposals, oldest first, a page at the most."""
        request = pb.ListProposalsRequest(
            workspace=workspace_name(caller),
            state=pb.PROPOSAL_STATE_UNSPECIFIED if state is None else PROPOSAL_STATES[state],
            artifact_id=artifact_id,
            proposer_key=proposer,
            page_size=MAX_PAGE,
        )
        try:
            with calling_as(caller):
                answer = await self._proposals.ListProposals(request)
        except RefusedByPeer as refused:
            if refused.reason == "NOT_IMPLEMENTED":  # an older release of files knows no proposals, so there are none
                return ()
            raise
        return [_proposal(proposal) for proposal in answer.proposals]


def _proposal(message: pb.Proposal) -> Proposal:
    artifact_id, summary = _proposed(message.change)
    return Proposal(
        id=message.proposal_id,
        artifact_id=artifact_id,
        summary=summary,
        proposer=actors.from_proto(message.proposer),
        state=PROPOSAL_STATE_OF[message.state],
        rationale=message.rationale,
        thread_id=message.thread_id,
        reason=message.reason,
        stale=message.stale,
    )


def _proposed(change: pb.ProposedChange) -> tuple[str, str]:
    """The artifact that a change is about, and the change in words."""
    match change.WhichOneof("change"):
        case "create":
            return change.create.artifact_id, f"create a {change.create.kind}"
        case "edit":
            return change.edit.artifact_id, change.edit.summary
        case "archive":
            return change.archive.artifact_id, "archive it"
        case "batch":
            return change.batch.artifact_id, change.batch.summary
        case None:  # of a kind that a newer version knows
            return "", "a change"
