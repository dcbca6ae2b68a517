"""What every write says beside its change: who asks, under which request, in which context."""

from dataclasses import dataclass

from lattice_files.domain.actors import ActorKind, Caller
from lattice_files.domain.rejections import Forbidden
from lattice_files.domain.workspaces import WorkspaceKey


@dataclass(frozen=True, kw_only=True)
class Call:
    """A write as it reached the service; a repeat of its request is answered as the first was [ID-03]."""

    scope: WorkspaceKey
    caller: Caller
    method: str
    """The full name of the RPC."""
    request_id: str
    """A UUID."""
    digest: bytes
    """Of the request's body, an upload's content included; another one under the same id is refused."""


@dataclass(frozen=True, kw_only=True)
class Fence:
    """Keeps out an overtaken writer: a lower token than one seen before in the scope is refused [MP-21]."""

    scope: str
    token: int


@dataclass(frozen=True, kw_only=True)
class WriteContext:
    """What a write to artifacts says of itself."""

    thread_id: str = ""
    proposal_id: str = ""
    """The id of the proposal if the change becomes one; empty, one is made."""
    must_propose: bool = False
    fence: Fence | None = None
    rationale: str = ""


def authorize_fence(caller: Caller, fence: Fence | None) -> None:
    """Let a thread's own agent, and the system, raise its fence: anybody else could shut the agent out [MP-21, MP-32].

    Without a fence there is nothing to ask.

    Raises:
        Forbidden: the scope is not the caller's.
    """
    actor = caller.actor
    if fence is not None and actor.kind is not ActorKind.SYSTEM and actor.thread_id != fence.scope:
        raise Forbidden(why=f"the fence {fence.scope} belongs to its thread's agent")
