"""Commands as requests write them, in the words of the domain; what does not fit is refused with its field."""

from collections.abc import Sequence
from typing import Any, Final

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from lattice_chassis.errors import ValidationFailed
from lattice_chassis.server import MAX_MESSAGE_BYTES

from lattice_files.domain.apps import ChangeMode, CommandCall
from lattice_files.domain.commands import Acceptance, CheckIn, Edit, Restore, Upload
from lattice_files.domain.json_data import JsonLimits, parse, parse_object
from lattice_files.domain.kinds import Registration
from lattice_files.domain.patches import LONGEST_PATCH, LONGEST_SUMMARY, JsonPatch, Patch, TextEdit, TextEdits
from lattice_files.domain.policies import WritePolicy
from lattice_files.domain.proposals import ProposedArchiving, ProposedCreation, ProposedEdit
from lattice_files.domain.workspaces import WorkspaceKey
from lattice_files.grpc import from_proto

MAX_KIND: Final = 100
"""Characters."""

_DATA: Final = JsonLimits()
_SCHEMA: Final = JsonLimits(bytes=256 * 1024)
_ARGUMENTS: Final = JsonLimits(
    bytes=MAX_MESSAGE_BYTES
)  # how large those of a batch may be together is a rule of its own
_OPERATIONS: Final = {
    "add": {"path", "value"},
    "remove": {"path"},
    "replace": {"path", "value"},
    "move": {"path", "from"},
    "copy": {"path", "from"},
    "test": {"path", "value"},
}
"""The operations of RFC 6902, each with the members that it needs."""


def upload(header: native_pb.UploadHeader) -> Upload:
    """The command of an upload's header."""
    return Upload(
        artifact_id=from_proto.chosen_id("artifact_id", header.artifact_id),
        file_name=header.file_name,
        context=from_proto.write_context(header.context),
    )


def check_in(header: native_pb.CheckInHeader) -> CheckIn:
    """The command of a check-in's header."""
    _, artifact_id = from_proto.artifact(header.name)
    return CheckIn(
        artifact_id=artifact_id,
        token=from_proto.token(header.token),
        summary=_summary("summary", header.summary),
    )


def edit(request: native_pb.EditRequest) -> Edit:
    """The command of an edit."""
    scope, artifact_id = from_proto.artifact(request.name)
    return Edit(
        artifact_id=artifact_id,
        base_version=from_proto.positive("base_version", request.base_version),
        commands=_commands(request.commands),
        summary=_summary("summary", request.summary),
        mode=_mode(request.mode),
        base_proposal=_base_proposal(scope, request.base_proposal),
        context=from_proto.write_context(request.context),
    )


def previewed_edit(request: native_pb.PreviewEditRequest) -> Edit:
    """The command of an edit that is not to be made; it says nothing of itself."""
    scope, artifact_id = from_proto.artifact(request.name)
    return Edit(
        artifact_id=artifact_id,
        base_version=from_proto.positive("base_version", request.base_version),
        commands=_commands(request.commands),
        summary="",
        mode=_mode(request.mode),
        base_proposal=_base_proposal(scope, request.base_proposal),
    )


def registration(request: artifacts_pb.RegisterTypeRequest) -> Registration:
    """The command of a registration."""
    if request.expected_revision < 0:
        raise ValidationFailed(errors=[("expected_revision", "is negative")])
    return Registration(
        kind=from_proto.text("type.kind", request.type.kind, MAX_KIND),
        schema=parse_object(request.type.schema_json, field="type.schema_json", limits=_SCHEMA),
        policy=_policy(request.type.write_policy),
        expected_revision=request.expected_revision,
        force=request.force,
    )


def creation(request: artifacts_pb.CreateArtifactRequest) -> ProposedCreation:
    """The command of a creation."""
    return _creation(request.artifact_id, request.kind, request.data_json, "")


def artifact_edit(request: artifacts_pb.EditArtifactRequest) -> ProposedEdit:
    """The command of an edit by a patch."""
    _, artifact_id = from_proto.artifact(request.name)
    return ProposedEdit(
        artifact_id=artifact_id,
        base_version=from_proto.positive("base_version", request.base_version),
        patch=patch("patch", request.patch),
        summary=_summary("summary", request.summary),
    )


def archiving(request: artifacts_pb.ArchiveArtifactRequest) -> ProposedArchiving:
    """The command of an archiving."""
    _, artifact_id = from_proto.artifact(request.name)
    return ProposedArchiving(
        artifact_id=artifact_id, base_version=from_proto.positive("base_version", request.base_version)
    )


def restore(request: artifacts_pb.RestoreRevisionRequest) -> Restore:
    """The command of a restore."""
    _, artifact_id, version = from_proto.revision(request.name)
    return Restore(
        artifact_id=artifact_id,
        version=version,
        base_version=from_proto.positive("base_version", request.base_version),
        summary=_summary("summary", request.summary),
    )


