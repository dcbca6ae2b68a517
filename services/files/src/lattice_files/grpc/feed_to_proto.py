"""The change feed, in the words of the contracts."""

from typing import assert_never

from lattice.files.v1 import changes_service_pb2 as changes_pb
from lattice.type.v1 import names_pb2
from lattice_chassis.paging import Cursor

from lattice_files.domain.changes import (
    ArtifactArchived,
    ArtifactChanged,
    ArtifactCreated,
    Change,
    Event,
    ProposalCreated,
    ProposalResolved,
)
from lattice_files.grpc import to_proto
from lattice_files.store.feed import FeedCommit


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
        actor=to_proto.actor(found.actor),
        commit_time=to_proto.timestamp(found.commit_time),
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
                data_json=to_proto.json_text(event.data),
                proposal_id=event.proposal_id,
            )
            message.artifact_created.CopyFrom(created)
        case ArtifactChanged():
            changed = changes_pb.ArtifactChanged(
                artifact_id=event.artifact_id,
                kind=event.kind,
                version=event.version,
                patch=to_proto.patch(event.patch),
                summary=event.summary,
                proposal_id=event.proposal_id,
            )
            message.artifact_changed.CopyFrom(changed)
        case ArtifactArchived():
            archived = changes_pb.ArtifactArchived(
                artifact_id=event.artifact_id, kind=event.kind, version=event.version, proposal_id=event.proposal_id
            )
            message.artifact_archived.CopyFrom(archived)
        case ProposalCreated():
            proposed = changes_pb.ProposalCreated(
                proposal_id=event.proposal_id,
                change=to_proto.proposed_change(event.change),
                artifact_id=event.change.artifact_id,
                rationale=event.rationale,
            )
            message.proposal_created.CopyFrom(proposed)
        case ProposalResolved():
            resolved = changes_pb.ProposalResolved(
                proposal_id=event.proposal_id,
                decision=to_proto.ANSWERS[event.answer],
                proposer=to_proto.actor(event.proposer),
                artifact_id=event.artifact_id,
                changes=None if event.changes is None else to_proto.patch(event.changes),
                reason=event.reason,
                version=event.version,
            )
            message.proposal_resolved.CopyFrom(resolved)
        case unknown:
            assert_never(unknown)
