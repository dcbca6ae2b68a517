"""The table: what each RPC needs, and a request of it that is answered.

An RPC without a row fails `test_table.py`, so that nobody adds one without saying who may call it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from google.protobuf.message import Message
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.integrations.v1 import integrations_service_pb2 as integrations_pb
from lattice_chassis.authorization import Permission
from openfeature.schemas.protobuf.flagd.evaluation.v1 import evaluation_pb2 as flagd_v1
from openfeature.schemas.protobuf.flagd.evaluation.v2 import evaluation_pb2 as flagd_v2
from service.files.contract.good_call import GoodCall
from service.files.contract.good_calls import GOOD_CALLS
from service.files.contract.places import Place
from service.files.people import FAKEAPP, new_request_id
from suite.security.calling import ANSWERED, Metadata

ENDED: Final = "INVALID_STATE"
"""What is told of a run that has ended."""
ANYBODY: Final = None
READ, EDIT, REVIEW = Permission.READ, Permission.EDIT, Permission.REVIEW
ADMINISTER, OPERATE = Permission.ADMINISTER, Permission.OPERATE


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A workspace with what the calls are about: what files has of it, and a thread with a run."""

    place: Place
    run_id: str = "run_1"

    @property
    def workspace(self) -> str:
        """Its name."""
        return self.place.name

    @property
    def thread(self) -> str:
        """The name of the thread."""
        return f"{self.workspace}/threads/thr_1"

    @property
    def run(self) -> str:
        """The name of the run, which has ended."""
        return f"{self.workspace}/runs/{self.run_id}"


