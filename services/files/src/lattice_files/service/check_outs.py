"""Check-outs: a person's right to write a file, and who holds one now [F-02, F-03, F-06].

None of these appends to the feed: they commit no change [EV-06].
"""

from collections.abc import Sequence
from datetime import datetime

from lattice_chassis.telemetry import span

from lattice_files.domain import leases as rules
from lattice_files.domain.actors import Caller, authorize_administrator, authorize_check_out
from lattice_files.domain.artifacts import require_unarchived
from lattice_files.domain.commands import CheckOut
from lattice_files.domain.leases import BreakAnswer, BrokenCheckOut, Claimant, Lease, LeaseKind, Tenure
from lattice_files.domain.native import require_native
from lattice_files.domain.rejections import NotFound
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.domain.writes import Call
from lattice_files.service.lease_counts import count_taken, counting_refusals
from lattice_files.service.reads import require_artifact
from lattice_files.service.repeats import repeatable
from lattice_files.service.resources import Resources
from lattice_files.store import artifacts, leases, requests
from lattice_files.store.unit_of_work import Work


@repeatable(CheckOut)
async def check_out(resources: Resources, call: Call, artifact_id: str) -> CheckOut:
    """Lend the file to the caller; after a refusal there is no lease, and no token was used up [F-02, N-04]."""
    first = await _first_answer_or_gate(resources, call, artifact_id)
    if first is not None:
        return first
    with span("lease.acquire"):
        async with resources.writing(call.scope) as work:
            first = await requests.first_answer(work, call, CheckOut)
            if first is not None:
                return first
            artifact = (await require_artifact(work, artifact_id)).artifact
            require_unarchived(artifact)
            claimant = Claimant(
                kind=LeaseKind.CHECKOUT,
                holder=call.caller.actor,
                request_id=call.request_id,
                base_version=artifact.version,
            )
            tenure = await leases.load(work, artifact_id)
            with counting_refusals(LeaseKind.CHECKOUT):
                taken = rules.acquire(tenure, claimant, work.now, length=resources.limits.check_out)
            count_taken(tenure, LeaseKind.CHECKOUT, work.now)
            return await _keep(work, call, taken)


@repeatable(CheckOut)
async def extend_check_out(resources: Resources, call: Call, artifact_id: str, token: int) -> CheckOut:
    """Move the end of the caller's check-out [F-03]."""
    first = await _first_answer_or_gate(resources, call, artifact_id)
    if first is not None:
        return first
    with span("lease.extend"):
        async with resources.writing(call.scope) as work:
            first = await requests.first_answer(work, call, CheckOut)
            if first is not None:
                return first
            await require_artifact(work, artifact_id)
            tenure = await leases.load(work, artifact_id)
            return await _keep(work, call, rules.extend(tenure, token, call.caller.actor, work.now, resources.limits))


async def release_check_out(
    resources: Resources, scope: WorkspaceKey, caller: Caller, artifact_id: str, token: int | None
) -> bool:
    """End the caller's own check-out, also while the app is off; whether one was live [F-06, F-18]."""
    authorize_check_out(caller)
    with span("lease.release"):
        async with resources.writing(scope) as work:
            require_native(artifact_id, (await require_artifact(work, artifact_id)).artifact.kind)
            tenure = await leases.load(work, artifact_id)
            released, was_live = rules.release_check_out(tenure, token, caller.actor, work.now)
            if released != tenure:
                await leases.save(work, released)
            return was_live


@repeatable(BreakAnswer)
async def break_check_out(resources: Resources, call: Call, artifact_id: str, reason: str) -> BreakAnswer:
    """End whoever's check-out and put that on record, also while the app is off [F-18]."""
    authorize_administrator(call.caller)
    async with resources.writing(call.scope) as work:
        first = await requests.first_answer(work, call, BreakAnswer)
        if first is not None:
            return first
        require_native(artifact_id, (await require_artifact(work, artifact_id)).artifact.kind)
        released, ended = rules.break_check_out(await leases.load(work, artifact_id))
        answer = BreakAnswer(broken=None)
        if ended is not None:
            broken = BrokenCheckOut(
                artifact_id=artifact_id, lease=ended, breaker=call.caller.actor, reason=reason, broken_at=work.now
            )
            await leases.save(work, released)
            await leases.record_break(work, broken)
            answer = BreakAnswer(broken=broken)
        await requests.keep_answer(work, call, answer)
        return answer


async def list_broken_check_outs(
    resources: Resources, scope: WorkspaceKey, caller: Caller, *, after: tuple[datetime, str] | None, limit: int
) -> Sequence[BrokenCheckOut]:
    """The check-outs of a workspace that were broken, oldest first; for administrators [F-18]."""
    authorize_administrator(caller)
    async with resources.unit.reading(scope) as reading:
        return await leases.list_broken(reading, after=after, limit=limit)


async def read_lease(resources: Resources, scope: WorkspaceKey, artifact_id: str) -> tuple[Lease | None, int]:
    """The live lease of a file, if any, and how many there ever were [L-07]."""
    async with resources.unit.reading(scope) as reading:
        require_native(artifact_id, (await require_artifact(reading, artifact_id)).artifact.kind)
        tenure = await leases.load(reading, artifact_id)
        return tenure.live(await reading.clock()), tenure.counter


async def list_check_outs(
    resources: Resources, scope: WorkspaceKey, *, after: tuple[datetime, str] | None, limit: int
) -> Sequence[tuple[str, Lease]]:
    """The live check-outs of a workspace with their artifacts, oldest first [F-18]."""
    async with resources.unit.reading(scope) as reading:
        return await leases.list_check_outs(reading, await reading.clock(), after=after, limit=limit)


async def _first_answer_or_gate(resources: Resources, call: Call, artifact_id: str) -> CheckOut | None:
    """The answer of a repeat; else let the call through that may go on to the rules, in the order of WP-03."""
    async with resources.unit.reading(call.scope) as reading:
        first = await requests.first_answer(reading, call, CheckOut)
        if first is not None:
            return first
        kind = await artifacts.load_kind(reading, artifact_id)
    if kind is not None:
        require_native(artifact_id, kind)
        await resources.gate.check(call.scope, kind)
    authorize_check_out(call.caller)
    if kind is None:
        raise NotFound(entity="artifact", id=artifact_id)
    return None


async def _keep(work: Work, call: Call, tenure: Tenure) -> CheckOut:
    lease = tenure.last
    if lease is None:
        raise AssertionError("a check-out that was just given or extended is held")
    await leases.save(work, tenure)
    answer = CheckOut(
        artifact_id=tenure.artifact_id,
        token=lease.token,
        base_version=lease.base_version,
        expires_at=lease.expires_at,
    )
    await requests.keep_answer(work, call, answer)
    return answer
