"""A dry run of an edit: the app applies the batch, and nothing is stored, queued or held [F-07, R-11]."""

import asyncio

from lattice_files.domain import leases as rules
from lattice_files.domain.actors import Caller
from lattice_files.domain.commands import Edit
from lattice_files.domain.previews import EditPreview, text_changes
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.service import batches, contents, edits
from lattice_files.service.batches import BatchJob
from lattice_files.service.resources import Resources
from lattice_files.store import artifacts


async def preview_edit(resources: Resources, scope: WorkspaceKey, caller: Caller, command: Edit) -> EditPreview:
    """What the edit would change; refused as the edit would be."""
    async with resources.unit.reading(scope) as reading:
        found = await artifacts.load(reading, command.artifact_id)
    artifact = await edits.admitted(resources, scope, caller, command, None if found is None else found.artifact)
    job, tenure, now = await edits.job_of(resources, scope, caller.actor, command, artifact)
    rules.require_free(tenure, now)
    app, file_format = contents.app_of(resources, artifact.kind)
    async with batches.edit_deadline(resources), resources.spool.folder(scope, job.content.size) as folder:
        content = await resources.blobs.fetch(scope, job.content.digest, folder)
        into = folder / "made"
        into.mkdir()
        async with resources.workers.slot(app, within=resources.limits.slot) as worker:
            produced = await batches.produced(worker, content, file_format, job, now, into)
        before, after = await _text(resources, scope, job), produced.derived.text.path.read_text("utf-8")
        changes = await asyncio.to_thread(text_changes, before, after)
    return EditPreview(
        changed_parts=produced.changed_parts, text_changes=changes, review_count=produced.derived.review_count
    )


async def _text(resources: Resources, scope: WorkspaceKey, job: BatchJob) -> str:
    """The text as it reads now."""
    return b"".join([chunk async for chunk in resources.blobs.read(scope, job.content.text_digest)]).decode()
