"""The servicer of `lattice.files.v1.ProposalsService`; each method's contract stands in the proto."""

from dataclasses import replace
from typing import Any, Final, TypeAlias

import grpc
from lattice.files.v1 import proposals_service_pb2 as pb
from lattice.files.v1 import proposals_service_pb2_grpc as pb_grpc
from lattice_chassis.identity import MAX_PARTICIPANT_KEY
from lattice_chassis.names import MAX_ID_LENGTH
from lattice_chassis.paging import page_token, position_of

from lattice_files.grpc import commands_from_proto, from_proto, to_proto
from lattice_files.service import artifacts, proposals, reads
from lattice_files.service.resources import Resources

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]

_SERVICE: Final = "lattice.files.v1.ProposalsService"


class ProposalsServicer(pb_grpc.ProposalsServiceServicer):
    """Answers for every workspace of the deployment."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    async def ProposeChange(self, request: pb.ProposeChangeRequest, _context: Context) -> pb.ProposeChangeResponse:
        """See the contract."""
        call = from_proto.call(from_proto.workspace(request.workspace), f"{_SERVICE}/ProposeChange", request)
        change = commands_from_proto.proposed_change(request.change)
        context = replace(from_proto.write_context(request.context), must_propose=True)
        outcome = await artifacts.change_artifact(self._resources, call, change, context)
        return pb.ProposeChangeResponse(outcome=to_proto.outcome(outcome))

    async def AcceptProposal(self, request: pb.AcceptProposalRequest, _context: Context) -> pb.AcceptProposalResponse:
        """See the contract."""
        scope, _ = from_proto.proposal(request.name)
        call = from_proto.call(scope, f"{_SERVICE}/AcceptProposal", request)
        outcome = await proposals.accept(self._resources, call, commands_from_proto.acceptance(request))
        return pb.AcceptProposalResponse(outcome=to_proto.outcome(outcome))

    async def RejectProposal(self, request: pb.RejectProposalRequest, _context: Context) -> pb.RejectProposalResponse:
        """See the contract."""
        scope, proposal_id = from_proto.proposal(request.name)
        call = from_proto.call(scope, f"{_SERVICE}/RejectProposal", request)
        reason = from_proto.text("reason", request.reason, from_proto.MAX_REASON)
        context = from_proto.write_context(request.context)
        outcome = await proposals.reject(self._resources, call, proposal_id, reason, context)
        return pb.RejectProposalResponse(outcome=to_proto.outcome(outcome))

    async def WithdrawProposal(
        self, request: pb.WithdrawProposalRequest, _context: Context
    ) -> pb.WithdrawProposalResponse:
        """See the contract."""
        scope, proposal_id = from_proto.proposal(request.name)
        call = from_proto.call(scope, f"{_SERVICE}/WithdrawProposal", request)
        context = from_proto.write_context(request.context)
        outcome = await proposals.withdraw(self._resources, call, proposal_id, context)
        return pb.WithdrawProposalResponse(outcome=to_proto.outcome(outcome))

    async def GetProposal(self, request: pb.GetProposalRequest, _context: Context) -> pb.GetProposalResponse:
        """See the contract."""
        scope, proposal_id = from_proto.proposal(request.name)
        found = await reads.get_proposal(self._resources, scope, proposal_id)
        return pb.GetProposalResponse(proposal=to_proto.proposal(scope, found))

    async def ListProposals(self, request: pb.ListProposalsRequest, _context: Context) -> pb.ListProposalsResponse:
        """See the contract."""
        scope, limit = from_proto.workspace(request.workspace), from_proto.page_size(request.page_size)
        position = position_of(request, int)
        found = await reads.list_proposals(
            self._resources,
            scope,
            state=from_proto.proposal_state(request.state),
            artifact_id=from_proto.text("artifact_id", request.artifact_id, MAX_ID_LENGTH),
            proposer_key=from_proto.text("proposer_key", request.proposer_key, MAX_PARTICIPANT_KEY),
            after=0 if position is None else int(position[0]),
            limit=limit + 1,
        )
        page = to_proto.fitting(to_proto.proposal(scope, it) for _, it in found[:limit])
        more = len(found) > len(page)
        return pb.ListProposalsResponse(
            proposals=page, next_page_token=page_token(request, [found[len(page) - 1][0]]) if more else ""
        )
