"""Uploading: a file becomes an artifact [F-01]."""

from collections.abc import AsyncIterable
from dataclasses import replace

from lattice_chassis.content import Digest
from lattice_chassis.telemetry import span

from lattice_files.domain.actors import authorize_write
from lattice_files.domain.apps import Format, extension_of
from lattice_files.domain.changes import Outcome
from lattice_files.domain.commands import Upload
from lattice_files.domain.decisions import Circumstances
from lattice_files.domain.native import NativeFile, require_file_name
from lattice_files.domain.native_decisions import decide_upload
from lattice_files.domain.rejections import InvalidState, NotFound
from lattice_files.domain.writes import Call, authorize_context
from lattice_files.service import contents, types
from lattice_files.service.identifiers import new_artifact_id, new_proposal_id
from lattice_files.service.reads import require_unused_proposal
from lattice_files.service.repeats import repeatable
from lattice_files.service.resources import Resources
from lattice_files.store import artifacts, commits, fences, requests
from lattice_files.store.commits import Attribution
from lattice_files.store.unit_of_work import Reading


@repeatable(Outcome)
async def upload(
    resources: Resources, call: Call, command: Upload, declared: Digest, chunks: AsyncIterable[bytes]
) -> Outcome:
    """Create the artifact, or propose to; refused, nothing is kept but blobs that nothing names [F-01, B-03]."""
    command = replace(command, artifact_id=command.artifact_id or new_artifact_id())
    async with resources.unit.reading(call.scope) as reading:
        first = await requests.first_answer(reading, call, Outcome)
        if first is not None:
            return first
    file_format = _format_of(resources, command.file_name)
    types.require_allowed(resources, file_format.kind)
    await resources.gate.check(call.scope, file_format.kind)
    authorize_write(call.caller)
    authorize_context(call.caller, command.context)
    async with resources.unit.reading(call.scope) as reading:
        await _require_unused(reading, command)
    await contents.require_room(resources, call.scope, declared)
    async with resources.spool.folder(call.scope, declared.size) as folder:
        native = await contents.received(chunks, declared, resources.limits.file_bytes, folder)
        file = await contents.derive_and_store(resources, call.scope, native, file_format, command.file_name, folder)
    switch_revision = await resources.gate.check(call.scope, file_format.kind)
    return await _commit(resources, call, command, file_format.kind, file, switch_revision)


async def _commit(
    resources: Resources, call: Call, command: Upload, kind: str, file: NativeFile, switch_revision: int | None
) -> Outcome:
    with span("commit"):
        async with resources.writing(call.scope) as work:
            first = await requests.first_answer(work, call, Outcome)
            if first is not None:
                return first
            await fences.hold(work, command.context.fence)
            head = await artifacts.load(work, command.artifact_id)
            await require_unused_proposal(work, command.context.proposal_id)
            at = Circumstances(
                actor=call.caller.actor,
                now=work.now,
                rules=await types.rules_of(resources, work, kind),
                proposal_id=command.context.proposal_id or new_proposal_id(),
            )
            attribution = Attribution(
                actor=at.actor, thread_id=command.context.thread_id, switch_revision=switch_revision
            )
            decision = decide_upload(command, kind, file, None if head is None else head.artifact, at)
            outcome = await commits.save(work, decision, attribution)
            await requests.keep_answer(work, call, outcome)
            return outcome


def _format_of(resources: Resources, file_name: str) -> Format:
    require_file_name(file_name)
    file_format = resources.workers.apps.format_of_file(file_name)
    if file_format is None:
        raise NotFound(entity="format", id=extension_of(file_name) or file_name)
    return file_format


async def _require_unused(reading: Reading, command: Upload) -> None:
    """Ids are used once in a workspace, whatever became of what they named [ID-01]."""
    if await artifacts.load(reading, command.artifact_id) is not None:
        raise InvalidState(why=f"the artifact id {command.artifact_id} was used before")
    await require_unused_proposal(reading, command.context.proposal_id)
