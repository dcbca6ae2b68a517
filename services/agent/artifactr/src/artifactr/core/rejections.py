"""Rejections: what refuses a command and changes nothing. Each has a registered reason and typed fields [RJ-01]."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal

from artifactr.core.actors import Actor


class Rejection(Exception):  # the domain's own word
    """A refusal that a caller can act upon; nothing was changed."""

    reason: ClassVar[str]


@dataclass(kw_only=True, eq=False)
class NotFound(Rejection):
    """There is no such thing in this workspace."""

    reason: ClassVar[str] = "NOT_FOUND"
    entity: str
    id: str

    def __str__(self) -> str:
        return f"there is no {self.entity} {self.id}"


@dataclass(kw_only=True, eq=False)
class InvalidState(Rejection):
    """The thing is not in a state that allows this, or its id was used before [ID-01]."""

    reason: ClassVar[str] = "INVALID_STATE"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(kw_only=True, eq=False)
class Forbidden(Rejection):
    """The actor may not do this."""

    reason: ClassVar[str] = "FORBIDDEN"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(kw_only=True, eq=False)
class ValidationFailed(Rejection):
    """The request does not fit its contract; each error is a sentence."""

    reason: ClassVar[str] = "VALIDATION_FAILED"
    errors: tuple[str, ...]

    def __str__(self) -> str:
        return "; ".join(self.errors)


@dataclass(kw_only=True, eq=False)
class ThreadBusy(Rejection):
    """Someone else holds the claim on the thread [RN-10]."""

    reason: ClassVar[str] = "THREAD_BUSY"
    thread_id: str
    until: datetime | None = None
    """When the claim ends unless it is renewed; None where it had ended by the time it was read."""

    def __str__(self) -> str:
        until = f" until {self.until.isoformat()}" if self.until else ""
        return f"thread {self.thread_id} is claimed by someone else{until}"


@dataclass(kw_only=True, eq=False)
class StaleClaim(Rejection):
    """A later claim was given out in this scope; whoever holds the earlier one has been overtaken [MP-21]."""

    reason: ClassVar[str] = "STALE_CLAIM"
    scope: str

    def __str__(self) -> str:
        return f"a later claim on {self.scope} was given out"


@dataclass(kw_only=True, eq=False)
class VersionConflict(Rejection):
    """The change is based on another version than the current one."""

    reason: ClassVar[str] = "VERSION_CONFLICT"
    artifact_id: str
    base: int
    head: int

    def __str__(self) -> str:
        return f"{self.artifact_id} is at version {self.head}, not {self.base}"


@dataclass(kw_only=True, eq=False)
class ArtifactBusy(Rejection):
    """A lease on the native file refuses the write; what is None had ended by the time it was read [R-03 to R-05]."""

    reason: ClassVar[str] = "ARTIFACT_BUSY"
    artifact_id: str
    lease_kind: Literal["checkout", "edit"] | None
    holder: Actor | None
    until: datetime | None

    def __str__(self) -> str:
        if self.holder is None or self.until is None:
            return f"{self.artifact_id} was busy"
        return f"{self.artifact_id} is held by {self.holder.display_name} until {self.until.isoformat()}"


@dataclass(kw_only=True, eq=False)
class NotEnabled(Rejection):
    """The integration that governs what is written is off in this workspace."""

    reason: ClassVar[str] = "NOT_ENABLED"
    key: str

    def __str__(self) -> str:
        return f"{self.key} is off in this workspace"


@dataclass(kw_only=True, eq=False)
class PatchFailed(Rejection):
    """The patch does not apply, or would change nothing [AT-11, AT-12]."""

    reason: ClassVar[str] = "PATCH_FAILED"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(kw_only=True, eq=False)
class SlowConsumer(Rejection):
    """The reader of a watch fell too far behind; it goes on from its last position [SB-08]."""

    reason: ClassVar[str] = "SLOW_CONSUMER"
    waiting: int

    def __str__(self) -> str:
        return f"{self.waiting} entries wait to be read; go on from the last cursor"
