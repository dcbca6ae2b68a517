"""`lattice files …`: a person's calls on native files."""

import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb
from lattice.files.v1 import native_files_service_pb2 as native_pb
from lattice_chassis.identity import display_name

from lattice_cli import check_outs, collection, native_files
from lattice_cli.artifacts import LARGEST, ArtifactArgument, file_name, resolved, told, write_context
from lattice_cli.connection import Connection
from lattice_cli.invocation import Invocation, invocation_of
from lattice_cli.paging import pages

app = typer.Typer(no_args_is_help=True, help="Upload, lend, edit and read native files.")

VersionOption = Annotated[int, typer.Option(min=0, max=LARGEST, help="The version; 0 is the current one.")]


@dataclass(frozen=True, kw_only=True)
class Ticket:
    """What is kept beside a checked-out copy, so that it can be checked in."""

    artifact_id: str
    token: int

    @staticmethod
    def place(path: Path) -> Path:
        """Where the ticket of a copy lies."""
        return path.with_name(f".{path.name}.checkout.json")

    @classmethod
    def of(cls, path: Path, invocation: Invocation) -> "Ticket":
        """The ticket of a copy; ends the command where it is missing or damaged."""
        place = cls.place(path)
        if not place.is_file():
            invocation.refuse(f"{path} was not checked out here: {place.name} is missing")
        try:
            kept = json.loads(place.read_bytes())
        except (ValueError, RecursionError):
            kept = None
        match kept:
            case {"artifact_id": str(artifact_id), "token": int(token)} if 0 < token <= LARGEST:
                ticket = cls(artifact_id=artifact_id, token=token)
            case _:
                again = "release the file with `lattice files release` and check it out anew"
                invocation.refuse(f"{place} is damaged: {again}")
        return ticket

    def keep(self, path: Path) -> None:
        """Write it beside the copy."""
        self.place(path).write_text(json.dumps(asdict(self)))


@app.command()
def upload(context: typer.Context, path: Path, artifact_id: Annotated[str, typer.Option("--id")] = "") -> None:
    """Upload a file as a new artifact."""
    invocation = invocation_of(context)
    if not path.is_file():
        invocation.refuse(f"{path} is no file")
    if not path.stat().st_size:
        invocation.refuse(f"{path} is empty")

    async def work(connection: Connection) -> None:
        outcome = await native_files.upload(connection, path, artifact_id)
        invocation.show(outcome, told(outcome))

    invocation.call(work)


@app.command("list")
def list_files(context: typer.Context, name: str = "", archived: bool = False) -> None:
    """List the artifacts of the workspace."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = artifacts_pb.ListArtifactsRequest(
            workspace=connection.person.workspace_name, name_contains=name, show_archived=archived, page_size=500
        )
        found = [it async for page in pages(connection.artifacts.ListArtifacts, request) for it in page.artifacts]
        invocation.show_table(
            found,
            ("id", "kind", "version", "name", "by"),
            lambda it: (it.artifact_id, it.kind, str(it.version), file_name(it), display_name(it.updated_by)),
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
        path = _free_place(invocation, to, found)
        name = connection.person.artifact_name(found.artifact_id)
        request = native_pb.CheckOutRequest(name=name, request_id=native_files.new_request_id())
        lent = (await connection.native_files.CheckOut(request)).check_out
        try:
            Ticket(artifact_id=found.artifact_id, token=lent.token).keep(path)
            await native_files.download(connection, found.artifact_id, path, lent.base_version)
        except BaseException:  # without a copy nobody could check in, and others would wait for nothing
            await connection.native_files.ReleaseCheckOut(native_pb.ReleaseCheckOutRequest(name=name))
            Ticket.place(path).unlink(missing_ok=True)
            raise
        until = lent.expire_time.ToDatetime().isoformat(timespec="seconds")
        invocation.show(lent, f"{path} is yours until {until}Z; check it in with: lattice files checkin {path}")

    invocation.call(work)


@app.command()
def checkin(context: typer.Context, path: Path, summary: str = "") -> None:
    """Check a copy in that `checkout` made; it becomes the newest version."""
    invocation = invocation_of(context)
    ticket = Ticket.of(path, invocation)

    async def work(connection: Connection) -> None:
        outcome = await native_files.check_in(connection, ticket.artifact_id, ticket.token, path, summary)
        Ticket.place(path).unlink(missing_ok=True)
        invocation.show(outcome, told(outcome))

    invocation.call(work)


@app.command()
def extend(context: typer.Context, path: Path) -> None:
    """Extend the check-out of a copy that `checkout` made."""
    invocation = invocation_of(context)
    ticket = Ticket.of(path, invocation)

    async def work(connection: Connection) -> None:
        request = native_pb.ExtendCheckOutRequest(
            name=connection.person.artifact_name(ticket.artifact_id),
            token=ticket.token,
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
        held = "nobody holds it"
        if answer.HasField("lease"):
            held = f"{display_name(answer.lease.holder)} until {answer.lease.expire_time.ToJsonString()}"
        invocation.show(answer, held)

    invocation.call(work)


@app.command()
def text(
    context: typer.Context,
    artifact: ArtifactArgument,
    start: Annotated[int, typer.Option(min=0, max=LARGEST, help="The first character, from 0.")] = 0,
    original: Annotated[bool, typer.Option("--original", help="As before every tracked change.")] = False,
    version: VersionOption = 0,
) -> None:
    """Print the words of a file."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        where = {"version": version, "start": start}
        answer = await native_files.read_text(connection, found.artifact_id, original=original, **where)
        invocation.show(answer, answer.text)

    invocation.call(work)


