"""How an exception becomes a status, and a status a typed refusal again.

A domain rejects with an exception that has a class attribute `reason`, the name of a registered
`lattice.type.v1.ErrorReason` without its prefix. The status, the retry hint and the typed details
follow from the reason by the tables here and in `error_details`; domains know none of them.
Whatever is no rejection leaves as INTERNAL with the trace id alone: its text may hold secrets.
Clients switch on the reason, never on status or text. [RJ-03]
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import ClassVar, Final, Protocol, TypeGuard, cast

import grpc
from google.protobuf import symbol_database
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status
from opentelemetry import trace

from lattice_chassis import error_details

DOMAIN: Final = "lattice"
"""The `domain` of every ErrorInfo that Lattice sends."""

STATUS_OF_REASON: Final[Mapping[str, grpc.StatusCode]] = {
    "VERSION_CONFLICT": grpc.StatusCode.ABORTED,
    "VALIDATION_FAILED": grpc.StatusCode.INVALID_ARGUMENT,
    "PATCH_FAILED": grpc.StatusCode.INVALID_ARGUMENT,
    "NOT_FOUND": grpc.StatusCode.NOT_FOUND,
    "FORBIDDEN": grpc.StatusCode.PERMISSION_DENIED,
    "INVALID_STATE": grpc.StatusCode.FAILED_PRECONDITION,
    "THREAD_BUSY": grpc.StatusCode.FAILED_PRECONDITION,
    "NOT_ENABLED": grpc.StatusCode.FAILED_PRECONDITION,
    "ARTIFACT_BUSY": grpc.StatusCode.FAILED_PRECONDITION,
    "UNAUTHENTICATED": grpc.StatusCode.UNAUTHENTICATED,
    "IDEMPOTENCY_MISMATCH": grpc.StatusCode.FAILED_PRECONDITION,
    "LEASE_EXPIRED": grpc.StatusCode.FAILED_PRECONDITION,
    "STALE_CLAIM": grpc.StatusCode.FAILED_PRECONDITION,
    "PROPOSAL_STALE": grpc.StatusCode.FAILED_PRECONDITION,
    "UNKNOWN_INTEGRATION": grpc.StatusCode.INVALID_ARGUMENT,
    "FILE_REFUSED": grpc.StatusCode.INVALID_ARGUMENT,
    "DIGEST_MISMATCH": grpc.StatusCode.INVALID_ARGUMENT,
    "PAGE_TOKEN_INVALID": grpc.StatusCode.INVALID_ARGUMENT,
    "PAGE_OUT_OF_RANGE": grpc.StatusCode.OUT_OF_RANGE,
    "CURSOR_RESET": grpc.StatusCode.OUT_OF_RANGE,
    "RATE_LIMITED": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "QUOTA_EXCEEDED": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "APP_REFUSED": grpc.StatusCode.INVALID_ARGUMENT,
    "APP_TIMEOUT": grpc.StatusCode.DEADLINE_EXCEEDED,
    "APP_CRASHED": grpc.StatusCode.INTERNAL,
    "FILE_TOO_LARGE": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "SLOW_PRODUCER": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "SLOW_CONSUMER": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "PEER_UNAVAILABLE": grpc.StatusCode.UNAVAILABLE,
    "SHUTTING_DOWN": grpc.StatusCode.UNAVAILABLE,
    "INTERNAL": grpc.StatusCode.INTERNAL,
    "NOT_IMPLEMENTED": grpc.StatusCode.UNIMPLEMENTED,
}
"""The one status of each reason; a test proves it complete [RJ-03]."""

_STATUS_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}
_NO_RETRY: Final = (("grpc-retry-pushback-ms", "-1"),)
_PEER_IS_DOWN: Final = frozenset({"PEER_UNAVAILABLE", "SHUTTING_DOWN"})
_PEER_IS_OUT_OF_REACH: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})


class Refusal(Protocol):
    """What makes an exception a rejection: a registered reason on its class.

    A dataclass's fields become the metadata of its ErrorInfo; those named by an optional class
    attribute `details` stay out of it.
    """

    reason: ClassVar[str]


@dataclass(kw_only=True, eq=False)
class ValidationFailed(Exception):
    """The request does not fit its contract; nothing was changed."""

    reason: ClassVar[str] = "VALIDATION_FAILED"
    errors: Sequence[str | tuple[str, str]]
    """Each fault: a sentence, or the path of a field and a sentence about it."""

    def __str__(self) -> str:
        return "; ".join(fault if isinstance(fault, str) else f"{fault[0]}: {fault[1]}" for fault in self.errors)


@dataclass(kw_only=True, eq=False)
class Forbidden(Exception):
    """The caller may not do this; it is decided before anything is looked up."""

    reason: ClassVar[str] = "FORBIDDEN"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(kw_only=True, eq=False)
class PeerUnavailable(Exception):
    """A service that this call needs cannot be reached; what it guards is refused, reads go on [AMB-04]."""

    reason: ClassVar[str] = "PEER_UNAVAILABLE"
    peer: str
    retry_after: timedelta = timedelta(seconds=1)

    def __str__(self) -> str:
        return f"{self.peer} cannot be reached"


@dataclass(kw_only=True, eq=False)
class WorkspaceErased(Exception):
    """The workspace, or its tenant, was erased for good: nothing is written there any more [ER-02]."""

    reason: ClassVar[str] = "NOT_FOUND"
    id: str
    entity: str = "workspace"

    def __str__(self) -> str:
        return f"the workspace {self.id} was erased"


@dataclass(kw_only=True, eq=False)
class ShuttingDown(Exception):
    """The server is draining; another replica answers."""

    reason: ClassVar[str] = "SHUTTING_DOWN"

    def __str__(self) -> str:
        return "the server is shutting down"


@dataclass(kw_only=True, eq=False)
class NotImplementedYet(Exception):
    """The contract has this call and this server does not serve it, or no contract of ours has it."""

    reason: ClassVar[str] = "NOT_IMPLEMENTED"
    method: str

    def __str__(self) -> str:
        return f"{self.method} is not implemented by this server"


@dataclass(kw_only=True, eq=False)
class RefusedByPeer(Exception):
    """What a peer refused, read back from its status.

    It is no refusal of ours: whoever expects a reason of a peer turns it into one of its own domain,
    and what escapes leaves as INTERNAL, so no status of a peer is passed through unseen.
    """

    # An attribute of the instance on purpose: a class attribute would make it a `Refusal`.
    status: grpc.StatusCode
    message: str
    metadata: Mapping[str, str]
    details: Sequence[Message] = field(default=())
    reason: str

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"


def is_refusal(error: BaseException) -> TypeGuard[Refusal]:
    """Whether the exception is a rejection, that is, its class carries a registered reason."""
    return getattr(type(error), "reason", None) in STATUS_OF_REASON


def reason_of(error: BaseException) -> str:
    """The reason with which this exception leaves the server.

    A peer out of reach is PEER_UNAVAILABLE, whether or not an adapter said so; the rest is INTERNAL.
    """
    if is_refusal(error):
        return error.reason
    if isinstance(error, grpc.aio.AioRpcError):
        refused = refusal_of(error)
        if refused is None:
            return "PEER_UNAVAILABLE" if error.code() in _PEER_IS_OUT_OF_REACH else "INTERNAL"
        error = refused
    if isinstance(error, RefusedByPeer) and error.reason in _PEER_IS_DOWN:
        return "PEER_UNAVAILABLE"
    return "INTERNAL"


def to_status(error: BaseException) -> Status:
    """The status that tells a client about an exception: code, neutral text, one ErrorInfo, typed details.

    The metadata are the refusal's scalar fields as text (times in RFC 3339, durations in seconds,
    None left out); for what is no refusal, the current trace id and nothing else. Texts are cut off
    at 300 characters and faults after the twentieth: an error has to fit into the trailers of a call.
    """
    reason = reason_of(error)
    if is_refusal(error):
        metadata = error_details.metadata_of(error)
        message = str(error) or reason.replace("_", " ").lower()
    else:
        metadata = _current_trace()
        message = "a peer cannot be reached" if reason == "PEER_UNAVAILABLE" else "internal error"
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)
    status = Status(code=STATUS_OF_REASON[reason].value[0], message=message[: error_details.MAX_TEXT])
    for detail in (info, *error_details.typed_details(reason, error)):
        status.details.add().Pack(detail)
    return status


def trailing_metadata(reason: str) -> tuple[tuple[str, str], ...]:
    """What goes beside the status: a peer's failure must not be retried at every link of a chain."""
    return _NO_RETRY if reason == "PEER_UNAVAILABLE" else ()


