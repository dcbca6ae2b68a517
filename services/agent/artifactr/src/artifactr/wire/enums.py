"""The enums of core and of the contracts, one to one."""

from collections.abc import Mapping
from typing import Final

from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb

from artifactr.core.artifacts import WritePolicy
from artifactr.core.events import Decision, DeferredKind, RunStatus, RunTrigger, ThreadMode, ToolStatus
from artifactr.core.proposals import ProposalState

MODES: Final = {
    ThreadMode.EDIT: threads_pb.THREAD_MODE_EDIT,
    ThreadMode.SUGGEST: threads_pb.THREAD_MODE_SUGGEST,
}
TRIGGERS: Final = {
    RunTrigger.MESSAGE: log_pb.RUN_TRIGGER_MESSAGE,
    RunTrigger.RESUME: log_pb.RUN_TRIGGER_RESUME,
    RunTrigger.API: log_pb.RUN_TRIGGER_API,
}
RUN_STATUSES: Final = {
    RunStatus.RUNNING: runs_pb.RUN_STATUS_RUNNING,
    RunStatus.PAUSED: runs_pb.RUN_STATUS_PAUSED,
    RunStatus.COMPLETED: runs_pb.RUN_STATUS_COMPLETED,
    RunStatus.STOPPED: runs_pb.RUN_STATUS_STOPPED,
    RunStatus.FAILED: runs_pb.RUN_STATUS_FAILED,
}
TOOL_STATUSES: Final = {
    ToolStatus.OK: log_pb.TOOL_STATUS_OK,
    ToolStatus.RETRY: log_pb.TOOL_STATUS_RETRY,
    ToolStatus.ERROR: log_pb.TOOL_STATUS_ERROR,
}
DEFERRED_KINDS: Final = {
    DeferredKind.QUESTION: runs_pb.DEFERRED_KIND_QUESTION,
    DeferredKind.APPROVAL: runs_pb.DEFERRED_KIND_APPROVAL,
}
PROPOSAL_STATES: Final = {
    ProposalState.PENDING: proposals_pb.PROPOSAL_STATE_PENDING,
    ProposalState.ACCEPTED: proposals_pb.PROPOSAL_STATE_ACCEPTED,
    ProposalState.REJECTED: proposals_pb.PROPOSAL_STATE_REJECTED,
    ProposalState.WITHDRAWN: proposals_pb.PROPOSAL_STATE_WITHDRAWN,
}
WRITE_POLICIES: Final[Mapping[WritePolicy, artifacts_pb.WritePolicy.ValueType]] = {
    "direct": artifacts_pb.WRITE_POLICY_DIRECT,
    "propose": artifacts_pb.WRITE_POLICY_PROPOSE,
}

MODE_OF: Final = {number: mode for mode, number in MODES.items()}
TRIGGER_OF: Final = {number: trigger for trigger, number in TRIGGERS.items()}
RUN_STATUS_OF: Final = {number: status for status, number in RUN_STATUSES.items()}
TOOL_STATUS_OF: Final = {number: status for status, number in TOOL_STATUSES.items()}
DEFERRED_KIND_OF: Final = {number: kind for kind, number in DEFERRED_KINDS.items()}
PROPOSAL_STATE_OF: Final = {number: state for state, number in PROPOSAL_STATES.items()}
DECISION_OF: Final = {
    artifacts_pb.PROPOSAL_DECISION_ACCEPT: Decision.ACCEPT,
    artifacts_pb.PROPOSAL_DECISION_REJECT: Decision.REJECT,
    artifacts_pb.PROPOSAL_DECISION_WITHDRAW: Decision.WITHDRAW,
}
