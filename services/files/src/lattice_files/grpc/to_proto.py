"""What the domain answers, in the words of the contracts."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Final, TypeVar, assert_never

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.type.v1 import actor_pb2, errors_pb2
from lattice_chassis.names import ArtifactName, ProposalName
from lattice_chassis.server import MAX_MESSAGE_BYTES

from lattice_files.domain.actors import Actor, ActorKind
from lattice_files.domain.apps import CommandCall
from lattice_files.domain.artifacts import Artifact, Revision
from lattice_files.domain.changes import (
    Applied,
    Outcome,
    Proposed,
    Resolved,
)
from lattice_files.domain.commands import CheckOut
from lattice_files.domain.json_data import Data
from lattice_files.domain.kinds import ArtifactType, NativeKind, native_schema
from lattice_files.domain.leases import BrokenCheckOut, Lease, LeaseKind
from lattice_files.domain.patches import JsonPatch, Patch
from lattice_files.domain.policies import WritePolicy
from lattice_files.domain.proposals import (
    Answer,
    ProposalState,
    ProposedArchiving,
    ProposedBatch,
    ProposedChange,
    ProposedCreation,
    ProposedEdit,
)
from lattice_files.domain.schemas import Schema
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.service.reads import ProposalView

_Message = TypeVar("_Message", bound=Message)
_PAGE_BYTES: Final = MAX_MESSAGE_BYTES * 3 // 4
_STATES: Final = {
    ProposalState.PENDING: proposals_pb.PROPOSAL_STATE_PENDING,
    ProposalState.ACCEPTED: proposals_pb.PROPOSAL_STATE_ACCEPTED,
    ProposalState.REJECTED: proposals_pb.PROPOSAL_STATE_REJECTED,
    ProposalState.WITHDRAWN: proposals_pb.PROPOSAL_STATE_WITHDRAWN,
}
ANSWERS: Final = {
    Answer.ACCEPT: artifacts_pb.PROPOSAL_DECISION_ACCEPT,
    Answer.REJECT: artifacts_pb.PROPOSAL_DECISION_REJECT,
    Answer.WITHDRAW: artifacts_pb.PROPOSAL_DECISION_WITHDRAW,
}
_POLICIES: Final = {
    WritePolicy.DIRECT: artifacts_pb.WRITE_POLICY_DIRECT,
    WritePolicy.PROPOSE: artifacts_pb.WRITE_POLICY_PROPOSE,
}
_LEASE_KINDS: Final = {
    LeaseKind.CHECKOUT: errors_pb2.LEASE_KIND_CHECKOUT,
    LeaseKind.EDIT: errors_pb2.LEASE_KIND_EDIT,
}


def fitting(messages: Iterable[_Message]) -> list[_Message]:
    """As many of the messages, from the first on, as one answer can carry; one at the least."""
    fits: list[_Message] = []
    size = 0
    for message in messages:
        size += message.ByteSize()
        if fits and size > _PAGE_BYTES:
            break
        fits.append(message)
    return fits


def actor(participant: Actor) -> actor_pb2.Actor:
    """A participant."""
    match participant.kind:
        case ActorKind.USER:
            return actor_pb2.Actor(user=actor_pb2.UserActor(id=participant.id, name=participant.name))
        case ActorKind.AGENT:
            agent = actor_pb2.AgentActor(thread_id=participant.id, run_id=participant.run_id, name=participant.name)
            return actor_pb2.Actor(agent=agent)
        case ActorKind.EXTERNAL_AGENT:
            external = actor_pb2.ExternalAgentActor(client_id=participant.id, name=participant.name)
            return actor_pb2.Actor(external_agent=external)
        case ActorKind.SYSTEM:
            return actor_pb2.Actor(system=actor_pb2.SystemActor(name=participant.id))
        case unknown:
            assert_never(unknown)


def timestamp(time: datetime) -> Timestamp:
    """A time of the database."""
    stamp = Timestamp()
    stamp.FromDatetime(time)
    return stamp


def artifact_type(found: ArtifactType | NativeKind) -> artifacts_pb.ArtifactType:
    """A kind, registered or an app's."""
    registered = isinstance(found, ArtifactType)
    schema = found.schema if isinstance(found, ArtifactType) else native_schema(found.format)
    return artifacts_pb.ArtifactType(
        kind=found.kind,
        schema_json=json_text(schema),
        write_policy=_POLICIES[found.policy],
        schema_revision=found.revision if isinstance(found, ArtifactType) else 0,
        is_text=registered and Schema.of(schema).is_text,
    )


def artifact_name(scope: WorkspaceKey, artifact_id: str) -> str:
    """The resource name of an artifact."""
    return str(ArtifactName(scope.tenant, scope.workspace, artifact_id))


def artifact(scope: WorkspaceKey, found: Artifact) -> artifacts_pb.Artifact:
    """An artifact at one version."""
    return artifacts_pb.Artifact(
        name=artifact_name(scope, found.id),
        artifact_id=found.id,
        kind=found.kind,
        version=found.version,
        data_json=json_text(found.data),
        updated_by=actor(found.updated_by),
        update_time=timestamp(found.update_time),
        archived=found.archived,
    )


