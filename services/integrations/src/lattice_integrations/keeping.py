"""What an operator does with the store of integrations: erase, verify and reconcile it [ER-01 to ER-06, MP-22]."""

import argparse
import asyncio
from collections.abc import Mapping
from typing import Final

from lattice_chassis.keeping import confirmed_extent, tell_erased, tell_faults, tell_reconciled, tell_unfinished
from lattice_chassis.postgres.erasure import WritersRemain, erase
from lattice_chassis.postgres.inspection import Fault, gap, open_inspection, orphan
from lattice_chassis.postgres.reconciliation import begin_new_histories

from lattice_integrations.settings import IntegrationsSettings

SERVICE: Final = "integrations"

CHECKS: Final[Mapping[str, str]] = {
    "SWITCH_GAP": gap("switch_changes", "revision"),
    "ORPHAN": orphan("requests", "workspaces", "workspace"),
}
"""By kind of fault; each query answers tenant, workspace and what it is about."""


def keep(arguments: argparse.Namespace, settings: IntegrationsSettings) -> int:
    """Do what the command says, and answer the exit status of the program."""
    url = settings.database_url.get_secret_value()
    match arguments.command:
        case "erase":
            extent = confirmed_extent(SERVICE, arguments)
            try:
                return tell_erased(SERVICE, extent, asyncio.run(erase(url, extent)))
            except WritersRemain as error:
                tell_unfinished(SERVICE, extent, f"not everything was erased: {error}")
        case "verify":
            return tell_faults(SERVICE, asyncio.run(verify(url)))
        case _:
            return tell_reconciled(SERVICE, workspaces=asyncio.run(begin_new_histories(url)))


async def verify(url: str) -> list[Fault]:
    """What is wrong in the database."""
    async with open_inspection(url) as inspection:
        return await inspection.faults(CHECKS)
