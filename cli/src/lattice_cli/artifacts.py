"""Artifacts, as the verbs name them and tell of what was done to them."""

import json
from typing import Annotated, Final

import typer
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb

from lattice_cli.connection import Connection
from lattice_cli.native_files import new_request_id
from lattice_cli.paging import pages

LARGEST: Final = 2**63 - 1
"""What a number in a call can be at the most."""

ArtifactArgument = Annotated[str, typer.Argument(help="The artifact's id, or its file name where one has it.")]


async def resolved(connection: Connection, artifact: str) -> artifacts_pb.Artifact:
    """The artifact of this id, or the one file of this name."""
    request = artifacts_pb.ListArtifactsRequest(
        workspace=connection.person.workspace_name, name_contains=artifact, page_size=500
    )
    listed = pages(connection.artifacts.ListArtifacts, request)
    named = [it async for page in listed for it in page.artifacts if file_name(it) == artifact]
    if len(named) == 1:
        return named[0]
    if len(named) > 1:
        raise typer.BadParameter(f"{len(named)} files are named {artifact}; use an id")
    name = connection.person.artifact_name(artifact)
    return (await connection.artifacts.GetArtifact(artifacts_pb.GetArtifactRequest(name=name))).artifact


def file_name(artifact: artifacts_pb.Artifact) -> str:
    """The name that its data say, else its id."""
    name = json.loads(artifact.data_json).get("name")
    return name if isinstance(name, str) else artifact.artifact_id


def write_context() -> artifacts_pb.WriteContext:
    """What a write by hand says beside its change: that it is a request of its own."""
    return artifacts_pb.WriteContext(request_id=new_request_id())


def told(outcome: artifacts_pb.Outcome) -> str:
    """What was done, in a sentence."""
    match outcome.WhichOneof("result"):
        case "applied":
            return f"{outcome.applied.artifact_id} is at version {outcome.applied.version}"
        case "proposed":
            return f"proposed as {outcome.proposed.proposal_id}"
        case "resolved":
            version = f", version {outcome.resolved.version}" if outcome.resolved.version else ""
            return f"{outcome.resolved.proposal_id} is answered{version}"
        case _:
            return "done"
