"""Between the domain's values and the contract of app workers, both ways."""

import json
from typing import Final, assert_never

import grpc
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc.error_details_pb2 import BadRequest
from lattice.app.v1 import app_service_pb2 as app_pb
from lattice.type.v1 import actor_pb2 as actor_pb
from lattice.type.v1 import text_pb2
from lattice_chassis.errors import RefusedByPeer, refusal_of

from lattice_files.adapters.worker_answers import BrokenContract
from lattice_files.domain.actors import Actor, ActorKind
from lattice_files.domain.apps import App, Batch, CatalogueCommand, ChangeMode, Format, TextView
from lattice_files.domain.content import Content
from lattice_files.domain.rejections import (
    AppCrashed,
    AppRefused,
    AppTimeout,
    FileRefused,
    FileTooLarge,
    PageOutOfRange,
    Rejection,
    ValidationFailed,
)

REFUSALS: Final = (FileRefused, AppRefused, FileTooLarge, PageOutOfRange, ValidationFailed)
"""What a worker may refuse with and be used again."""

MAX_REASON_CHARS: Final = 1000
"""How much of a worker's words is passed on."""

_MODES: Final = {
    ChangeMode.BY_AUTHOR: app_pb.CHANGE_MODE_UNSPECIFIED,
    ChangeMode.TRACKED: app_pb.CHANGE_MODE_TRACKED,
    ChangeMode.DIRECT: app_pb.CHANGE_MODE_DIRECT,
}

VIEWS: Final = {TextView.FINAL: text_pb2.TEXT_VIEW_FINAL, TextView.ORIGINAL: text_pb2.TEXT_VIEW_ORIGINAL}
"""How the contract says in which view a text is read."""


def app(described: app_pb.DescribeResponse) -> App:
    """An app from its description.

    Raises:
        BrokenContract: something of the description is missing.
    """
    formats = tuple(
        Format(name=it.name, media_type=it.media_type, extension=it.extension.lower()) for it in described.formats
    )
    told = (described.name, described.integration_key, described.version, formats)
    if not all(told) or not all(it.name and it.media_type and it.extension for it in formats):
        raise BrokenContract("the description of the app is incomplete")
    return App(
        name=described.name,
        integration_key=described.integration_key,
        version=described.version,
        formats=formats,
    )


def catalogue_command(command: app_pb.Command) -> CatalogueCommand:
    """A command of the catalogue.

    Raises:
        BrokenContract: its schema or its example is no JSON.
    """
    try:
        json.loads(command.arguments_schema_json)
        json.loads(command.example_json)
    except (ValueError, RecursionError) as error:
        raise BrokenContract("a command's schema or example is no JSON") from error
    return CatalogueCommand(
        id=command.id,
        label=command.label,
        description=command.description,
        arguments_schema_json=command.arguments_schema_json,
        example_json=command.example_json,
    )


def file_header(content: Content, file_format: Format) -> app_pb.FileHeader:
    """What the content of a call is."""
    return app_pb.FileHeader(format=file_format.name, size=content.size, sha256=bytes.fromhex(content.digest))


def batch_header(content: Content, file_format: Format, batch: Batch) -> app_pb.BatchHeader:
    """What a batch does, and to which content."""
    time = Timestamp()
    time.FromDatetime(batch.time)
    return app_pb.BatchHeader(
        file=file_header(content, file_format),
        commands=[app_pb.CommandCall(command=it.command, arguments_json=it.arguments_json) for it in batch.commands],
        author=_actor(batch.author),
        time=time,
        mode=_MODES[batch.mode],
    )


def failure_of(error: grpc.aio.AioRpcError) -> Rejection:
    """What a failed call means to the domain; a reason that the contract of workers lacks is a crash."""
    refused = refusal_of(error)
    if refused is not None:
        return _refusal(refused)
    return AppTimeout() if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED else AppCrashed()


def _refusal(refused: RefusedByPeer) -> Rejection:  # noqa: PLR0911 - one line a reason reads best
    told = {key: value[:MAX_REASON_CHARS] for key, value in refused.metadata.items()}
    match refused.reason:
        case "FILE_REFUSED":
            return FileRefused(guard=told.get("guard", "unnamed"))
        case "APP_REFUSED":
            why = told.get("why", refused.message[:MAX_REASON_CHARS])
            return AppRefused(why=why, command=told.get("command"), index=_number(told, "index"))
        case "FILE_TOO_LARGE":
            return FileTooLarge(size=_number(told, "size"), limit=_number(told, "limit"))
        case "PAGE_OUT_OF_RANGE":
            count = _number(told, "count")
            return AppCrashed() if count is None else PageOutOfRange(count=count)
        case "VALIDATION_FAILED":
            return ValidationFailed(errors=_faults(refused))
        case "APP_TIMEOUT":  # the worker timed its own engine
            return AppTimeout()
        case _:
            return AppCrashed()


def _faults(refused: RefusedByPeer) -> list[str | tuple[str, str]]:
    requests = [detail for detail in refused.details if isinstance(detail, BadRequest)]
    violations = [violation for request in requests for violation in request.field_violations]
    if not violations:
        return [refused.message[:MAX_REASON_CHARS]]
    return [(it.field, it.description[:MAX_REASON_CHARS]) if it.field else it.description for it in violations]


def _number(told: dict[str, str], key: str) -> int | None:
    text = told.get(key, "")
    return int(text) if text.isascii() and text.isdecimal() else None


def _actor(actor: Actor) -> actor_pb.Actor:
    match actor.kind:
        case ActorKind.USER:
            return actor_pb.Actor(user=actor_pb.UserActor(id=actor.id, name=actor.name))
        case ActorKind.AGENT:
            agent = actor_pb.AgentActor(thread_id=actor.id, run_id=actor.run_id, name=actor.name)
            return actor_pb.Actor(agent=agent)
        case ActorKind.EXTERNAL_AGENT:
            return actor_pb.Actor(external_agent=actor_pb.ExternalAgentActor(client_id=actor.id, name=actor.name))
        case ActorKind.SYSTEM:
            return actor_pb.Actor(system=actor_pb.SystemActor(name=actor.name or actor.id))
        case _:
            assert_never(actor.kind)
