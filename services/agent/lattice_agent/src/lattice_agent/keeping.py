"""What an operator does with the store of agent: erase, verify and reconcile it [ER-01 to ER-06, MP-22]."""

import argparse
import asyncio
from datetime import timedelta
from time import monotonic
from typing import Any, Final

from artifactr.adapters.change_feed import FilesChangeFeed
from artifactr.store import checks, reconciling
from artifactr.store.erasing import carried_on, request_stops
from artifactr.store.unit_of_work import UnitOfWork
from artifactr.workspace.reconciliation import reconcile
from artifactr.workspace.workspaces import CHANNEL
from lattice.files.v1 import changes_service_pb2
from lattice_chassis.channels import channel
from lattice_chassis.keeping import confirmed_extent, tell_erased, tell_faults, tell_reconciled, tell_unfinished
from lattice_chassis.postgres.database import Database
from lattice_chassis.postgres.erasure import Extent, Report, WritersRemain, erase, open_erasure
from lattice_chassis.postgres.inspection import Fault, open_inspection
from lattice_chassis.postgres.listen import open_announcer, open_listener
from lattice_chassis.postgres.operating import operating
from lattice_chassis.postgres.reconciliation import begin_new_histories
from lattice_chassis.tokens import identity_source_of

from lattice_agent.settings import AgentSettings

SERVICE: Final = "agent"

RUNS_END_WITHIN: Final = timedelta(seconds=90)
"""How long runs may take to end once they are asked to: a claim is renewed, or lapses, within 30 s."""

_LOOK_EVERY: Final = 0.2


class RunsGoOn(Exception):
    """Runs did not end although they were asked to; nothing was erased."""


def keep(arguments: argparse.Namespace, settings: AgentSettings) -> int:
    """Do what the command says, and answer the exit status of the program."""
    url = settings.database_url.get_secret_value()
    match arguments.command:
        case "erase":
            extent = confirmed_extent(SERVICE, arguments)
            try:
                return tell_erased(SERVICE, extent, asyncio.run(erase_at_rest(url, extent)))
            except (RunsGoOn, WritersRemain) as error:
                tell_unfinished(SERVICE, extent, f"nothing was erased: {error}")
        case "verify":
            faults, taken_up = asyncio.run(verify(url))
            return tell_faults(SERVICE, faults, taken_up=taken_up)
        case _:
            return tell_reconciled(SERVICE, **asyncio.run(reconcile_all(url, settings)))


async def erase_at_rest(url: str, extent: Extent) -> Report:
    """Have runs end in their order, then erase; raises RunsGoOn where one does not within RUNS_END_WITHIN."""
    async with open_erasure(url, extent) as erasure:
        deadline = monotonic() + RUNS_END_WITHIN.total_seconds()
        while threads := await carried_on(erasure):
            await request_stops(erasure)  # again and again: what waits in a thread starts the next run of it
            if monotonic() > deadline:
                raise RunsGoOn(f"runs go on in {', '.join(threads)}")
            await asyncio.sleep(_LOOK_EVERY)
    return await erase(url, extent)


async def verify(url: str) -> tuple[list[Fault], list[dict[str, Any]]]:
    """What is wrong in the database, and how far each feed of files is taken up, for files to compare."""
    async with open_inspection(url) as inspection:
        faults = await inspection.faults(checks.CHECKS)
        return faults, [dict(row._mapping) for row in await inspection.rows(checks.TAKEN_UP)]  # noqa: SLF001


async def reconcile_all(url: str, settings: AgentSettings) -> dict[str, int]:
    """Begin new histories of all logs, and bring each to the head of its feed; files has to run."""
    done = {"workspaces": await begin_new_histories(url), "taken_up": 0, "lost": 0}
    source = identity_source_of(settings.credential)
    async with (
        operating(url, "reconcile") as engine,
        open_listener(url, CHANNEL) as listener,
        open_announcer(url, CHANNEL, listener) as announcer,
        channel(settings.files, (changes_service_pb2.DESCRIPTOR,), identity=source, tls=settings.peer_tls) as files,
    ):
        database, feed = Database(engine), FilesChangeFeed(files)
        unit = UnitOfWork(database, announcer, listener)
        async with database.across_tenants() as connection:
            keys = await reconciling.followed(connection)
        for key in keys:
            one = await reconcile(unit, feed, key)
            done["taken_up"] += one.taken_up
            done["lost"] += one.lost
    return done
