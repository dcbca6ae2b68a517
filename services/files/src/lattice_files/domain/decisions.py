"""How native files change: values in, a decision or a rejection out [WP-06].

Which request it is, who may write and whether the app is on was settled before; that a lease holds
is settled beside these, in the same transaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from lattice_files.domain.actors import Actor
from lattice_files.domain.apps import CommandCall
from lattice_files.domain.artifacts import Artifact
from lattice_files.domain.changes import Decision, decide_creation, decide_new_data, decide_proposal, superseding
from lattice_files.domain.commands import CheckIn, Edit, Upload
from lattice_files.domain.limits import Limits
from lattice_files.domain.native import NativeFile, check_in_summary, native_file
from lattice_files.domain.proposals import (
    Proposal,
    ProposalState,
    ProposedBatch,
    ProposedChange,
    ProposedCreation,
    WritePolicy,
    base_of_next_batch,
    must_propose,
)
from lattice_files.domain.rejections import AppRefused, ValidationFailed
from lattice_files.domain.writes import WriteContext


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """What a decision depends on beside the command and what it is about."""

    actor: Actor
    policy: WritePolicy
    now: datetime
    proposal_id: str
    """For the proposal, if there will be one [CM-02]."""


def decide_upload(command: Upload, kind: str, file: NativeFile, at: Circumstances) -> Decision:
    """Create the artifact, or propose to [F-01]."""
    if must_propose(at.actor, at.policy, asked=command.context.must_propose):
        creation = ProposedCreation(artifact_id=command.artifact_id, kind=kind, data=file.to_data())
        return decide_proposal(_proposal(creation, command.context, at))
    artifact = Artifact(
        id=command.artifact_id,
        kind=kind,
        version=1,
        data=file.to_data(),
        updated_by=at.actor,
        update_time=at.now,
    )
    return decide_creation(artifact, f"uploaded {file.name}")


def decide_check_in(command: CheckIn, artifact: Artifact, file: NativeFile, at: Circumstances) -> Decision:
    """Make the file the newest version; a person's change, so no policy asks [F-04]."""
    summary = command.summary or check_in_summary(native_file(artifact), file.size)
    return decide_new_data(artifact, file.to_data(), summary, at.actor, at.now)


def require_batch(commands: Sequence[CommandCall], limits: Limits) -> None:
    """Let a batch through that is neither empty nor too large [L-06].

    Raises:
        ValidationFailed: it is.
    """
    if not 1 <= len(commands) <= limits.batch_commands:
        raise ValidationFailed(errors=[("commands", f"are {len(commands)}, not 1 to {limits.batch_commands}")])
    size = sum(len(it.arguments_json.encode()) for it in commands)
    if size > limits.batch_bytes:
        raise ValidationFailed(errors=[("commands", f"have {size} bytes of arguments, over {limits.batch_bytes}")])


def batch_base(
    command: Edit, artifact: Artifact, proposal: Proposal | None, actor: Actor, limits: Limits
) -> NativeFile:
    """The content that an edit's batch is applied to: the current one, or that of one's own proposal [F-11].

    Raises:
        Forbidden, InvalidState, ProposalStale: the proposal is none to build on.
        ValidationFailed: the two batches together are too large, or of two modes.
    """
    if proposal is None:
        return native_file(artifact)
    base = base_of_next_batch(proposal, artifact, actor)
    if base.mode is not command.mode:
        raise ValidationFailed(errors=[("mode", f"the proposal's batch is {base.mode.value}")])
    require_batch((*base.commands, *command.commands), limits)
    return NativeFile.of(base.result)


def decide_edit(
    command: Edit, artifact: Artifact, base: Proposal | None, produced: NativeFile, at: Circumstances
) -> Decision:
    """Apply the batch's result, or propose it; a proposal that it was built on is taken back [F-07, F-11].

    Raises:
        AppRefused: the batch left the content as it was [F-10].
    """
    current = native_file(artifact)
    if produced.digest == current.digest:
        raise AppRefused(why="the batch would change nothing")
    asked = command.context.must_propose or base is not None
    if not must_propose(at.actor, at.policy, asked=asked):
        return decide_new_data(artifact, produced.to_data(), command.summary, at.actor, at.now)
    earlier = base.change.commands if base is not None and isinstance(base.change, ProposedBatch) else ()
    batch = ProposedBatch(
        artifact_id=artifact.id,
        base_version=artifact.version,
        base_digest=current.digest,
        commands=(*earlier, *command.commands),
        mode=command.mode,
        summary=command.summary,
        result=produced.to_data(),
    )
    decision = decide_proposal(_proposal(batch, command.context, at))
    return decision if base is None else superseding(decision, base, at.actor)


def _proposal(change: ProposedChange, context: WriteContext, at: Circumstances) -> Proposal:
    return Proposal(
        id=at.proposal_id,
        change=change,
        proposer=at.actor,
        rationale=context.rationale,
        state=ProposalState.PENDING,
        thread_id=context.thread_id or at.actor.thread_id,
        create_time=at.now,
    )
