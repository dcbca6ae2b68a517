"""The root of the command line: who calls, where the suite is, and the verbs."""

import asyncio
import re
from pathlib import Path
from typing import Annotated, Final

import typer
from lattice_chassis import metrics
from rich.console import Console
from rich.text import Text

from lattice_cli import (
    agent_commands,
    artifact_commands,
    export,
    files_commands,
    integrations_commands,
    keeping,
    proposal_commands,
    token_commands,
)
from lattice_cli.certificates import Certificates, certificates_in
from lattice_cli.connection import Addresses, Person
from lattice_cli.demo.play import play
from lattice_cli.invocation import INTERRUPTED, Invocation, Verbs, invocation_of, run_until_stopped
from lattice_cli.plain import plain
from lattice_cli.processes import ServiceFailedError
from lattice_cli.suite import SERVICES, Suite, running_suite, together
from lattice_cli.trace_command import trace

_NAME: Final = re.compile(r"(?! )[ -.0-~]{1,200}(?<! )")

app = typer.Typer(cls=Verbs, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(files_commands.app, name="files")
app.add_typer(artifact_commands.app, name="artifacts")
app.add_typer(proposal_commands.app, name="proposals")
app.add_typer(agent_commands.app, name="agent")
app.add_typer(integrations_commands.app, name="integrations")
app.add_typer(token_commands.app, name="token")
app.command()(trace)
app.command()(export.export)
app.command()(keeping.erase)
app.command()(keeping.verify)
app.command()(keeping.reconcile)


def named(value: str) -> str:
    """The value, where it can stand in resource names and in the metadata of a call.

    Raises:
        typer.BadParameter: it cannot.
    """
    if not _NAME.fullmatch(value):
        raise typer.BadParameter("give 1 to 200 printable ASCII characters, without a slash or a space at an end")
    return value


@app.callback()
def root(  # noqa: PLR0913, PLR0917 - one an option, each with its default
    context: typer.Context,
    tenant: Annotated[str, typer.Option(envvar="LATTICE_TENANT", callback=named)] = "demo",
    workspace: Annotated[str, typer.Option(envvar="LATTICE_WORKSPACE", callback=named)] = "main",
    user: Annotated[str, typer.Option("--as", envvar="LATTICE_USER", callback=named, help="Who calls.")] = "you",
    admin: Annotated[bool, typer.Option("--admin", help="Call as an administrator.")] = False,
    token: Annotated[
        str, typer.Option(envvar="LATTICE_TOKEN", help="A bearer token, for services that ask for one.")
    ] = "",
    data: Annotated[Path, typer.Option(envvar="LATTICE_DATA", help="Where `up` keeps data.")] = Path(".lattice"),
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON, for programs.")] = False,
) -> None:
    """People and agents work on the same office files."""
    person = Person(tenant=tenant, workspace=workspace, user=user, administrator=admin, token=token)
    context.obj = Invocation(person=person, folder=data, as_json=as_json, console=Console())


@app.command()
def up(
    context: typer.Context,
    integrations: Annotated[str, typer.Option(help="Where integrations listens.")] = "127.0.0.1:7701",
    files: Annotated[str, typer.Option(help="Where files listens.")] = "127.0.0.1:7702",
    agent: Annotated[str, typer.Option(help="Where agent listens.")] = "127.0.0.1:7703",
    spans: Annotated[
        str, typer.Option(help="Where spans of other programs are taken, by OTLP over gRPC.")
    ] = "127.0.0.1:7704",
    tls: Annotated[
        Path | None,
        typer.Option(help="Encrypt, with ca.pem, certificate.pem and key.pem of this folder; made where it is empty."),
    ] = None,
) -> None:
    """Run the suite on this machine until Ctrl-C.

    It keeps recent spans in memory, unless OTEL_EXPORTER_OTLP_ENDPOINT names a tracing backend for them.
    """
    invocation = invocation_of(context)
    addresses = Addresses(integrations=integrations, files=files, agent=agent, spans=spans)
    try:
        run_until_stopped(_up(invocation, addresses, None if tls is None else certificates_in(tls)))
    except asyncio.CancelledError:
        raise typer.Exit(0) from None  # to be stopped is how it ends


@app.command()
def demo(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print what each step saw, for programs.")] = False,
    page: Annotated[Path | None, typer.Option(help="Where page 1 goes as a PNG.")] = None,
) -> None:
    """Play the main job on a real document, in a fresh suite; fails when a step sees something else."""
    invocation = invocation_of(context)
    try:
        status = run_until_stopped(play(invocation.console, as_json=as_json or invocation.as_json, page=page))
    except asyncio.CancelledError:
        status = INTERRUPTED
    raise typer.Exit(status)


def run() -> None:
    """The console script."""
    app()


async def _up(invocation: Invocation, addresses: Addresses, certificates: Certificates | None) -> None:
    async with running_suite(
        invocation.folder, addresses=addresses, certificates=certificates, keeps_spans=not metrics.exported("TRACES")
    ) as suite:
        for service in SERVICES:
            line = f"{service:<12} {getattr(addresses, service)}  log: {suite.log_of(service)}"
            invocation.console.print(Text(line), soft_wrap=True)
        invocation.console.print("Ctrl-C stops it", style="dim")
        logs = [_show_log(invocation, suite, service) for service in SERVICES]
        await together([*logs, *(_until_it_ends(suite, service) for service in SERVICES)])


async def _until_it_ends(suite: Suite, service: str) -> None:
    status = await suite.running[service].process.wait()
    raise ServiceFailedError(
        f"{service} ended by itself with status {status}; its log says why: {suite.log_of(service)}"
    )


async def _show_log(invocation: Invocation, suite: Suite, service: str) -> None:
    with suite.log_of(service).open(errors="replace") as log:
        log.seek(0, 2)
        while True:
            for line in log:
                told = Text.assemble((f"{service:<12}", "dim"), f" {plain(line.rstrip())}")
                invocation.console.print(told, soft_wrap=True)
            await asyncio.sleep(0.2)