def proposed_change(message: proposals_pb.ProposedChange) -> ProposedCreation | ProposedEdit | ProposedArchiving:
    """The change that a caller proposes; batches are proposed by the edit that makes them."""
    match message.WhichOneof("change"):
        case "create":
            made = message.create
            return _creation(made.artifact_id, made.kind, made.data_json, "change.create.")
        case "edit":
            edited = message.edit
            return ProposedEdit(
                artifact_id=from_proto.chosen_id("change.edit.artifact_id", edited.artifact_id),
                base_version=from_proto.positive("change.edit.base_version", edited.base_version),
                patch=patch("change.edit.patch", edited.patch),
                summary=_summary("change.edit.summary", edited.summary),
            )
        case "archive":
            return ProposedArchiving(
                artifact_id=from_proto.chosen_id("change.archive.artifact_id", message.archive.artifact_id),
                base_version=from_proto.positive("change.archive.base_version", message.archive.base_version),
            )
        case "batch":
            raise ValidationFailed(errors=[("change.batch", "is made by NativeFilesService.Edit")])
        case _:
            raise ValidationFailed(errors=[("change", "is empty")])


def acceptance(request: proposals_pb.AcceptProposalRequest) -> Acceptance:
    """The command of an acceptance."""
    _, proposal_id = from_proto.proposal(request.name)
    return Acceptance(
        proposal_id=proposal_id,
        changes=patch("changes", request.changes) if request.HasField("changes") else None,
        rebase=request.rebase,
        context=from_proto.write_context(request.context),
    )


def patch(field: str, message: artifacts_pb.Patch) -> Patch:
    """A patch of either kind [AT-10]."""
    match message.WhichOneof("kind"):
        case "json_patch":
            return _json_patch(f"{field}.json_patch", message.json_patch)
        case "text_edits":
            return _text_edits(f"{field}.text_edits", message.text_edits)
        case _:
            raise ValidationFailed(errors=[(field, "is empty")])


def _json_patch(field: str, document: str) -> JsonPatch:
    operations = parse(document, field=field, limits=_DATA)
    if not isinstance(operations, list) or not 1 <= len(operations) <= LONGEST_PATCH:
        raise ValidationFailed(errors=[(field, f"is no list of 1 to {LONGEST_PATCH} operations")])
    for index, operation in enumerate(operations):
        if not _is_operation(operation):
            raise ValidationFailed(errors=[(f"{field}[{index}]", "is no operation of RFC 6902")])
    return JsonPatch(operations=tuple(operations))


def _is_operation(value: Any) -> bool:  # noqa: ANN401 - it is whatever was sent
    if not isinstance(value, dict) or not isinstance(value.get("op"), str):
        return False
    members = _OPERATIONS.get(value["op"])
    if members is None or not members <= value.keys():
        return False
    return all(isinstance(value[name], str) for name in members & {"path", "from"})


def _text_edits(field: str, message: artifacts_pb.TextEdits) -> TextEdits:
    if not 1 <= len(message.edits) <= LONGEST_PATCH:
        raise ValidationFailed(errors=[(f"{field}.edits", f"are {len(message.edits)}, not 1 to {LONGEST_PATCH}")])
    edits = [
        TextEdit(
            old=from_proto.text(f"{field}.edits[{index}].old", it.old, _DATA.bytes),
            new=from_proto.text(f"{field}.edits[{index}].new", it.new, _DATA.bytes),
        )
        for index, it in enumerate(message.edits)
    ]
    return TextEdits(field=from_proto.text(f"{field}.field", message.field, 200) or "text", edits=tuple(edits))


def _creation(artifact_id: str, kind: str, data_json: str, prefix: str) -> ProposedCreation:
    return ProposedCreation(
        artifact_id=from_proto.chosen_id(f"{prefix}artifact_id", artifact_id),
        kind=from_proto.text(f"{prefix}kind", kind, MAX_KIND),
        data=parse_object(data_json, field=f"{prefix}data_json", limits=_DATA),
    )


def _summary(field: str, value: str) -> str:
    return from_proto.text(field, value, LONGEST_SUMMARY)


def _policy(policy: artifacts_pb.WritePolicy.ValueType) -> WritePolicy:
    match policy:
        case artifacts_pb.WRITE_POLICY_UNSPECIFIED | artifacts_pb.WRITE_POLICY_DIRECT:
            return WritePolicy.DIRECT
        case artifacts_pb.WRITE_POLICY_PROPOSE:
            return WritePolicy.PROPOSE
        case _:  # an enumeration of proto3 is open
            raise ValidationFailed(errors=[("type.write_policy", "is unknown")])


def _commands(messages: Sequence[native_pb.AppCommand]) -> tuple[CommandCall, ...]:
    for index, message in enumerate(messages):
        if message.arguments_json:
            parse_object(message.arguments_json, field=f"commands[{index}].arguments_json", limits=_ARGUMENTS)
    return tuple(CommandCall(command=it.command, arguments_json=it.arguments_json) for it in messages)


def _mode(mode: native_pb.EditMode.ValueType) -> ChangeMode:
    match mode:
        case native_pb.EDIT_MODE_UNSPECIFIED:
            return ChangeMode.BY_AUTHOR
        case native_pb.EDIT_MODE_TRACKED:
            return ChangeMode.TRACKED
        case native_pb.EDIT_MODE_DIRECT:
            return ChangeMode.DIRECT
        case _:  # an enumeration of proto3 is open
            raise ValidationFailed(errors=[("mode", "is unknown")])


def _base_proposal(scope: WorkspaceKey, value: str) -> str:
    """The id of a proposal of the same workspace, given as an id or as a resource name."""
    if not value.startswith("tenants/"):
        return from_proto.chosen_id("base_proposal", value)
    its_scope, identifier = from_proto.proposal(value)
    if its_scope != scope:
        raise ValidationFailed(errors=[("base_proposal", "is of another workspace")])
    return identifier
