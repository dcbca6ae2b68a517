"""What participants do with artifacts of registered kinds, and with proposals."""

import json
from collections.abc import Mapping
from typing import Any, Final, TypeAlias, Unpack

from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice.files.v1 import proposals_service_pb2 as proposals_pb
from service.files.people import ContextFields, Participant, new_request_id, write_context

Operation: TypeAlias = dict[str, Any]

TASK: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "done": {"type": "boolean"}, "steps": {"type": "object"}},
    "required": ["name"],
    "additionalProperties": False,
}
"""A structured type."""

NOTE: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
"""A text type."""


def json_patch(*operations: Operation) -> artifacts_pb.Patch:
    """An RFC 6902 patch."""
    return artifacts_pb.Patch(json_patch=json.dumps(operations))


def sets(path: str, value: object) -> artifacts_pb.Patch:
    """A patch that adds or replaces one value."""
    return json_patch({"op": "add", "path": path, "value": value})


def replaces(old: str, new: str, field: str = "") -> artifacts_pb.Patch:
    """A patch of a text field."""
    edits = [artifacts_pb.TextEdit(old=old, new=new)]
    return artifacts_pb.Patch(text_edits=artifacts_pb.TextEdits(field=field, edits=edits))


async def registers(
    operator: Participant,
    kind: str,
    schema: Mapping[str, Any],
    *,
    follows: int = 0,
    policy: artifacts_pb.WritePolicy.ValueType = artifacts_pb.WRITE_POLICY_DIRECT,
    force: bool = False,
    request_id: str = "",
) -> artifacts_pb.ArtifactType:
    """Register a type."""
    given = artifacts_pb.ArtifactType(kind=kind, schema_json=json.dumps(schema), write_policy=policy)
    request = artifacts_pb.RegisterTypeRequest(
        type=given, expected_revision=follows, force=force, request_id=request_id or new_request_id()
    )
    return (await operator.artifacts.RegisterType(request)).type


async def creates(
    person: Participant, kind: str, data: Mapping[str, Any], *, artifact_id: str = "", **context: Unpack[ContextFields]
) -> artifacts_pb.Outcome:
    """Create an artifact."""
    request = artifacts_pb.CreateArtifactRequest(
        workspace=person.scope,
        kind=kind,
        data_json=json.dumps(data),
        artifact_id=artifact_id,
        context=write_context(**context),
    )
    return (await person.artifacts.CreateArtifact(request)).outcome


async def patches(
    person: Participant,
    artifact_id: str,
    base_version: int,
    patch: artifacts_pb.Patch,
    *,
    summary: str = "",
    **context: Unpack[ContextFields],
) -> artifacts_pb.Outcome:
    """Edit an artifact."""
    request = artifacts_pb.EditArtifactRequest(
        name=person.name(artifact_id),
        base_version=base_version,
        patch=patch,
        summary=summary,
        context=write_context(**context),
    )
    return (await person.artifacts.EditArtifact(request)).outcome


async def archives(
    person: Participant, artifact_id: str, base_version: int, **context: Unpack[ContextFields]
) -> artifacts_pb.Outcome:
    """Archive an artifact."""
    request = artifacts_pb.ArchiveArtifactRequest(
        name=person.name(artifact_id), base_version=base_version, context=write_context(**context)
    )
    return (await person.artifacts.ArchiveArtifact(request)).outcome


async def restores(
    person: Participant, artifact_id: str, version: int, base_version: int, **context: Unpack[ContextFields]
) -> artifacts_pb.Outcome:
    """Restore a revision."""
    request = artifacts_pb.RestoreRevisionRequest(
        name=f"{person.name(artifact_id)}/revisions/{version}",
        base_version=base_version,
        context=write_context(**context),
    )
    return (await person.artifacts.RestoreRevision(request)).outcome


async def proposes(
    person: Participant, change: proposals_pb.ProposedChange, **context: Unpack[ContextFields]
) -> artifacts_pb.Outcome:
    """Propose a change."""
    request = proposals_pb.ProposeChangeRequest(workspace=person.scope, change=change, context=write_context(**context))
    return (await person.proposals.ProposeChange(request)).outcome


def proposal_name(person: Participant, which: str) -> str:
    """The name of a proposal."""
    return f"{person.scope}/proposals/{which}"


async def accepts(
    person: Participant,
    which: str,
    *,
    changes: artifacts_pb.Patch | None = None,
    rebase: bool = False,
    **context: Unpack[ContextFields],
) -> artifacts_pb.Outcome:
    """Accept a proposal."""
    request = proposals_pb.AcceptProposalRequest(
        name=proposal_name(person, which), changes=changes, rebase=rebase, context=write_context(**context)
    )
    return (await person.proposals.AcceptProposal(request)).outcome


async def rejects(
    person: Participant, which: str, reason: str = "", **context: Unpack[ContextFields]
) -> artifacts_pb.Outcome:
    """Reject a proposal."""
    request = proposals_pb.RejectProposalRequest(
        name=proposal_name(person, which), reason=reason, context=write_context(**context)
    )
    return (await person.proposals.RejectProposal(request)).outcome


async def withdraws(person: Participant, which: str, **context: Unpack[ContextFields]) -> artifacts_pb.Outcome:
    """Withdraw a proposal."""
    request = proposals_pb.WithdrawProposalRequest(name=proposal_name(person, which), context=write_context(**context))
    return (await person.proposals.WithdrawProposal(request)).outcome


async def proposal(person: Participant, which: str) -> proposals_pb.Proposal:
    """A proposal as it stands."""
    request = proposals_pb.GetProposalRequest(name=proposal_name(person, which))
    return (await person.proposals.GetProposal(request)).proposal


async def data_of(person: Participant, artifact_id: str) -> Any:  # noqa: ANN401 - data are JSON
    """The data of an artifact now."""
    return json.loads((await person.sees(artifact_id)).data_json)


async def breaks(
    person: Participant, artifact_id: str, reason: str, request_id: str = ""
) -> native_pb.BreakCheckOutResponse:
    """Break a check-out."""
    request = native_pb.BreakCheckOutRequest(
        name=person.name(artifact_id), reason=reason, request_id=request_id or new_request_id()
    )
    return await person.native.BreakCheckOut(request)
