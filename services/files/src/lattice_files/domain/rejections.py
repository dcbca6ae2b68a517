"""Why files refuses or fails: typed exceptions, each with a registered reason and its fields.

A rejection changes nothing. The edge maps reasons to statuses; no rule here knows any [RJ-03]. The
failures at the end of the page are no decisions: the first four changed nothing either [R-11].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Protocol


class Holder(Protocol):
    """A participant, as far as a refusal tells of one."""

    @property
    def id(self) -> str:
        """The participant key."""
        ...

    @property
    def name(self) -> str:
        """The display name; empty where none was given."""
        ...


class Rejection(Exception):
    """What every refusal and failure of this service is."""

    reason: ClassVar[str]


@dataclass(kw_only=True, eq=False)
class VersionConflict(Rejection):
    """The write is based on another version than the current one [N-21]."""

    reason: ClassVar[str] = "VERSION_CONFLICT"
    artifact_id: str
    base: int
    head: int

    def __str__(self) -> str:
        return f"{self.artifact_id} is at version {self.head}, the write is based on {self.base}"


@dataclass(kw_only=True, eq=False)
class ValidationFailed(Rejection):
    """The request, or the data that it would make, does not fit."""

    reason: ClassVar[str] = "VALIDATION_FAILED"
    errors: Sequence[str | tuple[str, str]]
    """Each fault: a sentence, or the path of a field and a sentence about it."""

    def __str__(self) -> str:
        return "; ".join(fault if isinstance(fault, str) else f"{fault[0]}: {fault[1]}" for fault in self.errors)


@dataclass(kw_only=True, eq=False)
class PatchFailed(Rejection):
    """The patch does not apply, or changes nothing [AT-11, AT-12]."""

    reason: ClassVar[str] = "PATCH_FAILED"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(kw_only=True, eq=False)
class NotFound(Rejection):
    """What the request names is not in this workspace."""

    reason: ClassVar[str] = "NOT_FOUND"
    entity: str
    id: str

    def __str__(self) -> str:
        return f"there is no {self.entity} {self.id}"


@dataclass(kw_only=True, eq=False)
class Forbidden(Rejection):
    """The caller may not do this."""

    reason: ClassVar[str] = "FORBIDDEN"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(kw_only=True, eq=False)
class InvalidState(Rejection):
    """The thing is not in a state that allows this."""

    reason: ClassVar[str] = "INVALID_STATE"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(kw_only=True, eq=False)
class NotEnabled(Rejection):
    """The integration that governs what is written is off in the workspace [N-03]."""

    reason: ClassVar[str] = "NOT_ENABLED"
    key: str

    def __str__(self) -> str:
        return f"{self.key} is switched off in this workspace"


@dataclass(kw_only=True, eq=False)
class UnknownIntegration(Rejection):
    """The registry of integrations does not declare the key, so it is not on [I-17]."""

    reason: ClassVar[str] = "UNKNOWN_INTEGRATION"
    key: str

    def __str__(self) -> str:
        return f"no integration {self.key} is declared"


@dataclass(kw_only=True, eq=False)
class ArtifactBusy(Rejection):
    """A live lease refuses the write; nothing was changed. What it tells may have ended since [L-08, N-22]."""

    reason: ClassVar[str] = "ARTIFACT_BUSY"
    artifact_id: str
    lease_kind: str | None = None
    holder: Holder | None = None
    until: datetime | None = None

    def __str__(self) -> str:
        if self.holder is None or self.until is None:
            return f"{self.artifact_id} was held by another writer"
        return f"{self.artifact_id} is held by {self.holder.name or self.holder.id} until {self.until.isoformat()}"


@dataclass(kw_only=True, eq=False)
class LeaseExpired(Rejection):
    """The lease that the token names has ended [F-03, F-05]."""

    reason: ClassVar[str] = "LEASE_EXPIRED"
    expired_at: datetime | None = None

    def __str__(self) -> str:
        return "the check-out has ended" + ("" if self.expired_at is None else f" at {self.expired_at.isoformat()}")


@dataclass(kw_only=True, eq=False)
class StaleClaim(Rejection):
    """A fence with a higher token was seen in this scope: the writer was overtaken [MP-21]."""

    reason: ClassVar[str] = "STALE_CLAIM"
    scope: str

    def __str__(self) -> str:
        return f"another writer took over {self.scope}"


@dataclass(kw_only=True, eq=False)
class ProposalStale(Rejection):
    """The file's content changed since the proposal was made; it stays pending [F-11]."""

    reason: ClassVar[str] = "PROPOSAL_STALE"
    proposal_id: str

    def __str__(self) -> str:
        return f"the file changed since {self.proposal_id} was made"


