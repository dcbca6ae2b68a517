"""How the content of native files changes: values in, a decision or a rejection out [WP-06].

That a lease holds is settled beside these, in the same transaction.
"""

from collections.abc import Sequence
from dataclasses import replace

from lattice_files.domain.actors import Actor
from lattice_files.domain.apps import ChangeMode, CommandCall
from lattice_files.domain.artifacts import Artifact, Revision, require_current
from lattice_files.domain.changes import Decision
from lattice_files.domain.commands import CheckIn, Edit, Restore, Upload
from lattice_files.domain.decisions import Circumstances, decide_change, decide_new_data, decide_withdrawal
from lattice_files.domain.limits import Limits
from lattice_files.domain.native import NativeFile, check_in_summary, is_native, native_file
from lattice_files.domain.patches import difference
from lattice_files.domain.proposals import (
    Proposal,
    ProposedBatch,
    ProposedChange,
    ProposedCreation,
    ProposedEdit,
    base_of_next_batch,
)
from lattice_files.domain.rejections import AppRefused, PatchFailed, ValidationFailed


def decide_upload(command: Upload, kind: str, file: NativeFile, head: Artifact | None, at: Circumstances) -> Decision:
    """Create the artifact, or propose to [F-01].

    Raises:
        InvalidState: its id was used before, whatever became of what it named [ID-01].
    """
    creation = ProposedCreation(artifact_id=command.artifact_id, kind=kind, data=file.to_data())
    return decide_change(creation, head, command.context, at)


def decide_check_in(command: CheckIn, artifact: Artifact, file: NativeFile, at: Circumstances) -> Decision:
    """Make the file the newest version; a person's change, so no policy asks [F-04]."""
    summary = command.summary or check_in_summary(native_file(artifact), file.size)
    return decide_new_data(artifact, file.to_data(), summary, at)


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
    earlier = base.change.commands if base is not None and isinstance(base.change, ProposedBatch) else ()
    batch = ProposedBatch(
        artifact_id=artifact.id,
        base_version=command.base_version,
        base_digest=current.digest,
        commands=(*earlier, *command.commands),
        mode=command.mode,
        summary=command.summary,
        result=produced.to_data(),
    )
    if base is None:
        return decide_change(batch, artifact, command.context, at)
    proposed = decide_change(batch, artifact, replace(command.context, must_propose=True), at)
    withdrawn = decide_withdrawal(base, at.actor)
    return replace(
        proposed,
        events=(*withdrawn.events, *proposed.events),
        proposals=(*withdrawn.proposals, *proposed.proposals),
    )


def restoring(command: Restore, head: Artifact, revision: Revision) -> ProposedChange:
    """The change that brings a revision's data back; of a native file its content, under the name it has now [F-18].

    Raises:
        VersionConflict, InvalidState: another version stands, or the artifact is archived.
        PatchFailed: nothing would change [AT-12].
    """
    require_current(head, command.base_version)
    before, after = head.data, revision.artifact.data
    summary = command.summary or f"restored version {command.version}"
    if not is_native(head.kind):
        patch = difference(before, after)
        if not patch.operations:
            raise PatchFailed(why=f"version {command.version} has the data that stand now")
        return ProposedEdit(artifact_id=head.id, base_version=head.version, patch=patch, summary=summary)
    current = native_file(head)
    if current.digest == NativeFile.of(after).digest:
        raise PatchFailed(why=f"version {command.version} has the content that stands now")
    return ProposedBatch(
        artifact_id=head.id,
        base_version=head.version,
        base_digest=current.digest,
        commands=(),
        mode=ChangeMode.BY_AUTHOR,
        summary=summary,
        result=after,
    )
