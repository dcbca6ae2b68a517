"""Editing: a batch of app commands makes the next version, or a proposal [F-07].

The order is the contract's: repeat, gate, rules, worker slot, lease, app, blobs, gate again, commit,
release. No transaction is open while anything else is waited for.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from lattice_chassis.telemetry import span

from lattice_files.domain import leases as rules
from lattice_files.domain.actors import authorize_write
from lattice_files.domain.apps import Batch
from lattice_files.domain.artifacts import Artifact, require_current
from lattice_files.domain.changes import EditAnswer
from lattice_files.domain.commands import Edit
from lattice_files.domain.decisions import Circumstances, batch_base, decide_edit, require_batch
from lattice_files.domain.leases import Claimant, LeaseKind
from lattice_files.domain.native import NativeFile, require_native
from lattice_files.domain.proposals import Proposal
from lattice_files.domain.rejections import AppRefused, AppTimeout, NotFound
from lattice_files.domain.writes import Call, authorize_fence
from lattice_files.service import contents
from lattice_files.service.identifiers import new_proposal_id
from lattice_files.service.reads import require_artifact, require_proposal, require_unused_proposal
from lattice_files.service.repeats import repeatable
from lattice_files.service.resources import Resources
from lattice_files.store import artifacts, commits, fences, leases, requests
from lattice_files.store.commits import Attribution
from lattice_files.store.unit_of_work import Reading

_log: Final = logging.getLogger("lattice.files")


@dataclass(frozen=True, kw_only=True)
class _Base:
    """What a batch is applied to."""

    artifact: Artifact
    file: NativeFile
    """The content: that of the artifact, or of the caller's own proposal if it names one [F-11]."""


@dataclass(kw_only=True)
class _Held:
    """The lease that an edit holds."""

    token: int
    since: datetime
    """The database's time when it was taken."""
    ended: bool = False
    """Whether the edit's commit has ended it already."""


@dataclass(frozen=True, kw_only=True)
class _Made:
    """What the app made of a batch, stored and ready to be committed."""

    file: NativeFile
    changed_parts: tuple[str, ...]
    lease: _Held
    switch_revision: int | None


@repeatable(EditAnswer)
async def edit(resources: Resources, call: Call, command: Edit) -> EditAnswer:
    """Apply a batch to the current version, all or nothing; refused, nothing is changed, queued or held [R-11].

    Raises:
        AppTimeout: the whole edit took too long; so did the app alone, if the worker says it.
    """
    async with resources.unit.reading(call.scope) as reading:
        first = await requests.first_answer(reading, call, EditAnswer)
        if first is not None:
            return first
        found = await artifacts.load(reading, command.artifact_id)
    artifact = None if found is None else found.artifact
    require_batch(command.commands, resources.limits)
    if artifact is not None:
        require_native(artifact.id, artifact.kind)
        await resources.gate.check(call.scope, artifact.kind)
    authorize_write(call.caller)
    authorize_fence(call.caller, command.context.fence)
    if artifact is None:
        raise NotFound(entity="artifact", id=command.artifact_id)
    deadline = asyncio.timeout(resources.limits.edit.total_seconds())
    try:
        async with deadline, AsyncExitStack() as held:
            made = await _make(resources, call, command, await _base(resources, call, command, artifact), held)
            deadline.reschedule(None)  # the commit has a deadline of its own, and the lease outlives both
            return await _commit(resources, call, command, made)
    except TimeoutError:
        if deadline.expired():
            raise AppTimeout from None
        raise


async def _base(resources: Resources, call: Call, command: Edit, artifact: Artifact) -> _Base:
    """The rules that can refuse before anything is taken: version, lease, proposal, ids [CM-07, L-08]."""
    require_current(artifact, command.base_version)
    async with resources.unit.reading(call.scope) as reading:
        tenure, now = await leases.load(reading, artifact.id), await reading.clock()
        rules.acquire(tenure, _claimant(call, command), now, resources.limits.edit_lease)
        proposal = await _base_proposal(reading, command)
        await require_unused_proposal(reading, command.context.proposal_id)
    file = batch_base(command, artifact, proposal, call.caller.actor, resources.limits)
    return _Base(artifact=artifact, file=file)


