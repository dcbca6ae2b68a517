"""The integrations service as a program: `lattice-integrations serve`, `lattice-integrations migrate`."""

import argparse
import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from lattice.integrations.v1 import integrations_service_pb2_grpc as pb_grpc
from lattice_chassis import telemetry
from lattice_chassis.identity import DevelopmentAuthenticator
from lattice_chassis.postgres.database import open_database
from lattice_chassis.postgres.listen import open_announcer, open_listener
from lattice_chassis.server import BoundServer, Service, run_until_stopped, serving

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
        open_database(url, application="lattice integrations") as database,
        open_listener(url, CHANNEL, poll=settings.watch_poll) as listener,
        open_announcer(url, CHANNEL, listener) as announcer,
    ):
        store = SwitchStore(database, listener, announcer, registry)
        servicer = IntegrationsServicer(store, registry, settings.limits())
        async with serving(
            settings.listen,
            [Service(pb_grpc.add_IntegrationsServiceServicer_to_server, servicer)],
            DevelopmentAuthenticator(),
            admin=settings.admin,
            reflection_enabled=settings.reflection,
            grace=settings.grace,
            notice=settings.notice,
            max_connection_age=settings.max_connection_age,
        ) as server:
            yield server


def run() -> None:
    """The console script. `migrate` wants the database's owner in LATTICE_INTEGRATIONS_DATABASE_URL."""
    parser = argparse.ArgumentParser(prog="lattice-integrations", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="serve until SIGTERM or SIGINT")
    commands.add_parser("migrate", help="bring the database up to date, as its owner role")
    command: str = parser.parse_args().command
    settings = IntegrationsSettings()  # type: ignore[call-arg]  # the environment names the database
    telemetry.logging_setup(settings.log_format, settings.log_level)
    if command == "migrate":
        from lattice_chassis.postgres.migrations import migrate  # noqa: PLC0415 - Alembic is no load for a server

        applied = asyncio.run(migrate(settings.database_url.get_secret_value(), MIGRATIONS))
        _log.info("applied %s", ", ".join(applied) or "nothing: the database is up to date")
        return
    telemetry.configure("lattice-integrations")
    run_until_stopped(running(settings))
