"""Writing artifacts by patches: create, edit, archive, restore, or propose any of them.

Each is one command: repeat, kind, gate, authorize, then one transaction with the rules [WP-01 to WP-04].
Of native files these change the name, archive, or bring a revision's content back.
"""

from dataclasses import replace

from lattice_chassis.telemetry import span

from lattice_files.domain import leases as lease_rules
from lattice_files.domain.actors import authorize_write
from lattice_files.domain.artifacts import Artifact
from lattice_files.domain.changes import Outcome
from lattice_files.domain.commands import Restore
from lattice_files.domain.decisions import Circumstances, decide_change
from lattice_files.domain.native import is_native
from lattice_files.domain.native_decisions import restoring
from lattice_files.domain.proposals import ProposedArchiving, ProposedChange, ProposedCreation, ProposedEdit
from lattice_files.domain.rejections import NotFound, ValidationFailed
from lattice_files.domain.writes import Call, WriteContext, authorize_context
from lattice_files.service import types
from lattice_files.service.identifiers import new_artifact_id, new_proposal_id
from lattice_files.service.reads import require_artifact, require_unused_proposal
from lattice_files.service.repeats import repeatable
from lattice_files.service.resources import Resources
from lattice_files.store import artifacts, commits, fences, leases, requests
from lattice_files.store.commits import Attribution
from lattice_files.store.unit_of_work import Reading, Work

Command = ProposedCreation | ProposedEdit | ProposedArchiving | Restore
"""What may be asked for; a restore becomes the edit that it amounts to once the artifact is locked."""


@repeatable(Outcome)
async def change_artifact(resources: Resources, call: Call, command: Command, context: WriteContext) -> Outcome:
    """Do what the command says, or propose it; refused, nothing is changed or queued."""
    if isinstance(command, ProposedCreation):
        command = replace(command, artifact_id=command.artifact_id or new_artifact_id())
    async with resources.unit.reading(call.scope) as reading:
        first = await requests.first_answer(reading, call, Outcome)
        if first is not None:
            return first
        kind = await _kind_written(resources, reading, command)
    switch_revision = None if kind is None else await resources.gate.check(call.scope, kind)
    authorize_write(call.caller)
    authorize_context(call.caller, context)
    if kind is None:
        raise NotFound(entity="artifact", id=command.artifact_id)
    if isinstance(command, ProposedCreation) and is_native(kind):
        raise ValidationFailed(errors=[("kind", "is made by uploading a file")])
    with span("commit"):
        async with resources.writing(call.scope) as work:
            first = await requests.first_answer(work, call, Outcome)
            if first is not None:
                return first
            await fences.hold(work, context.fence)
            head = await writable_head(work, command.artifact_id)
            await require_unused_proposal(work, context.proposal_id)
            at = Circumstances(
                actor=call.caller.actor,
                now=work.now,
                rules=await types.rules_of(resources, work, kind),
                proposal_id=context.proposal_id or new_proposal_id(),
            )
            decision = decide_change(await _change(work, command, head), head, context, at)
            attribution = Attribution(actor=at.actor, thread_id=context.thread_id, switch_revision=switch_revision)
            outcome = await commits.save(work, decision, attribution)
            await requests.keep_answer(work, call, outcome)
            return outcome


async def writable_head(work: Work, artifact_id: str) -> Artifact | None:
    """What stands now, for a write that holds no lease; None where there is nothing yet.

    Raises:
        ArtifactBusy: a lease on the native file lives, whoever's [L-08].
    """
    found = await artifacts.load(work, artifact_id)
    if found is None:
        return None
    if is_native(found.artifact.kind):
        lease_rules.require_free(await leases.load(work, artifact_id), work.now)
    return found.artifact


async def _kind_written(resources: Resources, reading: Reading, command: Command) -> str | None:
    """The kind that the gate is asked about; None for an artifact that is not there."""
    if not isinstance(command, ProposedCreation):
        return await artifacts.load_kind(reading, command.artifact_id)
    types.require_allowed(resources, command.kind)
    await types.rules_of(resources, reading, command.kind)  # an unknown kind is refused before the gate [WP-03]
    return command.kind


async def _change(work: Work, command: Command, head: Artifact | None) -> ProposedChange:
    if not isinstance(command, Restore):
        return command
    if head is None:
        raise NotFound(entity="artifact", id=command.artifact_id)
    return restoring(command, head, await require_artifact(work, command.artifact_id, command.version))
