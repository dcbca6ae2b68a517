"""The integrations service as a program: `lattice-integrations serve`, `migrate`, `erase`, `verify`, `reconcile`."""

import argparse
import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from lattice.integrations.v1 import integrations_service_pb2_grpc as pb_grpc
from lattice_chassis import telemetry
from lattice_chassis.keeping import add_commands
from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.listen import open_announcer, open_listener
from lattice_chassis.postgres.purge import purging
from lattice_chassis.postgres.readiness import open_readiness
from lattice_chassis.postgres.workspaces import position
from lattice_chassis.server import BoundServer, Service, run_until_stopped, serving
from lattice_chassis.tokens import authenticator_of

from lattice_integrations.grpc.flagd import services as flagd_services
from lattice_integrations.grpc.integrations import IntegrationsServicer
from lattice_integrations.settings import IntegrationsSettings
from lattice_integrations.store.switch_store import CHANNEL, SwitchStore

MIGRATIONS: Final = "lattice_integrations.store.migrations"
"""The package with the revisions of the database."""

_log: Final = logging.getLogger("lattice.integrations")


@asynccontextmanager
async def running(settings: IntegrationsSettings) -> AsyncIterator[BoundServer]:
    """The service, from settings to a port that answers; on leaving it drains, then closes in reverse.

    The database has to be migrated. Raises what `open_database` and `serving` raise.
    """
    registry = settings.declared()
    url = settings.database_url.get_secret_value()
    async with (
        purging(settings.follower_database_url.get_secret_value(), "integrations"),
        open_database(url, application="lattice integrations") as database,
        open_readiness(url, MIGRATIONS, application="lattice integrations") as ready,
        open_listener(url, CHANNEL, poll=settings.watch_poll, position=partial(position, database)) as listener,
        open_announcer(url, CHANNEL, listener) as announcer,
    ):
        store = SwitchStore(database, listener, announcer, registry)
        servicer = IntegrationsServicer(store, registry, settings.limits())
        door = flagd_services(store, registry, settings.limits()) if settings.flagd else ()
        async with serving(
            settings.listen,
            [Service(pb_grpc.add_IntegrationsServiceServicer_to_server, servicer), *door],
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


def run() -> None:
    """The console script. Other commands than `serve` want other roles in LATTICE_INTEGRATIONS_DATABASE_URL."""
    parser = argparse.ArgumentParser(prog="lattice-integrations", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="serve until SIGTERM or SIGINT")
    commands.add_parser("migrate", help="bring the database up to date, as its owner role")
    add_commands(commands)
    arguments = parser.parse_args()
    settings = IntegrationsSettings()  # type: ignore[call-arg]  # the environment names the database
    telemetry.logging_setup(settings.log_format, settings.log_level)
    if arguments.command == "migrate":
        from lattice_chassis.postgres.migrations import migrate  # noqa: PLC0415 - Alembic is no load for a server

        applied = asyncio.run(migrate(settings.database_url.get_secret_value(), MIGRATIONS))
        _log.info("applied %s", ", ".join(applied) or "nothing: the database is up to date")
        return
    if arguments.command != "serve":
        from lattice_integrations.keeping import keep  # noqa: PLC0415 - nor are the commands of operators

        sys.exit(keep(arguments, settings))
    telemetry.configure("lattice-integrations")
    run_until_stopped(running(settings))