def revision(scope: WorkspaceKey, found: Revision) -> artifacts_pb.Revision:
    """An applied change."""
    return artifacts_pb.Revision(
        artifact=artifact(scope, found.artifact),
        patch=None if found.patch is None else patch(found.patch),
        summary=found.summary,
        proposal_id=found.proposal_id,
        trace_id=found.trace_id,
        switch_revision=found.switch_revision,
    )


def outcome(done: Outcome) -> artifacts_pb.Outcome:
    """What a write did."""
    message = artifacts_pb.Outcome(change_sequence=done.change_sequence)
    match done.result:
        case Applied(artifact_id=artifact_id, version=version):
            message.applied.artifact_id, message.applied.version = artifact_id, version
        case Proposed(proposal_id=proposal_id, artifact_id=artifact_id):
            message.proposed.proposal_id, message.proposed.artifact_id = proposal_id, artifact_id
        case Resolved(proposal_id=proposal_id, answer=answer, version=version):
            message.resolved.proposal_id, message.resolved.decision = proposal_id, ANSWERS[answer]
            message.resolved.version = version
        case unknown:
            assert_never(unknown)
    return message


def proposal(scope: WorkspaceKey, view: ProposalView) -> proposals_pb.Proposal:
    """A proposal as it stands."""
    found = view.proposal
    return proposals_pb.Proposal(
        name=str(ProposalName(scope.tenant, scope.workspace, found.id)),
        proposal_id=found.id,
        change=proposed_change(found.change),
        proposer=actor(found.proposer),
        rationale=found.rationale,
        state=_STATES[found.state],
        stale=view.stale,
        thread_id=found.thread_id,
        create_time=timestamp(found.create_time),
        resolver=None if found.resolver is None else actor(found.resolver),
        reason=found.reason,
    )


def check_out(scope: WorkspaceKey, lent: CheckOut) -> native_pb.CheckOut:
    """A check-out, with its token."""
    return native_pb.CheckOut(
        name=artifact_name(scope, lent.artifact_id),
        token=lent.token,
        base_version=lent.base_version,
        expire_time=timestamp(lent.expires_at),
    )


def broken_check_out(scope: WorkspaceKey, broken: BrokenCheckOut) -> native_pb.BrokenCheckOut:
    """A check-out that was broken."""
    return native_pb.BrokenCheckOut(
        lease=lease(scope, broken.artifact_id, broken.lease),
        breaker=actor(broken.breaker),
        reason=broken.reason,
        break_time=timestamp(broken.broken_at),
    )


def lease(scope: WorkspaceKey, artifact_id: str, held: Lease) -> native_pb.Lease:
    """Who holds a file; it never tells the token."""
    return native_pb.Lease(
        name=artifact_name(scope, artifact_id),
        kind=_LEASE_KINDS[held.kind],
        holder=actor(held.holder),
        base_version=held.base_version,
        acquire_time=timestamp(held.acquired_at),
        expire_time=timestamp(held.expires_at),
    )


def proposed_change(change: ProposedChange) -> proposals_pb.ProposedChange:
    """The change that a proposal wraps."""
    match change:
        case ProposedCreation():
            creation = proposals_pb.ProposedCreation(
                artifact_id=change.artifact_id, kind=change.kind, data_json=json_text(change.data)
            )
            return proposals_pb.ProposedChange(create=creation)
        case ProposedEdit():
            edit = proposals_pb.ProposedEdit(
                artifact_id=change.artifact_id,
                base_version=change.base_version,
                patch=patch(change.patch),
                summary=change.summary,
            )
            return proposals_pb.ProposedChange(edit=edit)
        case ProposedArchiving():
            archiving = proposals_pb.ProposedArchiving(artifact_id=change.artifact_id, base_version=change.base_version)
            return proposals_pb.ProposedChange(archive=archiving)
        case ProposedBatch():
            batch = proposals_pb.ProposedBatch(
                artifact_id=change.artifact_id,
                base_version=change.base_version,
                base_sha256=change.base_digest,
                commands_json=json.dumps([_command(it) for it in change.commands], ensure_ascii=False),
                summary=change.summary,
            )
            return proposals_pb.ProposedChange(batch=batch)
        case unknown:
            assert_never(unknown)


def patch(change: Patch) -> artifacts_pb.Patch:
    """A patch of either kind."""
    if isinstance(change, JsonPatch):
        return artifacts_pb.Patch(json_patch=json.dumps(change.operations, ensure_ascii=False))
    edits = [artifacts_pb.TextEdit(old=it.old, new=it.new) for it in change.edits]
    return artifacts_pb.Patch(text_edits=artifacts_pb.TextEdits(field=change.field, edits=edits))


def json_text(data: Data) -> str:
    """Data as JSON text, in the order of their keys."""
    return json.dumps(data, ensure_ascii=False)


def _command(call: CommandCall) -> dict[str, object]:
    return {"command": call.command, "arguments": json.loads(call.arguments_json or "{}")}
