"""The root of the command line: who calls, where the suite is, and the verbs."""

import asyncio
import signal
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lattice_cli import agent_commands, files_commands, integrations_commands, traces
from lattice_cli.connection import Addresses, Person
from lattice_cli.demo.play import play
from lattice_cli.invocation import Invocation, invocation_of
from lattice_cli.processes import ServiceFailedError
from lattice_cli.suite import SERVICES, TRACES_FILE, Suite, running_suite

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(files_commands.app, name="files")
app.add_typer(agent_commands.app, name="agent")
app.add_typer(integrations_commands.app, name="integrations")


@app.callback()
def root(
    context: typer.Context,
    tenant: Annotated[str, typer.Option(envvar="LATTICE_TENANT")] = "demo",
    workspace: Annotated[str, typer.Option(envvar="LATTICE_WORKSPACE")] = "main",
    user: Annotated[str, typer.Option("--as", envvar="LATTICE_USER", help="Who calls.")] = "you",
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
        asyncio.run(_up(invocation, addresses))
    except ServiceFailedError as error:
        invocation.refuse(str(error))


@app.command()
def demo(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print what each step saw, for programs.")] = False,
    page: Annotated[Path | None, typer.Option(help="Where page 1 goes as a PNG.")] = None,
) -> None:
    """Play the main job on a real document, in a fresh suite; fails when a step sees something else."""
    invocation = invocation_of(context)
    raise typer.Exit(asyncio.run(play(invocation.console, as_json=as_json or invocation.as_json, page=page)))


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
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with running_suite(invocation.folder, addresses=addresses) as suite:
        for service in SERVICES:
            address: str = getattr(addresses, service)
            invocation.console.print(f"{service:<12} {address}  log: {suite.log_of(service)}", highlight=False)
        invocation.console.print("Ctrl-C stops it", style="dim")
        followers = [asyncio.create_task(_show_log(invocation, suite, service)) for service in SERVICES]
        deaths = [asyncio.create_task(running.process.wait()) for running in suite.running.values()]
        waiting = asyncio.create_task(stopped.wait())
        await asyncio.wait([waiting, *deaths], return_when=asyncio.FIRST_COMPLETED)
        for task in (*followers, *deaths, waiting):
            task.cancel()
        if not stopped.is_set():
            invocation.refuse("a service ended by itself; its log says why")


async def _show_log(invocation: Invocation, suite: Suite, service: str) -> None:
    with suite.log_of(service).open(errors="replace") as log:
        log.seek(0, 2)
        while True:
            for line in log:
                invocation.console.print(f"[dim]{service:<12}[/dim] {line.rstrip()}", highlight=False, soft_wrap=True)
            await asyncio.sleep(0.2)
