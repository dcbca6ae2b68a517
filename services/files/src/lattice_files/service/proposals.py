"""Answering proposals: accept, reject, withdraw [PR-04 to PR-09, F-11, F-12].

Accepting is a change like any other: gated, and kept out by leases. The others change no artifact.
"""

from collections.abc import Callable
from dataclasses import replace

from lattice_chassis.telemetry import span

from lattice_files.domain import leases as lease_rules
from lattice_files.domain.actors import Caller, authorize_review, authorize_write
from lattice_files.domain.artifacts import Artifact, require_unarchived
from lattice_files.domain.changes import Decision, Outcome
from lattice_files.domain.commands import Acceptance
from lattice_files.domain.decisions import Circumstances, decide_acceptance, decide_rejection, decide_withdrawal
from lattice_files.domain.kinds import KindRules
from lattice_files.domain.native import native_file
from lattice_files.domain.policies import authorize_acceptance
from lattice_files.domain.proposals import (
    Proposal,
    ProposedBatch,
    ProposedCreation,
    applies_as_made,
    require_answerable,
    require_own,
)
from lattice_files.domain.rejections import NotFound, ProposalStale
from lattice_files.domain.writes import Call, WriteContext, authorize_context
from lattice_files.service import batches, types
from lattice_files.service.artifacts import writable_head
from lattice_files.service.batches import BatchJob, Made
from lattice_files.service.reads import require_artifact, require_proposal
from lattice_files.service.repeats import repeatable
from lattice_files.service.resources import Resources
from lattice_files.store import artifacts, commits, fences, leases, proposals, requests
from lattice_files.store.commits import Attribution
from lattice_files.store.unit_of_work import Reading, Work


@repeatable(Outcome)
async def accept(resources: Resources, call: Call, command: Acceptance) -> Outcome:
    """Apply a proposal to what stands now; refused, it stays pending [PR-06].

    A batch is applied as it was finished while the content is the one that it was made on; otherwise it
    is made again on the current one if the command says so, and refused if not [F-11].

    Raises:
        ProposalStale: the content changed since, and no rebase was asked for.
    """
    async with resources.unit.reading(call.scope) as reading:
        first = await requests.first_answer(reading, call, Outcome)
        if first is not None:
            return first
        found = await proposals.load(reading, command.proposal_id)
        kind = None if found is None else await _kind_of(reading, found[0])
    switch_revision = None if kind is None else await resources.gate.check(call.scope, kind)
    authorize_review(call.caller)
    if command.changes is not None:  # what is accepted is the caller's own then
        authorize_write(call.caller)
    authorize_context(call.caller, command.context)
    if found is None or kind is None:
        raise NotFound(entity="proposal", id=command.proposal_id)
    proposal, head_digest = found
    if applies_as_made(proposal, head_digest, rebase=command.rebase):
        return await _accepted(resources, call, command, kind, switch_revision)
    job = await _job(resources, call, command, proposal, kind)
    async with batches.making(resources, call, job) as made:
        switch_revision = await resources.gate.check(call.scope, kind)
        outcome = await _accepted(resources, call, command, kind, switch_revision, made)
        made.lease.ended = True  # only now is it certain
        return outcome


@repeatable(Outcome)
async def reject(resources: Resources, call: Call, proposal_id: str, reason: str, context: WriteContext) -> Outcome:
    """Turn a proposal down, also while its kind's integration is off [PR-09, AMB-16]."""
    actor = call.caller.actor

    def decide(proposal: Proposal) -> Decision:
        require_answerable(proposal, actor)
        return decide_rejection(proposal, reason, actor)

    return await _resolved(resources, call, proposal_id, context, authorize_review, decide)


@repeatable(Outcome)
async def withdraw(resources: Resources, call: Call, proposal_id: str, context: WriteContext) -> Outcome:
    """Take one's own proposal back, also while its kind's integration is off [AMB-06]."""
    actor = call.caller.actor

    def decide(proposal: Proposal) -> Decision:
        require_own(proposal, actor)
        return decide_withdrawal(proposal, actor)

    return await _resolved(resources, call, proposal_id, context, authorize_write, decide)


