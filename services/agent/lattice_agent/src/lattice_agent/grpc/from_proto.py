"""What requests and identities say, in the words of artifactr; what does not fit is refused with its field."""

from dataclasses import dataclass
from typing import Final

from artifactr.core.events import ThreadMode
from artifactr.core.threads import MAX_AGENT_NAME, can_name_an_agent
from artifactr.wire.enums import MODE_OF
from artifactr.workspace import Request
from google.protobuf.message import Message
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.authorization import Permission, current_permissions
from lattice_chassis.errors import Forbidden, ValidationFailed
from lattice_chassis.identity import Identity, current_identity
from lattice_chassis.paging import Cursor, position_of
from lattice_chassis.postgres.requests import identified

DEFAULT_PAGE: Final = 100
MAX_PAGE: Final = 500
"""Things on one page of a list."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """Which part of a list is asked for: at most `limit` things created after a log position."""

    after: int
    limit: int


def reader() -> Identity:
    """Who calls, for a call that changes nothing."""
    return current_identity()


def editor() -> Identity:
    """Who calls, for a call that changes something, or starts, steers or stops a run [SE-08, AC-03].

    Raises:
        Forbidden: the caller may only look.
    """
    return _allowed(Permission.EDIT, "this needs the role of an editor")


def reviewer() -> Identity:
    """Who calls, for an answer to what a run waits for.

    Raises:
        Forbidden: the caller may only look.
    """
    return _allowed(Permission.REVIEW, "answering needs the role of a reviewer or an editor")


def _allowed(permission: Permission, why: str) -> Identity:
    if permission not in current_permissions():
        raise Forbidden(why=why)
    return current_identity()


def request_of(message: Message, method: str) -> Request:
    """What tells a repeat from another call; ValidationFailed where the id is no UUID [ID-03]."""
    request_id, digest = identified(message)
    return Request(id=request_id, method=method, digest=digest)


def agent_name(name: str) -> str:
    """An agent's name, empty for the default's; ValidationFailed for what no agent can be called."""
    if name and not can_name_an_agent(name):
        raise ValidationFailed(errors=[("agent_name", f"is not 1 to {MAX_AGENT_NAME} characters, none of them NUL")])
    return name


def mode(number: threads_pb.ThreadMode.ValueType) -> ThreadMode:
    """A thread's mode; ValidationFailed for one that this version does not know."""
    if number not in MODE_OF:
        raise ValidationFailed(errors=[("mode", "is none that a thread can have")])
    return MODE_OF[number]


def page(request: threads_pb.ListThreadsRequest | runs_pb.ListRunsRequest) -> Page:
    """A page; ValidationFailed for a size out of range, PageTokenInvalid for a token of other arguments."""
    if not 0 <= request.page_size <= MAX_PAGE:
        raise ValidationFailed(errors=[("page_size", f"is not between 1 and {MAX_PAGE}")])
    position = position_of(request, int)
    return Page(after=0 if position is None else int(position[0]), limit=request.page_size or DEFAULT_PAGE)


def cursor(message: names_pb2.Cursor) -> Cursor:
    """A position; whether there is such a one is for the log to say."""
    return Cursor(epoch=message.epoch, sequence=message.sequence)
