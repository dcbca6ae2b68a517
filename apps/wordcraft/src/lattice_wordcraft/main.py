"""The worker as a program: `lattice-wordcraft --socket PATH`."""

import argparse
import logging
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from lattice.app.v1 import app_service_pb2_grpc as app_grpc
from lattice_chassis import telemetry
from lattice_chassis.identity import DevelopmentAuthenticator, current_identity
from lattice_chassis.server import BoundServer, Service, run_until_stopped, serving

from lattice_wordcraft.grpc.app_service import AppServicer
from lattice_wordcraft.guards import Limits
from lattice_wordcraft.host import EngineHosts
from lattice_wordcraft.ports import Page
from lattice_wordcraft.rendering.cache import Cache
from lattice_wordcraft.rendering.choice import chosen as chosen_renderer
from lattice_wordcraft.rendering.jobs import Jobs
from lattice_wordcraft.rendering.libreoffice import NoLibreOffice
from lattice_wordcraft.sandbox.confinement import Bounds, NoConfinement, SelfConfinement, Unconfined, chosen
from lattice_wordcraft.sandbox.rooms import Rooms
from lattice_wordcraft.settings import WordCraftSettings
from lattice_wordcraft.wordcraft import WordCraft

_log: Final = logging.getLogger("lattice.wordcraft")


EX_CONFIG: Final = 78
"""The status with which the worker ends where it may not start: a setting is wrong for this machine."""


@asynccontextmanager
async def running(settings: WordCraftSettings, rooms: Rooms) -> AsyncIterator[BoundServer]:
    """The worker, from settings to a socket that answers; on leaving, no process of it is left."""
    hosts = EngineHosts(
        rooms,
        tenant=_tenant,
        size=settings.engine_hosts,
        time_limit=settings.engine_time_limit,
        jobs_per_host=settings.jobs_per_host,
        memory_per_host=settings.memory_per_host,
    )
    jobs = Jobs(rooms, size=settings.drawing_programs, time_limit=settings.page_time_limit)
    renderer = await chosen_renderer(
        settings.renderer, jobs, Cache[bytes](len, tenant=_tenant, max_bytes=settings.pdf_cache_bytes)
    )
    pages = Cache[Page](lambda page: len(page.png), tenant=_tenant, max_bytes=settings.page_cache_bytes)
    app = WordCraft(
        hosts,
        renderer,
        Limits(file=settings.max_file_bytes, macros=settings.macros),
        pages,
        time_limit=settings.job_time_limit,
    )
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
    socket: str = parser.parse_args().socket.removeprefix("unix:")
    settings = WordCraftSettings(listen=f"unix:{socket}")
    telemetry.logging_setup(settings.log_format, settings.log_level)
    with TemporaryDirectory(prefix="wordcraft-") as folder:
        try:
            rooms = _confined(settings, Path(socket).absolute(), Path(folder))
            telemetry.configure("lattice-wordcraft")
            run_until_stopped(running(settings, rooms))
        except (NoConfinement, NoLibreOffice) as error:
            _log.critical("the worker does not start: %s", error)
            sys.exit(EX_CONFIG)


def _tenant() -> str:
    """Whose call this is."""
    return current_identity().tenant


def _confined(settings: WordCraftSettings, socket: Path, folder: Path) -> Rooms:
    """Where programs run; the worker confines itself too, for ever, where they cannot be confined by others.

    Raises:
        NoConfinement: nothing confines them here, and no setting allows that.
    """
    confinement = chosen(folder, unconfined=settings.unconfined)
    if isinstance(confinement, SelfConfinement):
        named = os.environ.get(telemetry.TRACE_FILE_VARIABLE)
        appended = [Path(named)] if named else []
        for file in appended:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        tempfile.tempdir = str(folder)  # where content is spooled: no other folder can be written from here on
        confinement.enter(socket=socket, folder=folder, appended=appended)
    if isinstance(confinement, Unconfined):
        _log.warning("documents are opened by programs that nothing confines: open trusted documents only [SE-07]")
    else:
        _log.info("documents are opened by programs confined by %s", confinement.name)
    bounds = Bounds(memory=settings.program_memory, file_bytes=settings.program_file_bytes)
    return Rooms(confinement=confinement, folder=folder, bounds=bounds)
