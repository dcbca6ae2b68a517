"""The files service as a program: `lattice-files serve`, `migrate`, `erase`, `verify`, `reconcile`."""

import argparse
import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from lattice.files.v1.artifacts_service_pb2_grpc import add_ArtifactsServiceServicer_to_server
from lattice.files.v1.changes_service_pb2_grpc import add_ChangesServiceServicer_to_server
from lattice.files.v1.native_files_service_pb2_grpc import add_NativeFilesServiceServicer_to_server
from lattice.files.v1.proposals_service_pb2_grpc import add_ProposalsServiceServicer_to_server
from lattice_chassis import telemetry
from lattice_chassis.keeping import add_commands
from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.listen import open_announcer, open_listener
from lattice_chassis.postgres.locks import SessionLocks
from lattice_chassis.postgres.purge import purging
from lattice_chassis.postgres.readiness import open_readiness
from lattice_chassis.server import BoundServer, Service, run_until_stopped, serving
from lattice_chassis.tokens import authenticator_of, identity_source_of

from lattice_files.adapters.app_workers import open_app_workers
from lattice_files.adapters.blob_store import open_blob_store
from lattice_files.adapters.integrations import open_switches
from lattice_files.adapters.spool import open_spool
from lattice_files.domain.apps import Apps
from lattice_files.grpc.artifacts import ArtifactsServicer
from lattice_files.grpc.changes import ChangesServicer
from lattice_files.grpc.native_files import NativeFilesServicer
from lattice_files.grpc.proposals import ProposalsServicer
from lattice_files.service.feed import WatchLimits
from lattice_files.service.resources import Resources
from lattice_files.service.spool import Spool
from lattice_files.settings import AppSettings, FilesSettings
from lattice_files.store.unit_of_work import CHANNEL, UnitOfWork

MIGRATIONS: Final = "lattice_files.store.migrations"
"""The package with the revisions of the database."""

_log: Final = logging.getLogger("lattice.files")


class WrongApp(Exception):
    """The program that is configured for an app describes itself as another one."""


@asynccontextmanager
async def running(settings: FilesSettings) -> AsyncIterator[BoundServer]:
    """The service, from settings to a port that answers; on leaving it drains, then closes in reverse.

    The database has to be migrated, and the apps' programs have to start. Raises what the parts raise.
    """
    url = settings.database_url.get_secret_value()
    with open_spool(settings.spool) as spool:
        async with (
            purging(settings.follower_database_url.get_secret_value(), "files"),
            open_database(url, application="lattice files") as database,
            open_readiness(url, MIGRATIONS, application="lattice files") as ready,
            open_listener(url, CHANNEL, poll=settings.watch_poll) as listener,
            open_announcer(url, CHANNEL, listener) as announcer,
            open_switches(
                settings.integrations,
                identity_source_of(settings.credential),
                settings.peer_tls,
                settings.integrations_limit,
            ) as switches,
            open_app_workers([app.program() for app in settings.apps], settings.pool_limits()) as workers,
        ):
            _require_named(workers.apps, settings.apps)
            resources = Resources(
                unit=UnitOfWork(database, announcer, listener),
                locks=SessionLocks(url, application="lattice files lock"),
                switches=switches,
                workers=workers,
                blobs=open_blob_store(settings.blobs_url),
                spool=Spool(spool, settings.spool_quota),
                limits=settings.limits(),
                policies=settings.write_policies,
                kinds=settings.kinds,
                agents_accept=settings.agents_accept,
            )
            async with serving(
                settings.listen,
                _services(resources, settings.watch_limits()),
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
            ) as server:
                yield server


def _services(resources: Resources, watch_limits: WatchLimits) -> Sequence[Service[Any]]:
    return [
        Service(add_ArtifactsServiceServicer_to_server, ArtifactsServicer(resources)),
        Service(add_ProposalsServiceServicer_to_server, ProposalsServicer(resources)),
        Service(add_NativeFilesServiceServicer_to_server, NativeFilesServicer(resources)),
        Service(add_ChangesServiceServicer_to_server, ChangesServicer(resources, watch_limits)),
    ]


def _require_named(apps: Apps, settings: Sequence[AppSettings]) -> None:
    described, configured = sorted(app.name for app in apps), sorted(app.name for app in settings)
    if described != configured:
        raise WrongApp(f"the apps {configured} are configured, their programs say they are {described}")


def run() -> None:
    """The console script. Other commands than `serve` want other roles in LATTICE_FILES_DATABASE_URL."""
    parser = argparse.ArgumentParser(prog="lattice-files", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="serve until SIGTERM or SIGINT")
    commands.add_parser("migrate", help="bring the database up to date, as its owner role")
    erase, verify = add_commands(commands)
    erase.add_argument("--blobs-lost", action="store_true", help="also where the store has no blob that rows tell of")
    verify.add_argument("--taken-up", action="store_true", help="the input is what lattice-agent verify answers")
    arguments = parser.parse_args()
    settings = FilesSettings()  # type: ignore[call-arg]  # the environment names database and blobs
    telemetry.logging_setup(settings.log_format, settings.log_level)
    if arguments.command == "migrate":
        from lattice_chassis.postgres.migrations import migrate  # noqa: PLC0415 - Alembic is no load for a server

        applied = asyncio.run(migrate(settings.database_url.get_secret_value(), MIGRATIONS))
        _log.info("applied %s", ", ".join(applied) or "nothing: the database is up to date")
        return
    if arguments.command != "serve":
        from lattice_files.keeping import keep  # noqa: PLC0415 - nor are the commands of operators

        sys.exit(keep(arguments, settings))
    telemetry.configure("lattice-files")
    run_until_stopped(running(settings))
