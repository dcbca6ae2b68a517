"""`lattice agent …`: a person's threads, messages and the log."""

from typing import Annotated

import typer
from lattice.agent.v1 import log_service_pb2 as log_pb
from lattice.agent.v1 import runs_service_pb2 as runs_pb
from lattice.agent.v1 import threads_service_pb2 as threads_pb

from lattice_cli import conversations
from lattice_cli.connection import Connection
from lattice_cli.invocation import invocation_of
from lattice_cli.native_files import new_request_id

app = typer.Typer(no_args_is_help=True, help="Talk to the agent and read the log.")

ThreadOption = Annotated[str, typer.Option("--thread", help="The thread; the newest one unless given.")]

_RUN_WITHIN = 600.0


@app.command()
def agents(context: typer.Context) -> None:
    """List the agents to talk to, the default first."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = threads_pb.ListAgentsRequest(workspace=connection.person.workspace_name)
        found = (await connection.threads.ListAgents(request)).agents
        invocation.show_table(found, ("agent", "what for"), lambda it: (it.agent_name, it.description))

    invocation.call(work)


@app.command()
def thread(
    context: typer.Context,
    title: str,
    thread_id: Annotated[str, typer.Option("--id")] = "",
    agent_name: Annotated[str, typer.Option("--agent", help="The agent's name; the default one unless given.")] = "",
) -> None:
    """Create a thread with one agent for good."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        made = await conversations.create_thread(connection, title, thread_id, agent_name)
        invocation.show(made, made.thread_id)

    invocation.call(work)


@app.command()
def threads(context: typer.Context) -> None:
    """List the threads of the workspace."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        found = await conversations.threads(connection)
        columns = ("id", "title", "agent", "run")
        invocation.show_table(found, columns, lambda it: (it.thread_id, it.title, it.agent_name, it.active_run_id))

    invocation.call(work)


@app.command()
def send(
    context: typer.Context,
    content: str,
    thread_id: ThreadOption = "",
    wait: Annotated[bool, typer.Option(help="Wait for the run and print what it did.")] = True,
) -> None:
    """Send a message. It starts a run in an idle thread, and steers the run in a busy one."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        where = thread_id or await _newest_thread(connection, content)
        sent = await conversations.send(connection, where, content)
        invocation.show(sent, f"run {sent.run_id}" if sent.run_id else "it steers the run that goes on")
        if wait and sent.run_id:
            entries = await conversations.entries_of_run(
                connection, sent.run_id, within=_RUN_WITHIN, after=sent.log_sequence
            )
            for entry in entries:
                invocation.show(entry, conversations.told(entry))

    invocation.call(work)


@app.command()
def log(
    context: typer.Context,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with each new entry.")] = False,
    last: Annotated[int, typer.Option(min=1, max=2**31 - 1, help="How many entries to begin with.")] = 50,
) -> None:
    """Print the workspace's log."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        workspace = connection.person.workspace_name
        answer = await connection.log.ReadLog(log_pb.ReadLogRequest(workspace=workspace, last=last))
        for entry in answer.entries:
            invocation.show(entry, conversations.told(entry))
        if not follow:
            return
        async for message in connection.log.WatchLog(log_pb.WatchLogRequest(workspace=workspace, cursor=answer.head)):
            if message.HasField("entry"):
                invocation.show(message.entry, conversations.told(message.entry))

    invocation.call(work)


@app.command()
def run(context: typer.Context, run_id: str) -> None:
    """Say where a run stands, and what it waits for."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = runs_pb.GetRunRequest(name=connection.person.run_name(run_id))
        found = (await connection.runs.GetRun(request)).run
        status = runs_pb.RunStatus.Name(found.status).removeprefix("RUN_STATUS_").lower()
        waiting = (f"\n{conversations.asked(request)}" for request in found.pending)
        invocation.show(found, f"{status} {found.error}".strip() + "".join(waiting))

    invocation.call(work)


@app.command()
def answer(
    context: typer.Context,
    run_id: str,
    tool_call_id: str,
    words: Annotated[str, typer.Argument(help="The answer to a question, or the reason of a refusal.")] = "",
    approved: Annotated[bool | None, typer.Option("--approve/--decline", help="For a call that needs leave.")] = None,
) -> None:
    """Answer what a paused run waits for; after the last answer it goes on."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = runs_pb.AnswerDeferredRequest(
            name=connection.person.run_name(run_id),
            tool_call_id=tool_call_id,
            answer=words,
            approved=approved,
            request_id=new_request_id(),
        )
        given = await connection.runs.AnswerDeferred(request)
        invocation.show(given, "the run goes on" if given.resumed else "the run waits for more answers")

    invocation.call(work)


@app.command()
def watch(context: typer.Context, run_id: str) -> None:
    """Print what a run says, word by word, until it has ended; while it is paused nothing comes."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = runs_pb.WatchRunRequest(name=connection.person.run_name(run_id))
        async for frame in connection.runs.WatchRun(request):
            invocation.show_piece(frame, conversations.shown(frame))

    invocation.call(work)


@app.command()
def stop(context: typer.Context, run_id: str) -> None:
    """Stop a run."""
    invocation = invocation_of(context)

    async def work(connection: Connection) -> None:
        request = runs_pb.StopRunRequest(name=connection.person.run_name(run_id), request_id=new_request_id())
        answer = await connection.runs.StopRun(request)
        invocation.show(answer, "stopped" if answer.ended else "the stop is requested")

    invocation.call(work)


async def _newest_thread(connection: Connection, content: str) -> str:
    found = await conversations.threads(connection)
    if found:
        return found[-1].thread_id
    return (await conversations.create_thread(connection, content[:200])).thread_id
