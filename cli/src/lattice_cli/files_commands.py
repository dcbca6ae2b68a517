"""`lattice files …`: a person's calls on native files."""

import json
from pathlib import Path
from typing import Annotated

import typer
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.identity import display_name

from lattice_cli import native_files
from lattice_cli.connection import Connection
from lattice_cli.invocation import invocation_of

app = typer.Typer(no_args_is_help=True, help="Upload, lend, edit and read native files.")

ArtifactArgument = Annotated[str, typer.Argument(help="The artifact's id, or its file name where one has it.")]
VersionOption = Annotated[int, typer.Option(help="The version; 0 is the current one.")]


@app.command()
def upload(context: typer.Context, path: Path, artifact_id: Annotated[str, typer.Option("--id")] = "") -> None:
    """Upload a file as a new artifact."""
    invocation = invocation_of(context)
    if not path.is_file():
        invocation.refuse(f"{path} is no file")

    async def work(connection: Connection) -> None:
        outcome = await native_files.upload(connection, path, artifact_id)
        invocation.show(outcome, _told(outcome))

    invocation.call(work)


@app.command("list")
def list_files(context: typer.Context, name: str = "", archived: bool = False) -> None:
    """List the artifacts of the workspace."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = artifacts_pb.ListArtifactsRequest(
            workspace=connection.person.workspace_name, name_contains=name, show_archived=archived, page_size=500
        )
        found = (await connection.artifacts.ListArtifacts(request)).artifacts
        invocation.show_table(
            found,
            ("id", "kind", "version", "name", "by"),
            lambda it: (it.artifact_id, it.kind, str(it.version), _file_name(it), display_name(it.updated_by)),
        )

    invocation.call(work)


@app.command()
def checkout(
    context: typer.Context,
    artifact: ArtifactArgument,
    to: Annotated[Path | None, typer.Option(help="Where the copy goes; the file's name here unless given.")] = None,
) -> None:
    """Check a file out and download a copy; nobody else writes it until it is checked in, released or ends."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        path = to or Path(_file_name(found))
        if path.exists():
            invocation.refuse(f"{path} exists already; name another place with --to")
        request = native_pb.CheckOutRequest(
            name=connection.person.artifact_name(found.artifact_id), request_id=native_files.new_request_id()
        )
        lent = (await connection.native_files.CheckOut(request)).check_out
        await native_files.download(connection, found.artifact_id, path, lent.base_version)
        _ticket(path).write_text(json.dumps({"artifact_id": found.artifact_id, "token": lent.token}))
        until = lent.expire_time.ToDatetime().isoformat(timespec="seconds")
        invocation.show(lent, f"{path} is yours until {until}Z; check it in with: lattice files checkin {path}")

    invocation.call(work)


@app.command()
def checkin(context: typer.Context, path: Path, summary: str = "") -> None:
    """Check a copy in that `checkout` made; it becomes the newest version."""
    invocation = invocation_of(context)
    if not _ticket(path).is_file():
        invocation.refuse(f"{path} was not checked out here: {_ticket(path).name} is missing")
    ticket = json.loads(_ticket(path).read_text())

    async def work(connection: Connection) -> None:
        outcome = await native_files.check_in(connection, ticket["artifact_id"], ticket["token"], path, summary)
        _ticket(path).unlink()
        invocation.show(outcome, _told(outcome))

    invocation.call(work)


@app.command()
def extend(context: typer.Context, path: Path) -> None:
    """Extend the check-out of a copy that `checkout` made."""
    invocation = invocation_of(context)
    if not _ticket(path).is_file():
        invocation.refuse(f"{path} was not checked out here: {_ticket(path).name} is missing")
    ticket = json.loads(_ticket(path).read_text())

    async def work(connection: Connection) -> None:
        request = native_pb.ExtendCheckOutRequest(
            name=connection.person.artifact_name(ticket["artifact_id"]),
            token=ticket["token"],
            request_id=native_files.new_request_id(),
        )
        lent = (await connection.native_files.ExtendCheckOut(request)).check_out
        invocation.show(lent, f"yours until {lent.expire_time.ToDatetime().isoformat(timespec='seconds')}Z")

    invocation.call(work)


@app.command()
def release(context: typer.Context, artifact: ArtifactArgument) -> None:
    """End your own check-out without a new version."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        request = native_pb.ReleaseCheckOutRequest(name=connection.person.artifact_name(found.artifact_id))
        answer = await connection.native_files.ReleaseCheckOut(request)
        invocation.show(answer, "released" if answer.released else "you hold no check-out of it")

    invocation.call(work)


@app.command()
def lease(context: typer.Context, artifact: ArtifactArgument) -> None:
    """Say who may write a file now, and until when."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        request = native_pb.GetLeaseRequest(name=connection.person.artifact_name(found.artifact_id))
        answer = await connection.native_files.GetLease(request)
        held = f"{display_name(answer.lease.holder)} until {answer.lease.expire_time.ToJsonString()}"
        invocation.show(answer, held if answer.HasField("lease") else "nobody holds it")

    invocation.call(work)


