"""Types of artifacts: registering and listing them, and the rules of a kind [AT-01]."""

from collections.abc import Sequence

from lattice_files.domain.actors import authorize_operator
from lattice_files.domain.apps import Format
from lattice_files.domain.kinds import ArtifactType, KindRules, NativeKind, Registration, decide_registration
from lattice_files.domain.native import is_native
from lattice_files.domain.policies import WritePolicy
from lattice_files.domain.rejections import NotFound, VersionConflict
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.domain.writes import Call
from lattice_files.service import contents
from lattice_files.service.repeats import repeatable
from lattice_files.service.resources import Resources
from lattice_files.store import requests, types
from lattice_files.store.unit_of_work import Reading


@repeatable(ArtifactType)
async def register_type(resources: Resources, call: Call, asked: Registration) -> ArtifactType:
    """Register a kind for the deployment, or change its schema or policy."""
    # Under the lock of the tenant's registrations, as two at once of one request would both keep an answer.
    async with resources.writing(call.scope) as work:
        first = await requests.first_answer(work, call, ArtifactType)
        if first is not None:
            return first
        authorize_operator(call.caller)
        current = await types.load(work, asked.kind)
        registered = decide_registration(asked, current)
        if registered is not current and not await types.save(work, registered):
            latest = await types.load(work, asked.kind)
            raise VersionConflict(
                artifact_id=asked.kind, base=asked.expected_revision, head=latest.revision if latest else 0
            )
        await requests.keep_answer(work, call, registered)
        return registered


async def list_types(resources: Resources, scope: WorkspaceKey) -> Sequence[ArtifactType | NativeKind]:
    """The registered types and the native kinds of the deployment's apps, together by kind."""
    async with resources.unit.reading(scope) as reading:
        registered = await types.list_types(reading)
    native = [_native(resources, file_format) for app in resources.workers.apps for file_format in app.formats]
    return sorted([*registered, *native], key=lambda it: it.kind)


async def rules_of(resources: Resources, reading: Reading, kind: str) -> KindRules:
    """The rules of a kind.

    Raises:
        NotFound: nobody registered it, or no app of this deployment serves it.
    """
    if is_native(kind):
        return _native(resources, contents.app_of(resources, kind)[1])
    registered = await types.load(reading, kind)
    if registered is None:
        raise NotFound(entity="artifact type", id=kind)
    return registered


def require_allowed(resources: Resources, kind: str) -> None:
    """Let kinds through that this deployment allows to be created [TN-05].

    Raises:
        NotFound: it does not, whether or not the kind is registered.
    """
    if resources.kinds is not None and kind not in resources.kinds:
        raise NotFound(entity="artifact type", id=kind)


def _native(resources: Resources, file_format: Format) -> NativeKind:
    policy = resources.policies.get(file_format.kind, WritePolicy.DIRECT)
    return NativeKind(format=file_format, policy=policy)