@app.command()
def review(context: typer.Context, artifact: ArtifactArgument, version: VersionOption = 0) -> None:
    """List the comments and tracked changes of a file."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        items = await native_files.read_review(connection, found.artifact_id, version=version)
        invocation.show_table(
            items, ("id", "author", "state", "text"), lambda it: (it.id, it.author, it.state, it.text)
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
    base_version: Annotated[
        int, typer.Option(min=0, max=LARGEST, help="The version you read; 0 takes the current one.")
    ] = 0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
) -> None:
    """Apply a batch of app commands, all or nothing."""
    invocation = invocation_of(context)
    try:
        commands = _app_commands(batch)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        invocation.refuse('the batch is no JSON list of {"command": …, "arguments": {…}}')

    async def work(connection: Connection) -> None:
        found = await resolved(connection, artifact)
        name, base = connection.person.artifact_name(found.artifact_id), base_version or found.version
        if dry_run:
            asked = native_pb.PreviewEditRequest(name=name, base_version=base, commands=commands)
            preview = await connection.native_files.PreviewEdit(asked)
            invocation.show(preview, _previewed(preview))
            return
        request = native_pb.EditRequest(
            name=name, base_version=base, commands=commands, summary=summary, context=write_context()
        )
        outcome = (await connection.native_files.Edit(request)).outcome
        invocation.show(outcome, told(outcome))

    invocation.call(work)


@app.command()
def page(
    context: typer.Context,
    artifact: ArtifactArgument,
    number: Annotated[int, typer.Argument(min=1, max=2**31 - 1, help="The page, from 1.")] = 1,
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
        path = _free_place(invocation, to, found)
        header = await native_files.download(connection, found.artifact_id, path, version)
        invocation.show(header, f"version {header.version} is in {path}")

    invocation.call(work)


app.command("checkouts")(check_outs.list_check_outs)
app.command("break")(check_outs.break_check_out)
app.command("broken")(check_outs.list_broken)
app.command()(collection.collect)


def _free_place(invocation: Invocation, to: Path | None, artifact: artifacts_pb.Artifact) -> Path:
    """Where a copy goes, once it is seen that it can be written and nothing is there; ends the command otherwise."""
    path = to or Path(Path(file_name(artifact)).name or artifact.artifact_id)
    if path.exists():
        invocation.refuse(f"{path} exists already; name another place with --to")
    try:
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        invocation.refuse(f"nothing can be written to {path.parent}: {error.strerror}")
    return path


def _app_commands(batch: str) -> list[native_pb.AppCommand]:
    """The commands of a batch; some ValueError, TypeError, KeyError or AttributeError where it is none."""
    found = []
    for it in json.loads(batch):
        arguments = it.get("arguments", {})
        if not isinstance(arguments, dict):
            raise TypeError("the arguments of a command are a JSON object")
        found.append(native_pb.AppCommand(command=it["command"], arguments_json=json.dumps(arguments)))
    return found


def _previewed(preview: native_pb.PreviewEditResponse) -> str:
    """What an edit would change, as lines that go and lines that come."""
    told = [
        f"{mark} {line}"
        for it in preview.text_changes
        for mark, lines in (("-", it.before), ("+", it.after))
        for line in lines.splitlines()
    ]
    parts = f"would change {', '.join(preview.changed_parts)}; {preview.review_count} review items then"
    return "\n".join([parts, *told])
