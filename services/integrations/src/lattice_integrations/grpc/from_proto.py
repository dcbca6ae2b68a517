"""What requests and identities say, in the words of the domain; what does not fit is refused with its field."""

from dataclasses import dataclass
from typing import Final, assert_never

from lattice.integrations.v1 import integrations_service_pb2 as pb
from lattice.type.v1 import actor_pb2, names_pb2
from lattice_chassis.authorization import current_permissions
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.identity import Identity, actor_id
from lattice_chassis.names import WorkspaceName
from lattice_chassis.paging import Cursor, position_of
from lattice_chassis.postgres.requests import identified

from lattice_integrations.domain.actors import Actor, ActorKind, Caller
from lattice_integrations.domain.switches import SetEnabled
from lattice_integrations.domain.workspaces import WorkspaceKey
from lattice_integrations.store.requests import Request

MAX_REASON: Final = 1000
"""Characters of the longest reason for switching."""

DEFAULT_PAGE: Final = 100
MAX_PAGE: Final = 500
"""Changes on one page."""


@dataclass(frozen=True, kw_only=True)
class PageOfChanges:
    """Which changes a list asks for."""

    key: str | None
    before: int | None
    limit: int


def workspace(name: str) -> WorkspaceKey:
    """The workspace of a name; Forbidden where it is of another tenant than the caller's [TN-01]."""
    parsed = WorkspaceName.of_caller(name)
    return WorkspaceKey(tenant=parsed.tenant, workspace=parsed.workspace)


def caller(identity: Identity, traceparent: str | None) -> Caller:
    """Who calls, as the verified identity says [AC-03]."""
    return Caller(
        actor=actor(identity.actor), permissions=frozenset(current_permissions()), traceparent=traceparent or ""
    )


def actor(message: actor_pb2.Actor) -> Actor:
    """A participant; ValueError for a message without a kind."""
    identifier = actor_id(message)
    match message.WhichOneof("kind"):
        case "user":
            return Actor(kind=ActorKind.USER, id=identifier, name=message.user.name)
        case "agent":
            agent = message.agent
            return Actor(kind=ActorKind.AGENT, id=identifier, name=agent.name, run_id=agent.run_id)
        case "external_agent":
            return Actor(kind=ActorKind.EXTERNAL_AGENT, id=identifier, name=message.external_agent.name)
        case "system":
            return Actor(kind=ActorKind.SYSTEM, id=identifier)
        case None:
            raise ValueError("an actor has exactly one kind")
        case unknown:
            assert_never(unknown)


def set_enabled(request: pb.SetEnabledRequest) -> SetEnabled:
    """The command; ValidationFailed for a reason that is too long or that no database could hold."""
    if len(request.reason) > MAX_REASON:
        raise ValidationFailed(errors=[("reason", f"has more than {MAX_REASON} characters")])
    if "\0" in request.reason:
        raise ValidationFailed(errors=[("reason", "has a NUL character")])
    return SetEnabled(
        key=request.key,
        enabled=request.enabled,
        expected_revision=request.expected_revision,
        reason=request.reason,
    )


def request_of(message: pb.SetEnabledRequest) -> Request:
    """What tells a repeat from another call; ValidationFailed where the id is no UUID [ID-03]."""
    request_id, digest = identified(message)
    return Request(request_id=request_id, digest=digest)


def page_of_changes(request: pb.ListSwitchChangesRequest) -> PageOfChanges:
    """The page; ValidationFailed for a size out of range, PageTokenInvalid for a token of other arguments."""
    if not 0 <= request.page_size <= MAX_PAGE:
        raise ValidationFailed(errors=[("page_size", f"is not between 1 and {MAX_PAGE}")])
    position = position_of(request, int)
    return PageOfChanges(
        key=request.key or None,
        before=None if position is None else int(position[0]),
        limit=request.page_size or DEFAULT_PAGE,
    )


def cursor(message: names_pb2.Cursor) -> Cursor:
    """A position; whether there is such a one is for the store to say."""
    return Cursor(epoch=message.epoch, sequence=message.sequence)
