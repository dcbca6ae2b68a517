"""What files refuses, and how an app fails, as exceptions of ours.

A rejection changed nothing, and the caller can act upon it. The failures at the end changed nothing either, but
repeating at once will not help [R-07, R-11].
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from typing import ClassVar, Final, Literal

from google.rpc.error_details_pb2 import BadRequest
from lattice.type.v1 import errors_pb2
from lattice_chassis.errors import RefusedByPeer, calling

from artifactr.core.rejections import (
    ArtifactBusy,
    Forbidden,
    InvalidState,
    NotEnabled,
    NotFound,
    PatchFailed,
    Rejection,
    StaleClaim,
    ValidationFailed,
    VersionConflict,
)
from artifactr.wire.actors import from_proto as actor_of


@dataclass(kw_only=True, eq=False)
class AppRefused(Rejection):
    """The app refuses a command of the batch, or the whole batch would change nothing [R-06, F-08, F-10].

    `index` is the place of the command in the batch, from 0; None where no single one is to blame.
    """

    reason: ClassVar[str] = "APP_REFUSED"
    why: str
    command: str = ""
    index: int | None = None

    def __str__(self) -> str:
        return self.why if self.index is None else f"command {self.index} of the batch, {self.command}: {self.why}"


@dataclass(kw_only=True, eq=False)
class PageOutOfRange(Rejection):
    """The document has only `count` pages [F-14]."""

    reason: ClassVar[str] = "PAGE_OUT_OF_RANGE"
    count: int

    def __str__(self) -> str:
        return f"the document has {self.count} pages, numbered from 1"


@dataclass(kw_only=True, eq=False)
class ProposalStale(Rejection):
    """The native file changed since the proposal was made [F-11]."""

    reason: ClassVar[str] = "PROPOSAL_STALE"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(kw_only=True, eq=False)
class LeaseExpired(Rejection):
    """The check-out that the token names has ended [F-03, F-05]."""

    reason: ClassVar[str] = "LEASE_EXPIRED"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(kw_only=True, eq=False)
class FileRefused(Rejection):
    """A guard refuses the file before any parser sees it."""

    reason: ClassVar[str] = "FILE_REFUSED"
    guard: str

    def __str__(self) -> str:
        return f"the file is refused by the guard {self.guard}"


@dataclass(kw_only=True, eq=False)
class IdempotencyMismatch(Rejection):
    """The same `request_id` came before with another body [ID-03]."""

    reason: ClassVar[str] = "IDEMPOTENCY_MISMATCH"
    why: str

    def __str__(self) -> str:
        return self.why


class AppFailure(Exception):
    """What an app did, or would do, came to nothing; the base of what R-07 tells apart from a rejection."""

    reason: ClassVar[str]


class AppTimeout(AppFailure):
    """The app took longer than it may."""

    reason: ClassVar[str] = "APP_TIMEOUT"


class AppCrashed(AppFailure):
    """The app's worker died."""

    reason: ClassVar[str] = "APP_CRASHED"


class FileTooLarge(AppFailure):
    """The file is over a limit, or too large for the app."""

    reason: ClassVar[str] = "FILE_TOO_LARGE"


class QuotaExceeded(AppFailure):
    """The tenant has no room for what the app made [SE-06]."""

    reason: ClassVar[str] = "QUOTA_EXCEEDED"


@contextmanager
def calling_files() -> Iterator[None]:
    """Make what a call to files raises one of ours.

    Raises:
        Rejection: files refused, with the matching class.
        AppFailure: the app failed.
        PeerUnavailable: files, or what it needs, is out of reach.
        RefusedByPeer: a reason that no call of ours should meet.
    """
    try:
        with calling("files"):
            yield
    except RefusedByPeer as refused:
        build = _EXCEPTIONS.get(refused.reason)
        if build is None:
            raise
        raise build(refused) from refused


def _version_conflict(refused: RefusedByPeer) -> VersionConflict:
    metadata = refused.metadata
    return VersionConflict(
        artifact_id=metadata.get("artifact_id", ""), base=int(metadata["base"]), head=int(metadata["head"])
    )


def _artifact_busy(refused: RefusedByPeer) -> ArtifactBusy:
    busy = next((it for it in refused.details if isinstance(it, errors_pb2.ArtifactBusy)), errors_pb2.ArtifactBusy())
    return ArtifactBusy(
        artifact_id=busy.artifact_id,
        lease_kind=_LEASE_KINDS.get(busy.lease_kind),
        holder=actor_of(busy.holder) if busy.HasField("holder") else None,
        until=busy.expire_time.ToDatetime(UTC) if busy.HasField("expire_time") else None,
    )


def _validation_failed(refused: RefusedByPeer) -> ValidationFailed:
    faults = [
        f"{fault.field}: {fault.description}" if fault.field else fault.description
        for detail in refused.details
        if isinstance(detail, BadRequest)
        for fault in detail.field_violations
    ]
    return ValidationFailed(errors=tuple(faults) or (refused.message,))


def _app_refused(refused: RefusedByPeer) -> AppRefused:
    metadata = refused.metadata
    index = metadata.get("index")
    return AppRefused(
        why=metadata.get("why", refused.message),
        command=metadata.get("command", ""),
        index=None if index is None else int(index),
    )


_LEASE_KINDS: Final[Mapping[int, Literal["checkout", "edit"]]] = {
    errors_pb2.LEASE_KIND_CHECKOUT: "checkout",
    errors_pb2.LEASE_KIND_EDIT: "edit",
}

_EXCEPTIONS: Final[Mapping[str, Callable[[RefusedByPeer], Exception]]] = {
    "VERSION_CONFLICT": _version_conflict,
    "ARTIFACT_BUSY": _artifact_busy,
    "VALIDATION_FAILED": _validation_failed,
    "APP_REFUSED": _app_refused,
    "NOT_FOUND": lambda it: NotFound(entity=it.metadata.get("entity", "artifact"), id=it.metadata.get("id", "")),
    "PATCH_FAILED": lambda it: PatchFailed(why=it.message),
    "FORBIDDEN": lambda it: Forbidden(why=it.message),
    "INVALID_STATE": lambda it: InvalidState(why=it.message),
    "NOT_ENABLED": lambda it: NotEnabled(key=it.metadata.get("key", "")),
    "STALE_CLAIM": lambda it: StaleClaim(scope=it.metadata.get("scope", "")),
    "PROPOSAL_STALE": lambda it: ProposalStale(why=it.message),
    "PAGE_OUT_OF_RANGE": lambda it: PageOutOfRange(count=int(it.metadata["count"])),
    "LEASE_EXPIRED": lambda it: LeaseExpired(why=it.message),
    "FILE_REFUSED": lambda it: FileRefused(guard=it.metadata.get("guard", "")),
    "IDEMPOTENCY_MISMATCH": lambda it: IdempotencyMismatch(why=it.message),
    "APP_TIMEOUT": lambda it: AppTimeout(it.message),
    "APP_CRASHED": lambda it: AppCrashed(it.message),
    "FILE_TOO_LARGE": lambda it: FileTooLarge(it.message),
    "QUOTA_EXCEEDED": lambda it: QuotaExceeded(it.message),
}
