"""Good calls of ProposalsService and ChangesService."""

from typing import Final

from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.type.v1 import names_pb2
from service.files.contract.good_call import GoodCall, context, one
from service.files.contract.places import FINISH, RENAME, TASK_KIND, proposed, proposed_batch, task

PROPOSALS: Final = (
    GoodCall(
        method="ProposalsService/ProposeChange",
        label="creation",
        requests=one(
            lambda place: proposals_pb.ProposeChangeRequest(
                workspace=place.name,
                change=proposals_pb.ProposedChange(
                    create=proposals_pb.ProposedCreation(
                        artifact_id="wanted", kind=TASK_KIND, data_json='{"name": "one"}'
                    )
                ),
                context=context(proposal_id="wish"),
            )
        ),
    ),
    GoodCall(
        method="ProposalsService/ProposeChange",
        label="edit",
        requests=one(
            lambda place: proposals_pb.ProposeChangeRequest(
                workspace=place.name,
                change=proposals_pb.ProposedChange(
                    edit=proposals_pb.ProposedEdit(
                        artifact_id="debated", base_version=1, patch=RENAME, summary="renames"
                    )
                ),
                context=context(proposal_id="motion"),
            )
        ),
        needs=(task("debated"),),
    ),
    GoodCall(
        method="ProposalsService/ProposeChange",
        label="archiving",
        requests=one(
            lambda place: proposals_pb.ProposeChangeRequest(
                workspace=place.name,
                change=proposals_pb.ProposedChange(
                    archive=proposals_pb.ProposedArchiving(artifact_id="doubted", base_version=1)
                ),
                context=context(proposal_id="doubt"),
            )
        ),
        needs=(task("doubted"),),
    ),
    GoodCall(
        method="ProposalsService/GetProposal",
        requests=one(lambda place: proposals_pb.GetProposalRequest(name=place.proposal("accepted"))),
        needs=(proposed("accepted", "agreed"),),
    ),
    GoodCall(
        method="ProposalsService/ListProposals",
        requests=one(
            lambda place: proposals_pb.ListProposalsRequest(
                workspace=place.name,
                state=proposals_pb.PROPOSAL_STATE_PENDING,
                artifact_id="agreed",
                proposer_key="agent:thr_1",
                page_size=1,
            )
        ),
        needs=(proposed("accepted", "agreed"),),
    ),
    GoodCall(
        method="ProposalsService/AcceptProposal",
        requests=one(
            lambda place: proposals_pb.AcceptProposalRequest(
                name=place.proposal("accepted"), changes=FINISH, rebase=True, context=context()
            )
        ),
        needs=(proposed("accepted", "agreed"),),
    ),
    GoodCall(
        method="ProposalsService/AcceptProposal",
        label="batch",
        requests=one(
            lambda place: proposals_pb.AcceptProposalRequest(name=place.proposal("approved"), context=context())
        ),
        needs=(proposed_batch("approved", "extended-draft"),),
    ),
    GoodCall(
        method="ProposalsService/RejectProposal",
        requests=one(
            lambda place: proposals_pb.RejectProposalRequest(
                name=place.proposal("rejected"), reason="not now", context=context()
            )
        ),
        needs=(proposed("rejected", "declined"),),
    ),
    GoodCall(
        method="ProposalsService/WithdrawProposal",
        requests=one(
            lambda place: proposals_pb.WithdrawProposalRequest(name=place.proposal("withdrawn"), context=context())
        ),
        needs=(proposed("withdrawn", "regretted", by="alice"),),
    ),
)

CHANGES: Final = (
    GoodCall(
        method="ChangesService/ListChanges",
        requests=one(
            lambda place: changes_pb.ListChangesRequest(
                workspace=place.name, cursor=names_pb2.Cursor(epoch="any", sequence=0), page_size=1
            )
        ),
        needs=(task("edited"),),
    ),
    GoodCall(
        method="ChangesService/WatchChanges",
        requests=one(
            lambda place: changes_pb.WatchChangesRequest(
                workspace=place.name, cursor=names_pb2.Cursor(epoch="any", sequence=0)
            )
        ),
        needs=(task("edited"),),
    ),
    GoodCall(
        method="ChangesService/WatchChanges",
        label="from-head",
        requests=one(lambda place: changes_pb.WatchChangesRequest(workspace=place.name, from_head=True)),
        needs=(task("edited"),),
    ),
    GoodCall(
        method="ChangesService/EstablishBarrier",
        by="assistant",
        requests=one(
            lambda place: changes_pb.EstablishBarrierRequest(
                workspace=place.name, fence=names_pb2.Fence(scope="thr_1", token=1)
            )
        ),
    ),
)
