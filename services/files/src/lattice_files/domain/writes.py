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


def authorize_context(caller: Caller, context: WriteContext) -> None:
    """Let a write say of itself what its caller may say: a thread's agent writes in its own thread alone [SE-08].

    That is the thread of its delegation, which names the run too: the record of one thread is nothing for another to
    write in. Without a thread the write is in the agent's own; to anybody else threads are words.

    Raises:
        Forbidden: the thread, or the scope of the fence, is not the caller's.
    """
    own = caller.actor.thread_id
    if own and context.thread_id not in {"", own}:
        raise Forbidden(why=f"an agent writes in its own thread, and not in {context.thread_id}")
    authorize_fence(caller, context.fence)


def authorize_fence(caller: Caller, fence: Fence | None) -> None:
    """Let a thread's own agent, and the system, raise its fence: anybody else could shut the agent out [MP-21, MP-32].

    Without a fence there is nothing to ask.

    Raises:
        Forbidden: the scope is not the caller's.
    """
    actor = caller.actor
    if fence is not None and actor.kind is not ActorKind.SYSTEM and actor.thread_id != fence.scope:
        raise Forbidden(why=f"the fence {fence.scope} belongs to its thread's agent")
