"""What the domain answers, in the words of the contracts."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Final, TypeVar, assert_never

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.type.v1 import actor_pb2, errors_pb2, names_pb2
from lattice_chassis.names import ArtifactName, ProposalName
from lattice_chassis.paging import Cursor
from lattice_chassis.server import MAX_MESSAGE_BYTES

from lattice_files.domain.actors import Actor, ActorKind
from lattice_files.domain.apps import CommandCall
from lattice_files.domain.artifacts import Artifact, Revision
from lattice_files.domain.changes import (
    Applied,
    ArtifactChanged,
    ArtifactCreated,
    Change,
    Event,
    Outcome,
    ProposalCreated,
    ProposalResolved,
    Proposed,
)
from lattice_files.domain.commands import CheckOut
from lattice_files.domain.leases import Lease, LeaseKind
from lattice_files.domain.patches import Data, JsonPatch
from lattice_files.domain.proposals import Answer, ProposalState, ProposedBatch, ProposedChange, ProposedCreation
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.service.reads import ProposalView
from lattice_files.store.feed import FeedCommit

_Message = TypeVar("_Message", bound=Message)
_PAGE_BYTES: Final = MAX_MESSAGE_BYTES * 3 // 4
_STATES: Final = {
    ProposalState.PENDING: proposals_pb.PROPOSAL_STATE_PENDING,
    ProposalState.ACCEPTED: proposals_pb.PROPOSAL_STATE_ACCEPTED,
    ProposalState.REJECTED: proposals_pb.PROPOSAL_STATE_REJECTED,
    ProposalState.WITHDRAWN: proposals_pb.PROPOSAL_STATE_WITHDRAWN,
}
_ANSWERS: Final = {
    Answer.ACCEPT: artifacts_pb.PROPOSAL_DECISION_ACCEPT,
    Answer.REJECT: artifacts_pb.PROPOSAL_DECISION_REJECT,
    Answer.WITHDRAW: artifacts_pb.PROPOSAL_DECISION_WITHDRAW,
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
        data_json=_json(found.data),
        updated_by=actor(found.updated_by),
        update_time=timestamp(found.update_time),
        archived=found.archived,
    )


def revision(scope: WorkspaceKey, found: Revision) -> artifacts_pb.Revision:
    """An applied change."""
    return artifacts_pb.Revision(
        artifact=artifact(scope, found.artifact),
        patch=None if found.patch is None else _patch(found.patch),
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
        case unknown:
            assert_never(unknown)
    return message


def proposal(scope: WorkspaceKey, view: ProposalView) -> proposals_pb.Proposal:
    """A proposal as it stands."""
    found = view.proposal
    return proposals_pb.Proposal(
        name=str(ProposalName(scope.tenant, scope.workspace, found.id)),
        proposal_id=found.id,
        change=_proposed_change(found.change),
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


def cursor(position: Cursor) -> names_pb2.Cursor:
    """A position in the feed."""
    return names_pb2.Cursor(epoch=position.epoch, sequence=position.sequence)


def commit(found: FeedCommit) -> changes_pb.Commit:
    """The changes of one transaction."""
    return changes_pb.Commit(commit_id=found.commit_id, changes=map(_change, found.changes))


def _change(found: Change) -> changes_pb.Change:
    message = changes_pb.Change(
        change_sequence=found.change_sequence,
        change_id=found.change_id,
        actor=actor(found.actor),
        commit_time=timestamp(found.commit_time),
        thread_id=found.thread_id,
        run_id=found.run_id,
        traceparent=found.traceparent,
    )
    _set_event(message, found.event)
    return message


def _set_event(message: changes_pb.Change, event: Event) -> None:
    match event:
        case ArtifactCreated():
            created = changes_pb.ArtifactCreated(
                artifact_id=event.artifact_id,
                kind=event.kind,
                version=event.version,
                data_json=_json(event.data),
                proposal_id=event.proposal_id,
            )
            message.artifact_created.CopyFrom(created)
        case ArtifactChanged():
            changed = changes_pb.ArtifactChanged(
                artifact_id=event.artifact_id,
                kind=event.kind,
                version=event.version,
                patch=_patch(event.patch),
                summary=event.summary,
                proposal_id=event.proposal_id,
            )
            message.artifact_changed.CopyFrom(changed)
        case ProposalCreated():
            proposed = changes_pb.ProposalCreated(
                proposal_id=event.proposal_id,
                change=_proposed_change(event.change),
                artifact_id=event.change.artifact_id,
                rationale=event.rationale,
            )
            message.proposal_created.CopyFrom(proposed)
        case ProposalResolved():
            resolved = changes_pb.ProposalResolved(
                proposal_id=event.proposal_id,
                decision=_ANSWERS[event.answer],
                proposer=actor(event.proposer),
                artifact_id=event.artifact_id,
            )
            message.proposal_resolved.CopyFrom(resolved)
        case unknown:
            assert_never(unknown)


def _proposed_change(change: ProposedChange) -> proposals_pb.ProposedChange:
    match change:
        case ProposedCreation():
            creation = proposals_pb.ProposedCreation(
                artifact_id=change.artifact_id, kind=change.kind, data_json=_json(change.data)
            )
            return proposals_pb.ProposedChange(create=creation)
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


def _command(call: CommandCall) -> dict[str, object]:
    return {"command": call.command, "arguments": json.loads(call.arguments_json or "{}")}


def _patch(patch: JsonPatch) -> artifacts_pb.Patch:
    return artifacts_pb.Patch(json_patch=json.dumps(patch.operations, ensure_ascii=False))


def _json(data: Data) -> str:
    return json.dumps(data, ensure_ascii=False)
