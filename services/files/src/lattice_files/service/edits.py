"""Editing: a batch of app commands makes the next version, or a proposal [F-07].

The order is the contract's: repeat, gate, rules, worker slot, lease, app, blobs, gate again, commit, release.
"""

from datetime import datetime

from lattice_chassis.telemetry import span

from lattice_files.domain import leases as rules
from lattice_files.domain.actors import Actor, Caller, authorize_write
from lattice_files.domain.artifacts import Artifact, require_current
from lattice_files.domain.changes import EditAnswer
from lattice_files.domain.commands import Edit
from lattice_files.domain.decisions import Circumstances
from lattice_files.domain.leases import LeaseKind, Tenure
from lattice_files.domain.native import require_native
from lattice_files.domain.native_decisions import batch_base, decide_edit, require_batch
from lattice_files.domain.proposals import Proposal
from lattice_files.domain.rejections import NotFound
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.domain.writes import Call, authorize_context
from lattice_files.service import batches, types
from lattice_files.service.batches import BatchJob, Made
from lattice_files.service.identifiers import new_proposal_id
from lattice_files.service.lease_counts import counting_refusals
from lattice_files.service.reads import require_proposal, require_unused_proposal
from lattice_files.service.repeats import repeatable
from lattice_files.service.resources import Resources
from lattice_files.store import artifacts, commits, fences, leases, requests
from lattice_files.store.commits import Attribution
from lattice_files.store.unit_of_work import Reading


@repeatable(EditAnswer)
async def edit(resources: Resources, call: Call, command: Edit) -> EditAnswer:
    """Apply a batch to the current version, all or nothing; refused, nothing is changed, queued or held [R-11]."""
    async with resources.unit.reading(call.scope) as reading:
        first = await requests.first_answer(reading, call, EditAnswer)
        if first is not None:
            return first
        found = await artifacts.load(reading, command.artifact_id)
    artifact = await admitted(resources, call.scope, call.caller, command, None if found is None else found.artifact)
    job, tenure, now = await job_of(resources, call.scope, call.caller.actor, command, artifact)
    with counting_refusals(LeaseKind.EDIT):
        rules.acquire(tenure, job.claimant(call), now, resources.limits.edit_lease)
    async with batches.making(resources, call, job) as made:
        switch_revision = await resources.gate.check(call.scope, artifact.kind)
        return await _commit(resources, call, command, made, switch_revision)


async def admitted(
    resources: Resources, scope: WorkspaceKey, caller: Caller, command: Edit, artifact: Artifact | None
) -> Artifact:
    """The artifact, once the gate and the caller's rights let the batch through.

    Raises:
        ValidationFailed, InvalidState, NotEnabled, PeerUnavailable, Forbidden, NotFound: in this order.
    """
    require_batch(command.commands, resources.limits)
    if artifact is not None:
        require_native(artifact.id, artifact.kind)
        await resources.gate.check(scope, artifact.kind)
    authorize_write(caller)
    authorize_context(caller, command.context)
    if artifact is None:
        raise NotFound(entity="artifact", id=command.artifact_id)
    return artifact


async def job_of(
    resources: Resources, scope: WorkspaceKey, actor: Actor, command: Edit, artifact: Artifact
) -> tuple[BatchJob, Tenure, datetime]:
    """What is to be made, who holds the file and what time it is; refused before anything is taken [CM-07]."""
    require_current(artifact, command.base_version)
    async with resources.unit.reading(scope) as reading:
        tenure, now = await leases.load(reading, artifact.id), await reading.clock()
        proposal = await _base_proposal(reading, command)
        await require_unused_proposal(reading, command.context.proposal_id)
    job = BatchJob(
        artifact=artifact,
        content=batch_base(command, artifact, proposal, actor, resources.limits),
        commands=command.commands,
        mode=command.mode,
        author=actor,
    )
    return job, tenure, now


async def _commit(
    resources: Resources, call: Call, command: Edit, made: Made, switch_revision: int | None
) -> EditAnswer:
    """Save the result if the lease and the version still hold; the lease ends in the same commit."""
    actor = call.caller.actor
    with span("commit"):
        async with resources.writing(call.scope) as work:
            first = await requests.first_answer(work, call, EditAnswer)
            if first is not None:
                return first
            await fences.hold(work, command.context.fence)
            artifact = await batches.leased_head(work, made)
            proposal = await _base_proposal(work, command)
            await require_unused_proposal(work, command.context.proposal_id)
            batch_base(command, artifact, proposal, actor, resources.limits)
            at = Circumstances(
                actor=actor,
                now=work.now,
                rules=await types.rules_of(resources, work, artifact.kind),
                proposal_id=command.context.proposal_id or new_proposal_id(),
            )
            attribution = Attribution(actor=actor, thread_id=command.context.thread_id, switch_revision=switch_revision)
            outcome = await commits.save(work, decide_edit(command, artifact, proposal, made.file, at), attribution)
            answer = EditAnswer(outcome=outcome, changed_parts=made.changed_parts)
            await requests.keep_answer(work, call, answer)
        made.lease.ended = True  # only now is it certain
        return answer


async def _base_proposal(reading: Reading, command: Edit) -> Proposal | None:
    return (await require_proposal(reading, command.base_proposal))[0] if command.base_proposal else None