async def _make(resources: Resources, call: Call, command: Edit, base: _Base, held: AsyncExitStack) -> _Made:
    """Let the app make the batch's result, under a lease that `held` ends, and store it."""
    app, file_format = contents.app_of(resources, base.artifact.kind)
    async with contents.spool_folder(resources) as folder:
        content = await resources.blobs.fetch(call.scope, base.file.digest, folder)
        into = folder / "made"
        into.mkdir()
        # The deadline around all of it ends the wait for a slot sooner if little of it is left.
        async with resources.workers.slot(app, within=resources.limits.slot) as worker:
            lease = await held.enter_async_context(_edit_lease(resources, call, command))
            batch = Batch(commands=command.commands, author=call.caller.actor, time=lease.since, mode=command.mode)
            produced = await worker.apply_batch(content, file_format, batch, into)
        if produced.native.digest == content.digest:
            raise AppRefused(why="the batch would change nothing")
        name = base.file.name
        file = await contents.store_file(resources, call.scope, produced.native, produced.derived, file_format, name)
    return _Made(
        file=file,
        changed_parts=produced.changed_parts,
        lease=lease,
        switch_revision=await resources.gate.check(call.scope, base.artifact.kind),
    )


async def _commit(resources: Resources, call: Call, command: Edit, made: _Made) -> EditAnswer:
    """Save the result if the lease and the version still hold; the lease ends in the same commit."""
    actor = call.caller.actor
    with span("commit"):
        async with resources.writing(call.scope) as work:
            first = await requests.first_answer(work, call, EditAnswer)
            if first is not None:
                return first
            await fences.hold(work, command.context.fence)
            tenure = await leases.load(work, command.artifact_id)
            rules.require_edit_lease(tenure, made.lease.token, work.now)
            artifact = (await require_artifact(work, command.artifact_id)).artifact
            require_current(artifact, command.base_version)
            proposal = await _base_proposal(work, command)
            await require_unused_proposal(work, command.context.proposal_id)
            batch_base(command, artifact, proposal, actor, resources.limits)
            at = Circumstances(
                actor=actor,
                policy=resources.policy_of(artifact.kind),
                now=work.now,
                proposal_id=command.context.proposal_id or new_proposal_id(),
            )
            attribution = Attribution(
                actor=actor, thread_id=command.context.thread_id, switch_revision=made.switch_revision
            )
            decision = decide_edit(command, artifact, proposal, made.file, at)
            outcome = await commits.save(work, decision, attribution)
            await leases.save(work, rules.release_edit(tenure, made.lease.token))
            answer = EditAnswer(outcome=outcome, changed_parts=made.changed_parts)
            await requests.keep_answer(work, call, answer)
        made.lease.ended = True  # only now is it certain
        return answer


async def _base_proposal(reading: Reading, command: Edit) -> Proposal | None:
    return (await require_proposal(reading, command.base_proposal))[0] if command.base_proposal else None


def _claimant(call: Call, command: Edit) -> Claimant:
    return Claimant(
        kind=LeaseKind.EDIT,
        holder=call.caller.actor,
        request_id=call.request_id,
        base_version=command.base_version,
    )


@asynccontextmanager
async def _edit_lease(resources: Resources, call: Call, command: Edit) -> AsyncIterator[_Held]:
    """Hold the file for one edit; the lease ends with the block, however that ends.

    It ends, too, when the caller is cancelled while it is being taken, or again while it is being ended.
    """
    taking = asyncio.create_task(_take(resources, call, command))
    try:
        yield await asyncio.shield(taking)
    finally:
        await _completed(_end(resources, call, command.artifact_id, taking))


async def _take(resources: Resources, call: Call, command: Edit) -> _Held:
    with span("lease.acquire"):
        async with resources.writing(call.scope) as work:
            artifact = (await require_artifact(work, command.artifact_id)).artifact
            require_current(artifact, command.base_version)
            tenure = await leases.load(work, command.artifact_id)
            taken = rules.acquire(tenure, _claimant(call, command), work.now, resources.limits.edit_lease)
            await leases.save(work, taken)
            return _Held(token=taken.counter, since=work.now)


async def _end(resources: Resources, call: Call, artifact_id: str, taking: "asyncio.Task[_Held]") -> None:
    await asyncio.wait([taking])
    if taking.cancelled() or taking.exception() is not None:
        return  # refused or failed, it holds nothing
    held = taking.result()
    if held.ended:
        return
    try:
        with span("lease.release"):
            async with resources.writing(call.scope) as work:
                tenure = await leases.load(work, artifact_id)
                released = rules.release_edit(tenure, held.token)
                if released != tenure:
                    await leases.save(work, released)
    except Exception:  # noqa: BLE001 - the caller is to learn why its edit ended, and the lease lapses by itself
        _log.warning("the edit lease %d of %s was not released", held.token, artifact_id, exc_info=True)


_running: set["asyncio.Task[None]"] = set()
"""Keeps what goes on after its caller was cancelled; the event loop alone would let it be collected."""


async def _completed(work: Coroutine[Any, Any, None]) -> None:
    """Run the work to its end, also if the caller is cancelled meanwhile and goes on without waiting for it."""
    task = asyncio.create_task(work)
    _running.add(task)
    task.add_done_callback(_running.discard)
    await asyncio.shield(task)