@dataclass(kw_only=True, eq=False)
class FileRefused(Rejection):
    """A guard refuses the file before anything parses it."""

    reason: ClassVar[str] = "FILE_REFUSED"
    guard: str

    def __str__(self) -> str:
        return f"the file is refused by the guard {self.guard}"


@dataclass(kw_only=True, eq=False)
class AppRefused(Rejection):
    """The app refuses a command of the batch, or all of it together would change nothing [F-08, F-10]."""

    reason: ClassVar[str] = "APP_REFUSED"
    why: str
    command: str | None = None
    index: int | None = None
    """The place of the command in the batch, from 0."""

    def __str__(self) -> str:
        return self.why if self.command is None else f"{self.command}: {self.why}"


@dataclass(kw_only=True, eq=False)
class PageOutOfRange(Rejection):
    """The document has fewer pages [F-14]."""

    reason: ClassVar[str] = "PAGE_OUT_OF_RANGE"
    count: int

    def __str__(self) -> str:
        return f"the document has {self.count} pages"


@dataclass(kw_only=True, eq=False)
class AppTimeout(Rejection):
    """The app, or the whole edit around it, took longer than it may [R-07, L-05]."""

    reason: ClassVar[str] = "APP_TIMEOUT"

    def __str__(self) -> str:
        return "the app took too long"


@dataclass(kw_only=True, eq=False)
class AppCrashed(Rejection):
    """The app's worker died, or answered what its contract does not allow [R-07]."""

    reason: ClassVar[str] = "APP_CRASHED"

    def __str__(self) -> str:
        return "the app crashed"


@dataclass(kw_only=True, eq=False)
class FileTooLarge(Rejection):
    """The app cannot hold the file, or what it made exceeds a limit [R-07]."""

    reason: ClassVar[str] = "FILE_TOO_LARGE"
    size: int | None = None
    limit: int | None = None
    """Both in bytes."""

    def __str__(self) -> str:
        return "the file is too large" + ("" if self.limit is None else f": the limit is {self.limit} bytes")


@dataclass(kw_only=True, eq=False)
class QuotaExceeded(Rejection):
    """The tenant has used up what it may; nothing was stored [SE-06]."""

    reason: ClassVar[str] = "QUOTA_EXCEEDED"
    quota: str
    limit: int
    """In bytes, for the quotas `storage` and `spool`."""

    def __str__(self) -> str:
        return f"the tenant's quota of {self.quota} is used up: the limit is {self.limit} bytes"


@dataclass(kw_only=True, eq=False)
class PeerUnavailable(Rejection):
    """What this call needs cannot be reached now; reads go on [AMB-04]."""

    reason: ClassVar[str] = "PEER_UNAVAILABLE"
    peer: str
    retry_after: timedelta = timedelta(seconds=1)

    def __str__(self) -> str:
        return f"{self.peer} cannot be reached"


@dataclass(kw_only=True, eq=False)
class SlowConsumer(Rejection):
    """Too many changes wait for the reader of a watch; it goes on from its last cursor [SB-08]."""

    reason: ClassVar[str] = "SLOW_CONSUMER"
    waiting: int

    def __str__(self) -> str:
        return f"{self.waiting} changes wait for this reader"


class BlobMissing(Exception):
    """A blob that a row names is not in the store: damage, never a client's fault."""

    def __init__(self, digest: str) -> None:
        super().__init__(f"the blob {digest} is missing from the store")
