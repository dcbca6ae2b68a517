"""What requests and identities say, in the words of the domain; what does not fit is refused with its field.

The shape that the contracts themselves describe was checked before; here are the figures of their
comments. Names are checked to be of the caller's tenant, before anything is looked up [TN-01].
"""

from typing import Final, assert_never

from google.protobuf.message import Message
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.type.v1 import actor_pb2, names_pb2, text_pb2
from lattice_chassis.authorization import current_permissions
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.identity import actor_id, current_identity
from lattice_chassis.names import MAX_ID_LENGTH, ArtifactName, ProposalName, RevisionName, WorkspaceName
from lattice_chassis.paging import Cursor
from lattice_chassis.postgres.requests import identified

from lattice_files.domain.actors import Actor, ActorKind, Caller
from lattice_files.domain.apps import TextView
from lattice_files.domain.proposals import ProposalState
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.domain.writes import Call, Fence, WriteContext

MAX_RATIONALE: Final = 10_000
MAX_QUERY: Final = 500
MAX_REASON: Final = 1000
"""Characters."""

DEFAULT_PAGE: Final = 100
MAX_PAGE: Final = 500
"""Items on one page of a list."""

_LARGEST_NUMBER: Final = 2**63 - 1


def workspace(name: str) -> WorkspaceKey:
    """The workspace of a name; Forbidden where it is of another tenant than the caller's [TN-01]."""
    return _scope(WorkspaceName.of_caller(name))


def deployment() -> WorkspaceKey:
    """Where calls about the whole deployment are remembered: in the caller's tenant, in no workspace of it."""
    return WorkspaceKey(tenant=current_identity().tenant, workspace="")


def artifact(name: str) -> tuple[WorkspaceKey, str]:
    """The workspace and the id in an artifact's name."""
    parsed = ArtifactName.of_caller(name)
    return _scope(parsed), storable("name", parsed.artifact)


def revision(name: str) -> tuple[WorkspaceKey, str, int]:
    """The workspace, the artifact and the version in a revision's name."""
    parsed = RevisionName.of_caller(name)
    if not parsed.revision.isascii() or not parsed.revision.isdecimal():
        raise ValidationFailed(errors=[("name", "ends with a version in decimal")])
    return _scope(parsed), storable("name", parsed.artifact), version(int(parsed.revision)) or 0


def proposal(name: str) -> tuple[WorkspaceKey, str]:
    """The workspace and the id in a proposal's name."""
    parsed = ProposalName.of_caller(name)
    return _scope(parsed), storable("name", parsed.proposal)


def caller() -> Caller:
    """Who calls, as the verified identity says, and what it may do here [AC-03]."""
    return Caller(actor=actor(current_identity().actor), permissions=frozenset(current_permissions()))


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


def call(scope: WorkspaceKey, method: str, message: Message) -> Call:
    """A write; `message` is its body: a repeat has the same one, however it spells its request id [ID-03]."""
    request_id, digest = identified(message)
    return Call(scope=scope, caller=caller(), method=method, request_id=request_id, digest=digest)


def write_context(message: artifacts_pb.WriteContext) -> WriteContext:
    """What a write says beside its change."""
    return WriteContext(
        thread_id=text("context.thread_id", message.thread_id, MAX_ID_LENGTH),
        proposal_id=chosen_id("context.proposal_id", message.proposal_id),
        must_propose=message.must_propose,
        fence=fence(message.fence, "context.fence") if message.HasField("fence") else None,
        rationale=text("context.rationale", message.rationale, MAX_RATIONALE),
    )


def fence(message: names_pb2.Fence, field: str = "fence") -> Fence:
    """A fence."""
    scope = text(f"{field}.scope", message.scope, MAX_ID_LENGTH)
    return Fence(scope=scope, token=positive(f"{field}.token", message.token))


def cursor(message: names_pb2.Cursor) -> Cursor:
    """A position; whether there is such a one is for the store to say."""
    return Cursor(epoch=message.epoch, sequence=message.sequence)


def version(number: int) -> int | None:
    """A version; 0 stands for the current one."""
    return positive("version", number) if number else None


def token(number: int) -> int:
    """A lease's token."""
    return positive("token", number)


def page_size(asked: int, *, default: int = DEFAULT_PAGE) -> int:
    """How many items a page may have."""
    return bounded("page_size", asked, 1, MAX_PAGE, default)


def bounded(field: str, asked: int, least: int, most: int, default: int) -> int:
    """A number with limits; 0 stands for the default."""
    if not asked:
        return default
    if not least <= asked <= most:
        raise ValidationFailed(errors=[(field, f"is not {least} to {most}")])
    return asked


def text_view(view: text_pb2.TextView.ValueType) -> TextView:
    """In which view a text is read."""
    match view:
        case text_pb2.TEXT_VIEW_UNSPECIFIED | text_pb2.TEXT_VIEW_FINAL:
            return TextView.FINAL
        case text_pb2.TEXT_VIEW_ORIGINAL:
            return TextView.ORIGINAL
        case _:  # an enumeration of proto3 is open
            raise ValidationFailed(errors=[("view", "is no view of a text")])


def start(number: int) -> int:
    """Where to read from [F-15]."""
    if number < 0:
        raise ValidationFailed(errors=[("start", "is negative")])
    return number


def text(field: str, value: str, longest: int) -> str:
    """A text of at most `longest` characters that the database can hold."""
    if len(value) > longest:
        raise ValidationFailed(errors=[(field, f"has more than {longest} characters")])
    return storable(field, value)


def chosen_id(field: str, value: str) -> str:
    """An id that a caller chose, or nothing; it becomes a part of a name [VO-08]."""
    if "/" in value:
        raise ValidationFailed(errors=[(field, "has a slash")])
    return text(field, value, MAX_ID_LENGTH)


def proposal_state(state: proposals_pb.ProposalState.ValueType) -> ProposalState | None:
    """The state to list; None for all."""
    match state:
        case proposals_pb.PROPOSAL_STATE_UNSPECIFIED:
            return None
        case proposals_pb.PROPOSAL_STATE_PENDING:
            return ProposalState.PENDING
        case proposals_pb.PROPOSAL_STATE_ACCEPTED:
            return ProposalState.ACCEPTED
        case proposals_pb.PROPOSAL_STATE_REJECTED:
            return ProposalState.REJECTED
        case proposals_pb.PROPOSAL_STATE_WITHDRAWN:
            return ProposalState.WITHDRAWN
        case _:  # an enumeration of proto3 is open
            raise ValidationFailed(errors=[("state", "is unknown")])


def positive(field: str, number: int) -> int:
    """A number from 1 on that the database can hold."""
    if not 1 <= number <= _LARGEST_NUMBER:
        raise ValidationFailed(errors=[(field, "is not 1 or more")])
    return number


def storable(field: str, value: str) -> str:
    """A text that the database can hold."""
    if "\0" in value:
        raise ValidationFailed(errors=[(field, "has a NUL character")])
    return value


def _scope(name: WorkspaceName) -> WorkspaceKey:
    return WorkspaceKey(tenant=name.tenant, workspace=storable("workspace", name.workspace))
