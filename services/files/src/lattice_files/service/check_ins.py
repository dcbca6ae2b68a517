"""Checking in: the holder's copy becomes the newest version [F-04, F-05]."""

from collections.abc import AsyncIterable

from lattice_chassis.content import Digest
from lattice_chassis.telemetry import span

from lattice_files.domain import leases as rules
from lattice_files.domain.actors import authorize_check_out
from lattice_files.domain.artifacts import Artifact, require_current
from lattice_files.domain.changes import Applied, Decision, Outcome
from lattice_files.domain.commands import CheckIn
from lattice_files.domain.decisions import Circumstances
from lattice_files.domain.leases import Lease, Tenure
from lattice_files.domain.native import NativeFile, native_file, require_native
from lattice_files.domain.native_decisions import decide_check_in
from lattice_files.domain.rejections import NotFound
from lattice_files.domain.writes import Call
from lattice_files.service import contents, types
from lattice_files.service.reads import require_artifact
from lattice_files.service.repeats import repeatable
from lattice_files.service.resources import Resources
from lattice_files.store import artifacts, commits, leases, requests
from lattice_files.store.commits import Attribution
from lattice_files.store.unit_of_work import Work


@repeatable(Outcome)
async def check_in(
    resources: Resources, call: Call, command: CheckIn, declared: Digest, chunks: AsyncIterable[bytes]
) -> Outcome:
    """Make the copy the newest version and end the check-out in one commit; refused, the check-out stays [F-04].

    Identical bytes make no version and only end it.
    """
    async with resources.unit.reading(call.scope) as reading:
        first = await requests.first_answer(reading, call, Outcome)
        if first is not None:
            return first
        found = await artifacts.load(reading, command.artifact_id)
        tenure, now = await leases.load(reading, command.artifact_id), await reading.clock()
    artifact = None if found is None else found.artifact
    switch_revision = None
    if artifact is not None:
        require_native(artifact.id, artifact.kind)
        switch_revision = await resources.gate.check(call.scope, artifact.kind)
    authorize_check_out(call.caller)
    if artifact is None:
        raise NotFound(entity="artifact", id=command.artifact_id)
    lease = rules.check_out_to_check_in(tenure, command.token, call.caller.actor, now, resources.limits)
    require_current(artifact, lease.base_version)
    current = native_file(artifact)
    await contents.require_room(resources, call.scope, declared)
    async with resources.spool.folder(call.scope, declared.size) as folder:
        native = await contents.received(chunks, declared, resources.limits.file_bytes, folder)
        if native.digest == current.digest:
            return await _commit(resources, call, command, None, switch_revision)
        _, file_format = contents.app_of(resources, artifact.kind)
        file = await contents.derive_and_store(resources, call.scope, native, file_format, current.name, folder)
    switch_revision = await resources.gate.check(call.scope, artifact.kind)
    return await _commit(resources, call, command, file, switch_revision)


async def _commit(
    resources: Resources, call: Call, command: CheckIn, file: NativeFile | None, switch_revision: int | None
) -> Outcome:
    """Save the new version, if there is one, and end the check-out."""
    with span("commit"):
        async with resources.writing(call.scope) as work:
            first = await requests.first_answer(work, call, Outcome)
            if first is not None:
                return first
            artifact = (await require_artifact(work, command.artifact_id)).artifact
            tenure = await leases.load(work, command.artifact_id)
            lease = _checked(resources, call, command, work, tenure, artifact)
            attribution = Attribution(actor=call.caller.actor, switch_revision=switch_revision)
            outcome = await commits.save(
                work, await _decide(resources, call, command, artifact, file, work), attribution
            )
            await leases.save(work, rules.end_by_check_in(tenure, lease, work.now))
            await requests.keep_answer(work, call, outcome)
            return outcome


def _checked(
    resources: Resources, call: Call, command: CheckIn, work: Work, tenure: Tenure, artifact: Artifact
) -> Lease:
    """The lease that the check-in uses, looked at again under the lock [L-01]."""
    lease = rules.check_out_to_check_in(tenure, command.token, call.caller.actor, work.now, resources.limits)
    require_current(artifact, lease.base_version)
    return lease


async def _decide(
    resources: Resources, call: Call, command: CheckIn, artifact: Artifact, file: NativeFile | None, work: Work
) -> Decision:
    if file is None:
        return Decision(result=Applied(artifact_id=artifact.id, version=artifact.version))
    rules_of_kind = await types.rules_of(resources, work, artifact.kind)
    at = Circumstances(actor=call.caller.actor, now=work.now, rules=rules_of_kind, proposal_id="")
    return decide_check_in(command, artifact, file, at)