@app.command()
def text(context: typer.Context, artifact: ArtifactArgument, start: int = 0, version: VersionOption = 0) -> None:
    """Print the words of a file."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        request = native_pb.ReadTextRequest(
            name=connection.person.artifact_name(found.artifact_id), version=version, start=start, max_chars=100_000
        )
        answer = await connection.native_files.ReadText(request)
        invocation.show(answer, answer.text)

    invocation.call(work)


@app.command()
def review(context: typer.Context, artifact: ArtifactArgument, version: VersionOption = 0) -> None:
    """List the comments and tracked changes of a file."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        request = native_pb.ReadReviewRequest(
            name=connection.person.artifact_name(found.artifact_id), version=version, max_items=500
        )
        answer = await connection.native_files.ReadReview(request)
        invocation.show_table(
            answer.items, ("id", "author", "state", "text"), lambda it: (it.id, it.author, it.state, it.text)
        )

    invocation.call(work)


@app.command()
def commands(context: typer.Context, query: Annotated[str, typer.Argument()] = "") -> None:
    """Find commands of the apps by plain words."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = native_pb.FindCommandsRequest(workspace=connection.person.workspace_name, query=query)
        answer = await connection.native_files.FindCommands(request)
        invocation.show_table(
            answer.commands, ("id", "what it does", "example"), lambda it: (it.id, it.description, it.example_json)
        )

    invocation.call(work)


@app.command()
def edit(
    context: typer.Context,
    artifact: ArtifactArgument,
    batch: Annotated[str, typer.Argument(help='A JSON list of {"command": …, "arguments": {…}}.')],
    summary: str,
    base_version: Annotated[int, typer.Option(help="The version you read; 0 takes the current one.")] = 0,
) -> None:
    """Apply a batch of app commands, all or nothing."""
    invocation = invocation_of(context)
    try:
        calls = [(it["command"], json.dumps(it.get("arguments", {}))) for it in json.loads(batch)]
    except (ValueError, TypeError, KeyError):
        invocation.refuse('the batch is no JSON list of {"command": …, "arguments": {…}}')

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        request = native_pb.EditRequest(
            name=connection.person.artifact_name(found.artifact_id),
            base_version=base_version or found.version,
            commands=[native_pb.AppCommand(command=name, arguments_json=arguments) for name, arguments in calls],
            summary=summary,
            context=artifacts_pb.WriteContext(request_id=native_files.new_request_id()),
        )
        outcome = (await connection.native_files.Edit(request)).outcome
        invocation.show(outcome, _told(outcome))

    invocation.call(work)


@app.command()
def page(
    context: typer.Context,
    artifact: ArtifactArgument,
    number: Annotated[int, typer.Argument(help="The page, from 1.")] = 1,
    to: Annotated[Path, typer.Option(help="Where the PNG goes.")] = Path("page.png"),
    version: VersionOption = 0,
) -> None:
    """Render a page as a PNG."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        request = native_pb.RenderPageRequest(
            name=connection.person.artifact_name(found.artifact_id), page=number, version=version
        )
        answer = await connection.native_files.RenderPage(request)
        to.write_bytes(answer.png)
        answer.ClearField("png")
        invocation.show(answer, f"page {number} of {answer.page_count} is in {to}")

    invocation.call(work)


@app.command("download")
def download_file(
    context: typer.Context, artifact: ArtifactArgument, to: Path | None = None, version: VersionOption = 0
) -> None:
    """Download a file without checking it out."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        path = to or Path(_file_name(found))
        if path.exists():
            invocation.refuse(f"{path} exists already; name another place with --to")
        header = await native_files.download(connection, found.artifact_id, path, version)
        invocation.show(header, f"version {header.version} is in {path}")

    invocation.call(work)


async def resolved(connection: Connection, artifact: str) -> artifacts_pb.Artifact:
    """The artifact of this id, or the one file of this name."""
    request = artifacts_pb.ListArtifactsRequest(
        workspace=connection.person.workspace_name, name_contains=artifact, page_size=500
    )
    named = [it for it in (await connection.artifacts.ListArtifacts(request)).artifacts if _file_name(it) == artifact]
    if len(named) == 1:
        return named[0]
    if len(named) > 1:
        raise typer.BadParameter(f"{len(named)} files are named {artifact}; use an id")
    name = connection.person.artifact_name(artifact)
    return (await connection.artifacts.GetArtifact(artifacts_pb.GetArtifactRequest(name=name))).artifact


def _file_name(artifact: artifacts_pb.Artifact) -> str:
    name: str = json.loads(artifact.data_json).get("name", artifact.artifact_id)
    return name


def _ticket(path: Path) -> Path:
    return path.with_name(f".{path.name}.checkout.json")


def _told(outcome: artifacts_pb.Outcome) -> str:
    match outcome.WhichOneof("result"):
        case "applied":
            return f"{outcome.applied.artifact_id} is at version {outcome.applied.version}"
        case "proposed":
            return f"proposed as {outcome.proposed.proposal_id}"
        case _:
            return "done"
