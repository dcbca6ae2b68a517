"""`lattice artifacts …`: artifacts of registered types, and the history of all."""

from pathlib import Path
from typing import Annotated

import typer
from lattice.files.v1 import artifacts_service_pb2 as pb
from lattice_chassis.identity import display_name

from lattice_cli.artifacts import LARGEST, ArtifactArgument, resolved, told, write_context
from lattice_cli.connection import Connection
from lattice_cli.invocation import invocation_of
from lattice_cli.native_files import new_request_id
from lattice_cli.paging import pages

app = typer.Typer(no_args_is_help=True, help="Register types; create, read, patch, archive and restore artifacts.")

BaseOption = Annotated[int, typer.Option(min=0, max=LARGEST, help="The version you read; 0 takes the current one.")]


@app.command()
def types(context: typer.Context) -> None:
    """List the types of artifacts."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        listed = pages(connection.artifacts.ListTypes, pb.ListTypesRequest(page_size=500))
        found = [it async for page in listed for it in page.types]
        invocation.show_table(
            found,
            ("kind", "revision", "agents' writes", "schema"),
            lambda it: (
                it.kind,
                str(it.schema_revision or "an app's"),
                "propose" if it.write_policy == pb.WRITE_POLICY_PROPOSE else "apply",
                it.schema_json,
            ),
        )

    invocation.call(work)


@app.command()
def register(
    context: typer.Context,
    kind: str,
    schema: Annotated[Path, typer.Argument(help="A file with the JSON Schema.")],
    follows: Annotated[int, typer.Option(min=0, max=LARGEST, help="The revision it follows; 0 for a new kind.")] = 0,
    propose: Annotated[bool, typer.Option("--propose", help="Agents' writes become proposals.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Also if it refuses what the last one accepts.")] = False,
) -> None:
    """Register a type for the whole deployment, or what follows it. For operators."""
    invocation = invocation_of(context)
    given = pb.ArtifactType(
        kind=kind,
        schema_json=schema.read_bytes().decode(errors="replace"),
        write_policy=pb.WRITE_POLICY_PROPOSE if propose else pb.WRITE_POLICY_DIRECT,
    )

    async def work(connection: Connection) -> None:
        request = pb.RegisterTypeRequest(
            type=given, expected_revision=follows, force=force, request_id=new_request_id()
        )
        registered = (await connection.artifacts.RegisterType(request)).type
        invocation.show(registered, f"{registered.kind} is at revision {registered.schema_revision}")

    invocation.call(work)


@app.command()
def create(
    context: typer.Context,
    kind: str,
    data: Annotated[str, typer.Argument(help="The data as JSON.")],
    artifact_id: Annotated[str, typer.Option("--id")] = "",
) -> None:
    """Create an artifact of a registered type."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = pb.CreateArtifactRequest(
            workspace=connection.person.workspace_name,
            kind=kind,
            data_json=data,
            artifact_id=artifact_id,
            context=write_context(),
        )
        outcome = (await connection.artifacts.CreateArtifact(request)).outcome
        invocation.show(outcome, told(outcome))

    invocation.call(work)


@app.command()
def show(context: typer.Context, artifact: ArtifactArgument) -> None:
    """Print the data of an artifact."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        invocation.show(found, found.data_json)

    invocation.call(work)


@app.command()
def patch(
    context: typer.Context,
    artifact: ArtifactArgument,
    operations: Annotated[str, typer.Argument(help="A JSON Patch (RFC 6902).")],
    summary: str = "",
    base_version: BaseOption = 0,
) -> None:
    """Change an artifact's data; of a native file its name."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        request = pb.EditArtifactRequest(
            name=connection.person.artifact_name(found.artifact_id),
            base_version=base_version or found.version,
            patch=pb.Patch(json_patch=operations),
            summary=summary,
            context=write_context(),
        )
        outcome = (await connection.artifacts.EditArtifact(request)).outcome
        invocation.show(outcome, told(outcome))

    invocation.call(work)


@app.command()
def archive(context: typer.Context, artifact: ArtifactArgument, base_version: BaseOption = 0) -> None:
    """Archive an artifact: it stays readable, and changes no more."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        request = pb.ArchiveArtifactRequest(
            name=connection.person.artifact_name(found.artifact_id),
            base_version=base_version or found.version,
            context=write_context(),
        )
        outcome = (await connection.artifacts.ArchiveArtifact(request)).outcome
        invocation.show(outcome, told(outcome))

    invocation.call(work)


@app.command()
def history(context: typer.Context, artifact: ArtifactArgument) -> None:
    """List the revisions of an artifact."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        request = pb.ListRevisionsRequest(name=connection.person.artifact_name(found.artifact_id), page_size=500)
        listed = pages(connection.artifacts.ListRevisions, request)
        revisions = [it async for page in listed for it in page.revisions]
        invocation.show_table(
            revisions,
            ("version", "when", "by", "summary"),
            lambda it: (
                str(it.artifact.version),
                it.artifact.update_time.ToJsonString(),
                display_name(it.artifact.updated_by),
                it.summary,
            ),
        )

    invocation.call(work)


@app.command()
def restore(
    context: typer.Context,
    artifact: ArtifactArgument,
    version: Annotated[int, typer.Argument(min=1, max=LARGEST)],
    summary: str = "",
    base_version: BaseOption = 0,
) -> None:
    """Make the content of an earlier version the newest one."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        request = pb.RestoreRevisionRequest(
            name=f"{connection.person.artifact_name(found.artifact_id)}/revisions/{version}",
            base_version=base_version or found.version,
            summary=summary,
            context=write_context(),
        )
        outcome = (await connection.artifacts.RestoreRevision(request)).outcome
        invocation.show(outcome, told(outcome))

    invocation.call(work)