def refusal_of(error: grpc.RpcError) -> RefusedByPeer | None:
    """The refusal that a failed call carries, or None where the peer sent none of ours."""
    if not isinstance(error, grpc.Call | grpc.aio.AioRpcError):
        return None
    try:
        status = rpc_status.from_call(cast("grpc.Call", error))  # the aio error answers all that is asked of a call
    except ValueError:  # a proxy rewrote code or text: its word is not the peer's
        return None
    return None if status is None else refusal_in(status)


def refusal_in(status: Status) -> RefusedByPeer | None:
    """The refusal that a status carries, or None where it is none of ours."""
    details = [_unpacked(detail) for detail in status.details]
    info = next((it for it in details if isinstance(it, error_details_pb2.ErrorInfo) and it.domain == DOMAIN), None)
    if info is None:
        return None
    return RefusedByPeer(
        reason=info.reason,
        status=_STATUS_CODES[status.code],
        message=status.message,
        metadata=dict(info.metadata),
        details=[detail for detail in details if detail is not info],
    )


@contextmanager
def calling(peer: str) -> Iterator[None]:
    """Make what a call to a named peer raises typed; for adapters of ports.

    Raises:
        PeerUnavailable: the peer is down, drains, or took longer than the call's deadline.
        RefusedByPeer: the peer refused with a reason.
    """
    try:
        yield
    except grpc.aio.AioRpcError as error:
        if reason_of(error) == "PEER_UNAVAILABLE":
            raise PeerUnavailable(peer=peer) from error
        refused = refusal_of(error)
        if refused is None:
            raise
        raise refused from error


def _current_trace() -> dict[str, str]:
    span = trace.get_current_span().get_span_context()
    return {"trace_id": trace.format_trace_id(span.trace_id)} if span.is_valid else {}


def _unpacked(detail: AnyMessage) -> Message:
    """The typed message inside, or the wrapper itself where this program does not know the type."""
    try:
        message = symbol_database.Default().GetSymbol(detail.TypeName())()
    except KeyError:
        return detail
    return message if detail.Unpack(message) else detail
