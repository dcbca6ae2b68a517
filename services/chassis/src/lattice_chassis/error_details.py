"""What an error carries beside its code: metadata from its fields, typed details by its reason.

Private to `errors`. A field that an exception lacks leaves its detail incomplete, never the answer
unsent: a fault in telling of a refusal must not turn it into another one.
"""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Final
from uuid import UUID

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc.error_details_pb2 import BadRequest, RetryInfo
from lattice.type.v1.actor_pb2 import Actor, AgentActor, ExternalAgentActor, SystemActor, UserActor
from lattice.type.v1.errors_pb2 import LEASE_KIND_CHECKOUT, LEASE_KIND_EDIT, ArtifactBusy, VersionConflict

MAX_TEXT: Final = 300
"""Characters of the longest text in an error: all of it travels as metadata, which HTTP/2 peers keep small."""

_MAX_FAULTS: Final = 20
_DEFAULT_RETRY: Final = timedelta(seconds=1)
_LEASE_KINDS: Final = {"checkout": LEASE_KIND_CHECKOUT, "edit": LEASE_KIND_EDIT}


def metadata_of(error: object) -> dict[str, str]:
    """The exception's fields as text: scalars as they read, a participant as its id, None left out.

    What has no short text (lists, messages, other objects) is told by typed details alone; a text
    over 300 characters is cut off.
    """
    hidden = frozenset(getattr(type(error), "details", ()))
    named = ((name, _text(value)) for name, value in _fields(error).items() if name not in hidden)
    return {name: text[:MAX_TEXT] for name, text in named if text is not None}


def typed_details(reason: str, error: object) -> Iterator[Message]:
    """The typed messages that belong to a reason, built from the fields that the exception has."""
    build = _DETAILS.get(reason)
    if build is not None:
        yield build(_fields(error))


def _fields(error: object) -> dict[str, object]:
    if not dataclasses.is_dataclass(error):
        return {}
    return {it.name: getattr(error, it.name) for it in dataclasses.fields(error)}


def _text(value: object) -> str | None:  # noqa: PLR0911 - one line a type reads best
    match value:
        case None:
            return None
        case Enum():
            return str(value.value)
        case bool():
            return "true" if value else "false"
        case str() | int() | float() | UUID():
            return str(value)
        case datetime():
            return _timestamp(value).ToJsonString()
        case timedelta():
            return _duration(value).ToJsonString()
        case _:
            identifier = getattr(value, "id", None)
            return identifier if isinstance(identifier, str) else None


def _timestamp(time: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(time)  # honours the offset of an aware time, takes a naive one as UTC
    return stamp


def _duration(length: timedelta) -> Duration:
    duration = Duration()
    duration.FromTimedelta(length)
    return duration


def _version_conflict(fields: Mapping[str, object]) -> VersionConflict:
    conflict = VersionConflict()
    match fields.get("id", fields.get("artifact_id")):
        case str(identifier):
            conflict.id = identifier
    match fields.get("base"), fields.get("head"):
        case int(base), int(head):
            conflict.base, conflict.head = base, head
    return conflict


def _artifact_busy(fields: Mapping[str, object]) -> ArtifactBusy:
    busy = ArtifactBusy()
    match fields.get("artifact_id"):
        case str(artifact_id):
            busy.artifact_id = artifact_id
    match fields.get("lease_kind"):
        case Enum(value=str(kind)) | str(kind) if kind in _LEASE_KINDS:
            busy.lease_kind = _LEASE_KINDS[kind]
    holder = _actor(fields.get("holder"))
    if holder is not None:
        busy.holder.CopyFrom(holder)
    match fields.get("until"):
        case datetime() as until:
            busy.expire_time.CopyFrom(_timestamp(until))
    return busy


def _actor(participant: object) -> Actor | None:
    """The message for anything with kind, id and perhaps a name, as domains keep their participants."""
    if isinstance(participant, Actor):
        return participant
    kind, identifier = getattr(participant, "kind", None), getattr(participant, "id", None)
    name = getattr(participant, "name", None) or ""
    match kind.value if isinstance(kind, Enum) else kind, identifier:
        case "user", str():
            return Actor(user=UserActor(id=identifier, name=name))
        case "agent", str():
            return Actor(agent=AgentActor(thread_id=identifier, name=name))
        case "external_agent", str():
            return Actor(external_agent=ExternalAgentActor(client_id=identifier, name=name))
        case "system", _:
            return Actor(system=SystemActor(name=name or identifier or ""))
        case _:
            return None


def _bad_request(fields: Mapping[str, object]) -> BadRequest:
    request = BadRequest()
    faults = fields.get("errors")
    for fault in faults[:_MAX_FAULTS] if isinstance(faults, Sequence) else ():
        match fault:
            case str():
                request.field_violations.add(description=fault[:MAX_TEXT])
            case str(path), str(description):
                request.field_violations.add(field=path[:MAX_TEXT], description=description[:MAX_TEXT])
    return request


def _retry_info(fields: Mapping[str, object]) -> RetryInfo:
    match fields.get("retry_after"):
        case timedelta() as after:
            return RetryInfo(retry_delay=_duration(after))
    return RetryInfo(retry_delay=_duration(_DEFAULT_RETRY))


_DETAILS: Final[Mapping[str, Callable[[Mapping[str, object]], Message]]] = {
    "VERSION_CONFLICT": _version_conflict,
    "ARTIFACT_BUSY": _artifact_busy,
    "VALIDATION_FAILED": _bad_request,
    "RATE_LIMITED": _retry_info,
    "PEER_UNAVAILABLE": _retry_info,
}
