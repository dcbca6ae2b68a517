"""Running a batch of app commands under an edit lease: what edits and rebased proposals have in common.

Worker slot, lease, app, blobs; no transaction is open while anything else is waited for. [L-05, F-07]
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from lattice_chassis.failpoints import failpoint
from lattice_chassis.telemetry import span

from lattice_files.domain import leases as rules
from lattice_files.domain.actors import Actor
from lattice_files.domain.apps import Batch, ChangeMode, CommandCall, Format, Produced
from lattice_files.domain.artifacts import Artifact, require_current
from lattice_files.domain.content import Content
from lattice_files.domain.leases import Claimant, LeaseKind
from lattice_files.domain.native import NativeFile
from lattice_files.domain.rejections import AppRefused, AppTimeout
from lattice_files.domain.writes import Call
from lattice_files.ports import Worker
from lattice_files.service import contents
from lattice_files.service.lease_counts import count_lapsed, count_taken, counting_refusals
from lattice_files.service.reads import require_artifact
from lattice_files.service.resources import Resources
from lattice_files.store import leases
from lattice_files.store.unit_of_work import Work

_log: Final = logging.getLogger("lattice.files")


@dataclass(frozen=True, kw_only=True)
class BatchJob:
    """A batch to be applied to one version of one file."""

    artifact: Artifact
    """The version that has to stand until the commit."""
    content: NativeFile
    """What the batch is applied to: that version's content, or that of a proposal on it [F-11]."""
    commands: tuple[CommandCall, ...]
    mode: ChangeMode
    author: Actor
    """Who is named inside the document [F-09]."""

    def claimant(self, call: Call) -> Claimant:
        """Who holds the file meanwhile."""
        return Claimant(
            kind=LeaseKind.EDIT,
            holder=call.caller.actor,
            request_id=call.request_id,
            base_version=self.artifact.version,
        )


@dataclass(kw_only=True)
class HeldLease:
    """The edit lease of one call."""

    token: int
    since: datetime
    """The database's time when it was taken."""
    ended: bool = False
    """Whether the call's commit has ended it already."""


@dataclass(frozen=True, kw_only=True)
class Made:
    """What the app made of a batch, stored and ready to be committed."""

    artifact_id: str
    base_version: int
    file: NativeFile
    changed_parts: tuple[str, ...]
    lease: HeldLease


@asynccontextmanager
async def making(resources: Resources, call: Call, job: BatchJob) -> AsyncIterator[Made]:
    """Let the app make the batch's result under a lease that ends with the block, and store it.

    The block commits, with a deadline of its own; until then all of it together has that of an edit.

    Raises:
        ArtifactBusy: another lease lives.
        VersionConflict, InvalidState: another version stands, or the file is archived.
        AppTimeout: it took too long; so did the app alone, if the worker says it.
        AppRefused, AppCrashed, FileTooLarge, PeerUnavailable: as the worker does.
    """
    async with edit_deadline(resources) as deadline, AsyncExitStack() as held:
        made = await _make(resources, call, job, held)
        deadline.reschedule(None)  # the commit has a deadline of its own, and the lease outlives both
        yield made


@asynccontextmanager
async def edit_deadline(resources: Resources) -> AsyncIterator[asyncio.Timeout]:
    """Run the block within the time of an edit, unless it sets another; over it raises `AppTimeout`."""
    deadline = asyncio.timeout(resources.limits.edit.total_seconds())
    try:
        async with deadline:
            yield deadline
    except TimeoutError:
        if deadline.expired():
            raise AppTimeout from None
        raise


async def produced(
    worker: Worker, content: Content, file_format: Format, job: BatchJob, time: datetime, into: Path
) -> Produced:
    """What the app makes of a batch, at this time, in the folder `into`.

    Raises:
        AppRefused, AppTimeout, AppCrashed, FileTooLarge: as the worker does; refused, too, if nothing would change.
    """
    batch = Batch(commands=job.commands, author=job.author, time=time, mode=job.mode)
    made = await worker.apply_batch(content, file_format, batch, into)
    failpoint("batch.applied")
    if made.native.digest == content.digest:
        raise AppRefused(why="the batch would change nothing")
    return made


async def leased_head(work: Work, made: Made) -> Artifact:
    """What stands, which is the version that the batch was made for; its lease ends in this transaction.

    Raises:
        ArtifactBusy: the lease ended meanwhile, or was taken again.
        VersionConflict: another version stands all the same.
    """
    tenure = await leases.load(work, made.artifact_id)
    if tenure.last is not None and tenure.live(work.now) is None:
        count_lapsed(tenure.last.kind)
    rules.require_edit_lease(tenure, made.lease.token, work.now)
    head = (await require_artifact(work, made.artifact_id)).artifact
    require_current(head, made.base_version)
    await leases.save(work, rules.release_edit(tenure, made.lease.token))
    return head


async def _make(resources: Resources, call: Call, job: BatchJob, held: AsyncExitStack) -> Made:
    app, file_format = contents.app_of(resources, job.artifact.kind)
    async with resources.spool.folder(call.scope, job.content.size) as folder:
        content = await resources.blobs.fetch(call.scope, job.content.digest, folder)
        into = folder / "made"
        into.mkdir()
        # The deadline around all of it ends the wait for a slot sooner if little of it is left.
        async with resources.workers.slot(app, within=resources.limits.slot) as worker:
            lease = await held.enter_async_context(_edit_lease(resources, call, job))
            failpoint("lease.taken")
            result = await produced(worker, content, file_format, job, lease.since, into)
        name = job.content.name
        file = await contents.store_file(resources, call.scope, result.native, result.derived, file_format, name)
    return Made(
        artifact_id=job.artifact.id,
        base_version=job.artifact.version,
        file=file,
        changed_parts=result.changed_parts,
        lease=lease,
    )


@asynccontextmanager
async def _edit_lease(resources: Resources, call: Call, job: BatchJob) -> AsyncIterator[HeldLease]:
    """Hold the file for one edit; the lease ends with the block, however that ends.

    It ends, too, when the caller is cancelled while it is being taken, or again while it is being ended.
    """
    taking = asyncio.create_task(_take(resources, call, job))
    try:
        yield await asyncio.shield(taking)
    finally:
        await _completed(_end(resources, call, job.artifact.id, taking))


async def _take(resources: Resources, call: Call, job: BatchJob) -> HeldLease:
    with span("lease.acquire"):
        async with resources.writing(call.scope) as work:
            artifact = (await require_artifact(work, job.artifact.id)).artifact
            require_current(artifact, job.artifact.version)
            tenure = await leases.load(work, artifact.id)
            with counting_refusals(LeaseKind.EDIT):
                taken = rules.acquire(tenure, job.claimant(call), work.now, resources.limits.edit_lease)
            await leases.save(work, taken)
            count_taken(tenure, LeaseKind.EDIT, work.now)
            return HeldLease(token=taken.counter, since=work.now)


async def _end(resources: Resources, call: Call, artifact_id: str, taking: "asyncio.Task[HeldLease]") -> None:
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
