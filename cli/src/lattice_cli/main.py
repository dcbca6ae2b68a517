"""The root of the command line: who calls, where the suite is, and the verbs."""

import asyncio
import re
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from lattice_cli import (
    agent_commands,
    artifact_commands,
    files_commands,
    integrations_commands,
    proposal_commands,
    traces,
)
from lattice_cli.connection import Addresses, Person
from lattice_cli.demo.play import play
from lattice_cli.invocation import INTERRUPTED, Invocation, Verbs, invocation_of, run_until_stopped
from lattice_cli.processes import ServiceFailedError
from lattice_cli.suite import SERVICES, TRACES_FILE, Suite, running_suite, together

_NAME: Final = re.compile(r"(?! )[ -.0-~]{1,200}(?<! )")

app = typer.Typer(cls=Verbs, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(files_commands.app, name="files")
app.add_typer(artifact_commands.app, name="artifacts")
app.add_typer(proposal_commands.app, name="proposals")
app.add_typer(agent_commands.app, name="agent")
app.add_typer(integrations_commands.app, name="integrations")


def named(value: str) -> str:
    """The value, where it can stand in resource names and in the metadata of a call.

    Raises:
        typer.BadParameter: it cannot.
    """
    if not _NAME.fullmatch(value):
        raise typer.BadParameter("give 1 to 200 printable ASCII characters, without a slash or a space at an end")
    return value


@app.callback()
def root(
    context: typer.Context,
    tenant: Annotated[str, typer.Option(envvar="LATTICE_TENANT", callback=named)] = "demo",
    workspace: Annotated[str, typer.Option(envvar="LATTICE_WORKSPACE", callback=named)] = "main",
    user: Annotated[str, typer.Option("--as", envvar="LATTICE_USER", callback=named, help="Who calls.")] = "you",
    admin: Annotated[bool, typer.Option("--admin", help="Call as an administrator.")] = False,
    data: Annotated[Path, typer.Option(envvar="LATTICE_DATA", help="Where `up` keeps data.")] = Path(".lattice"),
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON, for programs.")] = False,
) -> None:
    """People and agents work on the same office files."""
    person = Person(tenant=tenant, workspace=workspace, user=user, administrator=admin)
    context.obj = Invocation(person=person, folder=data, as_json=as_json, console=Console())


@app.command()
def up(
    context: typer.Context,
    integrations: Annotated[str, typer.Option(help="Where integrations listens.")] = "127.0.0.1:7701",
    files: Annotated[str, typer.Option(help="Where files listens.")] = "127.0.0.1:7702",
    agent: Annotated[str, typer.Option(help="Where agent listens.")] = "127.0.0.1:7703",
) -> None:
    """Run the suite on this machine until Ctrl-C."""
    invocation = invocation_of(context)
    trace_file = str(invocation.folder.resolve() / TRACES_FILE)
    addresses = Addresses(integrations=integrations, files=files, agent=agent, trace_file=trace_file)
    try:
        run_until_stopped(_up(invocation, addresses))
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


@app.command()
def trace(context: typer.Context, run: Annotated[str, typer.Argument(help="The id of a run.")]) -> None:
    """Print the trace of a run as a tree."""
    invocation = invocation_of(context)
    path = invocation.folder / TRACES_FILE
    if not path.is_file():
        invocation.refuse(f"no spans are kept in {invocation.folder}: run `lattice up` first")
    spans = traces.read_spans(path)
    trace_id = traces.trace_of_run(spans, run)
    if trace_id is None:
        invocation.refuse(f"no span names the run {run}")
    roots = traces.tree_of(spans, trace_id)
    if invocation.as_json:
        invocation.console.print_json(data={"trace_id": trace_id, "roots": [it.as_json() for it in roots]})
    else:
        traces.draw(invocation.console, roots)


def run() -> None:
    """The console script."""
    app()


async def _up(invocation: Invocation, addresses: Addresses) -> None:
    async with running_suite(invocation.folder, addresses=addresses) as suite:
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
                told = Text.assemble((f"{service:<12}", "dim"), f" {line.rstrip()}")
                invocation.console.print(told, soft_wrap=True)
            await asyncio.sleep(0.2)