Requests = Callable[[Stage], Sequence[Message]]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One RPC, or one use of it that needs another permission than its others."""

    method: str
    """As `Service/Method`."""
    needs: Permission | None
    """The permission in the workspace that the request names; None where whoever is known may ask."""
    requests: Requests
    """A good call of it, about things of alice's where it has to be one's own; under a new request id each time."""
    label: str = ""
    people_only: bool = False
    """Whether no agent and no service may, whatever its roles."""
    reason: str = ANSWERED
    """How the good call ends for whoever has the permission."""
    metadata: Callable[[Stage], Metadata] = lambda _: ()
    """What the good call says beside its credential."""
    names_tenant: bool = True
    """Whether it says whose workspace it is about; without that, every caller asks about one of their own tenant."""

    def __str__(self) -> str:
        return f"{self.method} {self.label}".strip()


_FILES: Final[Mapping[str, Permission | None]] = {
    "ArtifactsService/RegisterType": OPERATE,
    "ArtifactsService/ListTypes": ANYBODY,
    "ArtifactsService/CreateArtifact": EDIT,
    "ArtifactsService/GetArtifact": READ,
    "ArtifactsService/ListArtifacts": READ,
    "ArtifactsService/EditArtifact": EDIT,
    "ArtifactsService/ArchiveArtifact": EDIT,
    "ArtifactsService/ListRevisions": READ,
    "ArtifactsService/GetRevision": READ,
    "ArtifactsService/RestoreRevision": EDIT,
    "ProposalsService/ProposeChange": EDIT,
    "ProposalsService/GetProposal": READ,
    "ProposalsService/ListProposals": READ,
    "ProposalsService/AcceptProposal": EDIT,  # with changes of the reviewer's own
    "ProposalsService/AcceptProposal batch": REVIEW,
    "ProposalsService/RejectProposal": REVIEW,
    "ProposalsService/WithdrawProposal": EDIT,
    "ChangesService/ListChanges": READ,
    "ChangesService/WatchChanges": READ,
    "NativeFilesService/UploadFile": EDIT,
    "NativeFilesService/DownloadFile": READ,
    "NativeFilesService/CheckOut": EDIT,
    "NativeFilesService/ExtendCheckOut": EDIT,
    "NativeFilesService/CheckIn": EDIT,
    "NativeFilesService/ReleaseCheckOut": EDIT,
    "NativeFilesService/BreakCheckOut": ADMINISTER,
    "NativeFilesService/ListBrokenCheckOuts": ADMINISTER,
    "NativeFilesService/GetLease": READ,
    "NativeFilesService/ListCheckOuts": READ,
    "NativeFilesService/Edit": EDIT,
    "NativeFilesService/PreviewEdit": EDIT,
    "NativeFilesService/GetAppStatus": READ,
    "NativeFilesService/ReadText": READ,
    "NativeFilesService/ReadReview": READ,
    "NativeFilesService/FindCommands": READ,
    "NativeFilesService/RenderPage": READ,
    "NativeFilesService/CollectBlobs": ADMINISTER,
}
"""What calls of files need, by method, or by call where one needs another permission than the others."""

_PEOPLE_ONLY: Final = frozenset(
    f"NativeFilesService/{it}" for it in ("CheckOut", "ExtendCheckOut", "CheckIn", "ReleaseCheckOut")
)
"""An agent edits instead [AMB-12]."""


def _files_row(call: GoodCall) -> Row:
    labelled = f"{call.method} {call.label}".strip()
    return Row(
        method=call.method,
        label=call.label,
        needs=_FILES[labelled if labelled in _FILES else call.method],
        requests=lambda stage: call.requests(stage.place),
        people_only=call.method in _PEOPLE_ONLY,
    )


def _row(service: str, needs: Permission | None, request: Callable[[Stage], Any], **fields: Any) -> Row:  # noqa: ANN401
    """A row whose method is the one that takes the request."""
    name = type(request(Stage(place=Place("any")))).__name__.removesuffix("Request")
    return Row(method=f"{service}/{name}", needs=needs, requests=lambda stage: [request(stage)], **fields)


AGENT_ROWS: Final[Sequence[Row]] = (
    _row("ThreadsService", READ, lambda it: threads_pb.ListAgentsRequest(workspace=it.workspace)),
    _row(
        "ThreadsService",
        EDIT,
        lambda it: threads_pb.CreateThreadRequest(
            workspace=it.workspace, thread_id="thr_new", title="New", request_id=new_request_id()
        ),
    ),
    _row("ThreadsService", READ, lambda it: threads_pb.GetThreadRequest(name=it.thread)),
    _row("ThreadsService", READ, lambda it: threads_pb.ListThreadsRequest(workspace=it.workspace, page_size=1)),
    _row(
        "ThreadsService",
        EDIT,
        lambda it: threads_pb.SetThreadModeRequest(
            name=it.thread, mode=threads_pb.THREAD_MODE_SUGGEST, request_id=new_request_id()
        ),
    ),
    _row(
        "ThreadsService",
        EDIT,
        lambda it: threads_pb.SetFocusRequest(name=it.thread, artifact_ids=["edited"], request_id=new_request_id()),
    ),
    _row(
        "ThreadsService",
        EDIT,
        lambda it: threads_pb.SendMessageRequest(
            name=f"{it.workspace}/threads/thr_2", content="Hello?", request_id=new_request_id()
        ),
    ),
    _row("RunsService", READ, lambda it: runs_pb.GetRunRequest(name=it.run)),
    _row("RunsService", READ, lambda it: runs_pb.ListRunsRequest(workspace=it.workspace, page_size=1)),
    _row(
        "RunsService", EDIT, lambda it: runs_pb.StopRunRequest(name=it.run, request_id=new_request_id()), reason=ENDED
    ),
    _row(
        "RunsService",
        REVIEW,
        lambda it: runs_pb.AnswerDeferredRequest(
            name=it.run, tool_call_id="call_1", answer="yes", request_id=new_request_id()
        ),
        reason=ENDED,
    ),
    _row("RunsService", READ, lambda it: runs_pb.WatchRunRequest(name=it.run)),
    _row("LogService", READ, lambda it: log_pb.ReadLogRequest(workspace=it.workspace, last=1)),
    _row("LogService", READ, lambda it: log_pb.WatchLogRequest(workspace=it.workspace)),
    _row(
        "LogService",
        EDIT,
        lambda it: log_pb.RecordAppEventRequest(
            workspace=it.workspace, event=log_pb.AppEvent(name="opened"), request_id=new_request_id()
        ),
    ),
)

INTEGRATIONS_ROWS: Final[Sequence[Row]] = (
    _row(
        "IntegrationsService",
        READ,
        lambda it: integrations_pb.CheckEnabledRequest(workspace=it.workspace, key=FAKEAPP),
    ),
    _row("IntegrationsService", READ, lambda it: integrations_pb.ListIntegrationsRequest(workspace=it.workspace)),
    _row(
        "IntegrationsService",
        ADMINISTER,
        lambda it: integrations_pb.SetEnabledRequest(
            workspace=it.workspace, key=FAKEAPP, enabled=True, expected_revision=0, request_id=new_request_id()
        ),
    ),
    _row(
        "IntegrationsService",
        READ,
        lambda it: integrations_pb.ListSwitchChangesRequest(workspace=it.workspace, page_size=1),
    ),
    _row("IntegrationsService", READ, lambda it: integrations_pb.WatchIntegrationsRequest(workspace=it.workspace)),
)

REFUSED_TYPES: Final = tuple(f"Resolve{it}" for it in ("String", "Float", "Int", "Object"))
"""What is asked of flags that are no booleans, which ours all are."""


def _flagd_rows(messages: ModuleType) -> Iterator[Row]:
    """The rows of a version of flagd's protocol."""
    service = messages.DESCRIPTOR.services_by_name["Service"]

    def row(method: str, needs: Permission | None, **fields: Any) -> Row:  # noqa: ANN401
        asked = getattr(messages, f"{method}Request")
        keyed = {"flag_key": FAKEAPP} if "flag_key" in asked.DESCRIPTOR.fields_by_name else {}
        if "context" in asked.DESCRIPTOR.fields_by_name:
            fields["requests"] = lambda it: [asked(context={"workspace": it.place.workspace}, **keyed)]
        else:
            fields["requests"] = lambda _: [asked()]
        return Row(method=f"{service.full_name}/{method}", needs=needs, names_tenant=False, **fields)

    for method in service.methods_by_name:
        if method == "EventStream":
            yield row(method, ANYBODY, label="of no workspace")
            yield row(method, READ, metadata=lambda it: [("flagd-selector", f"workspace={it.place.workspace}")])
        else:
            yield row(method, READ, reason="VALIDATION_FAILED" if method in REFUSED_TYPES else ANSWERED)


ROWS: Final[Sequence[Row]] = (
    *(_files_row(it) for it in GOOD_CALLS if it.by != "assistant"),
    _row("ChangesService", READ, lambda it: changes_pb.EstablishBarrierRequest(workspace=it.workspace)),
    *AGENT_ROWS,
    *INTEGRATIONS_ROWS,
    *_flagd_rows(flagd_v1),
    *_flagd_rows(flagd_v2),
)
"""Each RPC of each service."""
