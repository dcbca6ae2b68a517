"""Writes to artifacts and proposals, and what files answers them, as the contract has them."""

import json
from typing import assert_never

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice.type.v1 import names_pb2

from artifactr.core.changes import ArchiveArtifact, Change, CreateArtifact, EditArtifact
from artifactr.core.outcomes import Applied, Outcome, Proposed, Resolved
from artifactr.core.patches import JsonPatch, Patch, TextEdits
from artifactr.ports import Write
from artifactr.wire.enums import DECISION_OF


def context(write: Write, *, proposal_id: str = "") -> artifacts_pb.WriteContext:
    """What the write says beside its change."""
    fence = None if write.fence is None else names_pb2.Fence(scope=write.fence.scope, token=write.fence.token)
    return artifacts_pb.WriteContext(
        request_id=write.request_id,
        thread_id=write.thread_id,
        proposal_id=proposal_id,
        must_propose=write.must_propose,
        fence=fence,
        rationale=write.rationale,
    )


def patch(it: Patch) -> artifacts_pb.Patch:
    """A patch of either kind [AT-10]."""
    match it:
        case JsonPatch():
            return artifacts_pb.Patch(json_patch=json.dumps(list(it.operations), ensure_ascii=False))
        case TextEdits():
            edits = [artifacts_pb.TextEdit(old=edit.old, new=edit.new) for edit in it.edits]
            return artifacts_pb.Patch(text_edits=artifacts_pb.TextEdits(field=it.field, edits=edits))
        case _:
            assert_never(it)


def proposed_change(change: Change) -> proposals_pb.ProposedChange:
    """A change as a proposal wraps it."""
    match change:
        case CreateArtifact():
            return proposals_pb.ProposedChange(
                create=proposals_pb.ProposedCreation(
                    artifact_id=change.artifact_id, kind=change.kind, data_json=data(change)
                )
            )
        case EditArtifact():
            return proposals_pb.ProposedChange(
                edit=proposals_pb.ProposedEdit(
                    artifact_id=change.artifact_id,
                    base_version=change.base_version,
                    patch=patch(change.patch),
                    summary=change.summary,
                )
            )
        case ArchiveArtifact():
            archived = proposals_pb.ProposedArchiving(artifact_id=change.artifact_id, base_version=change.base_version)
            return proposals_pb.ProposedChange(archive=archived)
        case _:
            assert_never(change)


def data(creation: CreateArtifact) -> str:
    """The data of a new artifact as JSON text."""
    return json.dumps(creation.data, ensure_ascii=False)


def outcome(message: artifacts_pb.Outcome) -> Outcome:
    """What a change did; ValueError where the answer tells of none."""
    match message.WhichOneof("result"):
        case "applied":
            return Applied(
                artifact_id=message.applied.artifact_id,
                version=message.applied.version,
                change_sequence=message.change_sequence,
            )
        case "proposed":
            return proposed(message)
        case other:
            raise ValueError(f"files answered a change with the outcome {other}")


def proposed(message: artifacts_pb.Outcome) -> Proposed:
    """The proposal that a change became."""
    return Proposed(
        proposal_id=message.proposed.proposal_id,
        artifact_id=message.proposed.artifact_id,
        change_sequence=message.change_sequence,
    )


def resolved(message: artifacts_pb.Outcome) -> Resolved:
    """How a proposal was answered."""
    return Resolved(
        proposal_id=message.resolved.proposal_id,
        decision=DECISION_OF[message.resolved.decision],
        version=message.resolved.version,
        change_sequence=message.change_sequence,
    )
