"""The agent service as a program: `lattice-agent serve [MODULE:RUNNER …]`, `lattice-agent migrate`."""

import argparse
import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any, Final, TypeAlias

import grpc
from artifactr import Runner
from artifactr.workspace import Workspaces, open_workspaces
from artifactr.workspace.executions import Replica
from artifactr.workspace.watching import WatchLimits
from lattice.agent.v1.log_service_pb2_grpc import add_LogServiceServicer_to_server
from lattice.agent.v1.runs_service_pb2_grpc import add_RunsServiceServicer_to_server
from lattice.agent.v1.threads_service_pb2_grpc import add_ThreadsServiceServicer_to_server
from lattice.files.v1 import (
    artifacts_service_pb2,
    changes_service_pb2,
    native_files_service_pb2,
    proposals_service_pb2,
)
from lattice_chassis import telemetry
from lattice_chassis.channels import channel
from lattice_chassis.keeping import add_commands
from lattice_chassis.postgres.purge import purging
from lattice_chassis.postgres.readiness import open_readiness
from lattice_chassis.server import BoundServer, Service, run_until_stopped, serving
from lattice_chassis.tokens import authenticator_of, identity_source_of

from lattice_agent.agents import Agents
from lattice_agent.default_agent import default_runner
from lattice_agent.grpc.log import LogServicer
from lattice_agent.grpc.run_watches import RunWatches
from lattice_agent.grpc.runs import RunsServicer
from lattice_agent.grpc.threads import ThreadsServicer
from lattice_agent.settings import AgentSettings

MIGRATIONS: Final = "artifactr.store.migrations"
"""The package with the revisions of the database."""

FILES_CONTRACTS: Final = (
    artifacts_service_pb2.DESCRIPTOR,
    changes_service_pb2.DESCRIPTOR,
    native_files_service_pb2.DESCRIPTOR,
    proposals_service_pb2.DESCRIPTOR,
)
"""What agent calls of files."""

MakeRunner: TypeAlias = Callable[[AgentSettings, grpc.aio.Channel], Runner[Any, Any]]
"""Makes the runner that is served, from the settings and a channel to files."""

_log: Final = logging.getLogger("lattice.agent")


class NoRunner(Exception):
    """What `serve` was told to serve is no runner, or cannot be imported."""


@asynccontextmanager
async def running(
    settings: AgentSettings, make_runner: MakeRunner = default_runner, *make_others: MakeRunner
) -> AsyncIterator[BoundServer]:
    """The service, from settings to a port that answers; on leaving it drains, then closes in reverse.

    The agent of the first runner is the default. The runs of this process have `run_grace` to end once no more calls
    come in; then they are stopped, and their ends recorded. The database has to be migrated; files need not be up: the
    types of the agents' artifacts are registered as soon as it is.

    Raises what `open_database` and `serving` raise, TypeRefused where files does not take a type, and AgentsRefused
    where two agents cannot be served side by side.
    """
    replica = Replica(address=settings.address)
    follower_url = settings.follower_database_url.get_secret_value()
    async with (
        purging(follower_url, "agent"),
        channel(
            settings.files,
            FILES_CONTRACTS,
            identity=identity_source_of(settings.credential),
            tls=settings.peer_tls,
        ) as files,
        open_workspaces(
            settings.database_url.get_secret_value(),
            files,
            poll=settings.watch_poll,
            follower_url=follower_url,
            replica=replica,
        ) as workspaces,
        Agents([make(settings, files) for make in (make_runner, *make_others)], grace=settings.run_grace) as agents,
        workspaces.registering(agents.types),
        open_readiness(settings.database_url.get_secret_value(), MIGRATIONS, application="lattice agent") as ready,
        serving(
            settings.listen,
            _services(settings, workspaces, agents, replica),
            authenticator_of(settings.auth),
            tls=settings.tls,
            admin=settings.admin,
            health_port=settings.health_port,
            reflection_enabled=settings.reflection,
            grace=settings.grace,
            notice=settings.notice,
            max_connection_age=settings.max_connection_age,
            rate=settings.rate,
            patience=settings.patience,
            streams=settings.streams,
            trace_callers=settings.trace_callers,
            ready=ready,
        ) as server,
    ):
        replica.address = replica.address or server.address
        async with agents.recovering(workspaces, every=settings.look_every):
            yield server


def _services(
    settings: AgentSettings, workspaces: Workspaces, agents: Agents, replica: Replica
) -> Sequence[Service[Any]]:
    limits = WatchLimits(backlog=settings.watch_backlog, progress=settings.watch_progress)
    threads = ThreadsServicer(workspaces, agents)
    runs = RunsServicer(workspaces, agents, RunWatches(agents, replica, settings.peer_tls))
    log = LogServicer(workspaces, limits)
    return (
        Service(add_ThreadsServiceServicer_to_server, threads),
        Service(add_RunsServiceServicer_to_server, runs),
        Service(add_LogServiceServicer_to_server, log),
    )


def runner_maker(named: str | None) -> MakeRunner:
    """What makes the runner: the default agent's, or what `module:name` names.

    That is a Runner, or a function of the settings and a channel to files that answers one. Raises NoRunner where it is
    neither.
    """
    if named is None:
        return default_runner
    module, _, name = named.partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise NoRunner(f"{named} cannot be imported: {error}") from error
    if isinstance(found, Runner):
        return lambda _settings, _files: found
    if not callable(found):
        raise NoRunner(f"{named} is neither a Runner nor a function that makes one")
    make: MakeRunner = found
    return make


def run() -> None:
    """The console script. Other commands than `serve` want other roles in LATTICE_AGENT_DATABASE_URL."""
    parser = argparse.ArgumentParser(prog="lattice-agent", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve until SIGTERM or SIGINT")
    serve.add_argument(
        "runners",
        nargs="*",
        metavar="MODULE:RUNNER",
        help="what to serve instead of the default agent: several agents by their names, the first for who names none",
    )
    commands.add_parser("migrate", help="bring the database up to date, as its owner role")
    add_commands(commands)
    arguments = parser.parse_args()
    settings = AgentSettings()  # type: ignore[call-arg]  # the environment names the database and files
    telemetry.logging_setup(settings.log_format, settings.log_level)
    if arguments.command == "migrate":
        from lattice_chassis.postgres.migrations import migrate  # noqa: PLC0415 - Alembic is no load for a server

        applied = asyncio.run(migrate(settings.database_url.get_secret_value(), MIGRATIONS))
        _log.info("applied %s", ", ".join(applied) or "nothing: the database is up to date")
        return
    if arguments.command != "serve":
        from lattice_agent.keeping import keep  # noqa: PLC0415 - no load for a server

        sys.exit(keep(arguments, settings))
    telemetry.configure("lattice-agent")
    run_until_stopped(running(settings, *map(runner_maker, arguments.runners or [None])))