async def _accepted(
    resources: Resources,
    call: Call,
    command: Acceptance,
    kind: str,
    switch_revision: int | None,
    made: Made | None = None,
) -> Outcome:
    """Decide under the lock, on what stands then; `made` is a batch that was made again under an edit lease."""
    with span("commit"):
        async with resources.writing(call.scope) as work:
            first = await requests.first_answer(work, call, Outcome)
            if first is not None:
                return first
            await fences.hold(work, command.context.fence)
            proposal, head_digest = await require_proposal(work, command.proposal_id)
            rules = await _authorized(resources, work, call, command, proposal, kind)
            change = proposal.change
            if made is not None and isinstance(change, ProposedBatch):
                head: Artifact | None = await batches.leased_head(work, made)
                change = replace(change, result=made.file.to_data())
            else:
                head = await writable_head(work, proposal.artifact_id)
                if not applies_as_made(proposal, head_digest, rebase=command.rebase):
                    raise ProposalStale(proposal_id=proposal.id)
            at = Circumstances(actor=call.caller.actor, now=work.now, rules=rules, proposal_id="")
            decision = decide_acceptance(proposal, change, head, command.changes, at)
            return await _save(work, call, decision, proposal, command.context, switch_revision)


async def _job(resources: Resources, call: Call, command: Acceptance, proposal: Proposal, kind: str) -> BatchJob:
    """A stale batch on what stands now; the rules refuse first that can before anything is taken.

    The document names the proposer: whoever accepts a batch did not write it [F-09].
    """
    async with resources.unit.reading(call.scope) as reading:
        await _authorized(resources, reading, call, command, proposal, kind)
        artifact = (await require_artifact(reading, proposal.artifact_id)).artifact
        tenure, now = await leases.load(reading, artifact.id), await reading.clock()
    change = proposal.change
    if not command.rebase or not isinstance(change, ProposedBatch):
        raise ProposalStale(proposal_id=proposal.id)
    require_unarchived(artifact)
    job = BatchJob(
        artifact=artifact,
        content=native_file(artifact),
        commands=change.commands,
        mode=change.mode,
        author=proposal.proposer,
    )
    lease_rules.acquire(tenure, job.claimant(call), now, resources.limits.edit_lease)
    return job


async def _authorized(
    resources: Resources, reading: Reading, call: Call, command: Acceptance, proposal: Proposal, kind: str
) -> KindRules:
    """The rules of the proposal's kind, for a caller who may accept it [PR-04, PR-05, AMB-27]."""
    actor = call.caller.actor
    require_answerable(proposal, actor)
    rules = await types.rules_of(resources, reading, kind)
    authorize_acceptance(actor, rules.policy, asked=command.context.must_propose, agents_may=resources.agents_accept)
    return rules


async def _kind_of(reading: Reading, proposal: Proposal) -> str | None:
    change = proposal.change
    if isinstance(change, ProposedCreation):
        return change.kind
    return await artifacts.load_kind(reading, change.artifact_id)


async def _resolved(
    resources: Resources,
    call: Call,
    proposal_id: str,
    context: WriteContext,
    authorize: Callable[[Caller], None],
    decide: Callable[[Proposal], Decision],
) -> Outcome:
    """Save an answer that changes no artifact."""
    async with resources.unit.reading(call.scope) as reading:
        first = await requests.first_answer(reading, call, Outcome)
        if first is not None:
            return first
    authorize(call.caller)
    authorize_context(call.caller, context)
    with span("commit"):
        async with resources.writing(call.scope) as work:
            first = await requests.first_answer(work, call, Outcome)
            if first is not None:
                return first
            await fences.hold(work, context.fence)
            proposal, _ = await require_proposal(work, proposal_id)
            return await _save(work, call, decide(proposal), proposal, context, None)


async def _save(
    work: Work, call: Call, decision: Decision, proposal: Proposal, context: WriteContext, switch_revision: int | None
) -> Outcome:
    # What was proposed in a thread belongs to it, whoever answers, and wherever.
    thread_id = context.thread_id or proposal.thread_id
    attribution = Attribution(actor=call.caller.actor, thread_id=thread_id, switch_revision=switch_revision)
    outcome = await commits.save(work, decision, attribution)
    await requests.keep_answer(work, call, outcome)
    return outcome
