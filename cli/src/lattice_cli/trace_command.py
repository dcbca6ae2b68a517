"""`lattice trace`: what happened in a run or in a change, through all services."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.files.v1 import artifacts_service_pb2 as artifacts_pb

from lattice_cli.artifacts import resolved
from lattice_cli.connection import Connection
from lattice_cli.invocation import invocation_of
from lattice_cli.trace_backend import BackendFailed, TraceBackend
from lattice_cli.trace_tree import draw
from lattice_cli.waterfall.page import page

_MOST_DIGITS: Final = 20


def trace(
    context: typer.Context,
    what: Annotated[
        str, typer.Argument(metavar="RUN|ARTIFACT@REVISION", help="A run's id, or an artifact and its version.")
    ],
    html: Annotated[Path | None, typer.Option(help="Write a page to look at in a browser instead.")] = None,
    backend: Annotated[
        str,
        typer.Option(
            envvar="LATTICE_TRACES", help="Ask this tracing backend, by Jaeger's query API: http://host:port."
        ),
    ] = "",
) -> None:
    """Print the trace of a run or of a change as a tree, with the traces that led to it."""
    invocation = invocation_of(context)
    url = backend or invocation.addresses().traces
    if not url:
        invocation.refuse("the suite sends its spans to a tracing backend: say with --backend where that is asked")
    trace_ids: list[str] = []

    async def work(connection: Connection) -> None:
        trace_ids.extend(await trace_ids_of(connection, what))

    invocation.call(work)
    if not trace_ids:
        invocation.refuse(f"{what} was not traced")
    try:
        found = TraceBackend(url=url).with_linked(trace_ids)
    except BackendFailed as error:
        invocation.refuse(str(error))
    if not any(it.trace_id in trace_ids for it in found):
        invocation.refuse(f"no span of {what} is known, or none any more: its trace is {', '.join(trace_ids)}")
    if html is not None:
        html.write_text(page(what, found), encoding="utf-8")
    if invocation.as_json:
        invocation.console.print_json(data={"traces": [it.as_json() for it in found]})
    elif html is None:
        draw(invocation.console, found)
    else:
        invocation.console.print(f"wrote {html}", markup=False, soft_wrap=True)


async def trace_ids_of(connection: Connection, what: str) -> Sequence[str]:
    """The traces that a run, or the revision `ARTIFACT@REVISION`, says it was made in; the oldest first."""
    artifact, at, revision = what.rpartition("@")
    if not (at and artifact and revision.isdecimal() and len(revision) < _MOST_DIGITS):
        request = runs_pb.GetRunRequest(name=connection.person.run_name(what))
        return list((await connection.runs.GetRun(request)).run.trace_ids)
    artifact_id = (await resolved(connection, artifact)).artifact_id
    name = f"{connection.person.artifact_name(artifact_id)}/revisions/{int(revision)}"
    found = (await connection.artifacts.GetRevision(artifacts_pb.GetRevisionRequest(name=name))).revision
    return [found.trace_id] if found.trace_id else []
