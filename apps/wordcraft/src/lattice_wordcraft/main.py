"""The worker as a program: `lattice-wordcraft --socket PATH`."""

import argparse
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from lattice.app.v1 import app_service_pb2_grpc as app_grpc
from lattice_chassis import telemetry
from lattice_chassis.identity import DevelopmentAuthenticator
from lattice_chassis.server import BoundServer, Service, run_until_stopped, serving

from lattice_wordcraft.confinement import confinement
from lattice_wordcraft.grpc.app_service import AppServicer
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.host import EngineHosts
from lattice_wordcraft.rendering import renderer
from lattice_wordcraft.settings import WordCraftSettings
from lattice_wordcraft.wordcraft import WordCraft

_log: Final = logging.getLogger("lattice.wordcraft")


@asynccontextmanager
async def running(settings: WordCraftSettings) -> AsyncIterator[BoundServer]:
    """The worker, from settings to a socket that answers; on leaving, no process and no file of it is left."""
    with TemporaryDirectory(prefix="wordcraft-") as name:
        folder = Path(name)
        words = await confinement(folder)
        if words:
            _log.info("documents are opened by programs confined with %s", words[0])
        else:
            _log.warning("this machine confines no program: open trusted documents only [SE-07]")
        hosts = EngineHosts(
            size=settings.engine_hosts,
            time_limit=settings.engine_time_limit,
            jobs_per_host=settings.jobs_per_host,
            confinement=words,
            folder=folder,
        )
        drawing = renderer(time_limit=settings.page_time_limit, confinement=words, folder=folder)
        app = WordCraft(hosts, drawing, Limits(file=settings.max_file_bytes, macros=settings.macros))
        servicer = AppServicer(app, settings.max_file_bytes)
        try:
            await hosts.warm()
            # Whoever can open the socket's folder started the worker: its caller is believed.
            async with serving(
                settings.listen,
                [Service(app_grpc.add_AppServiceServicer_to_server, servicer)],
                DevelopmentAuthenticator(),
                admin=settings.admin,
                reflection_enabled=settings.reflection,
                grace=settings.grace,
                notice=settings.notice,
            ) as server:
                yield server
        finally:
            await hosts.close()


def run() -> None:
    """The console script: serve on the unix socket that the command line names, until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(prog="lattice-wordcraft", description=__doc__)
    parser.add_argument("--socket", required=True, help="the path of the unix socket to listen on")
    socket: str = parser.parse_args().socket
    settings = WordCraftSettings(listen=f"unix:{socket.removeprefix('unix:')}")
    telemetry.logging_setup(settings.log_format, settings.log_level)
    telemetry.configure("lattice-wordcraft")
    run_until_stopped(running(settings))
