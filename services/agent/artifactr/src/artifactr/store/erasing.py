"""Ending what runs before it is erased, as the owner role [ER-03]."""

from typing import Final

from lattice_chassis.postgres.erasure import Erasure
from sqlalchemy import text

_STOP: Final = "UPDATE runs SET stop_requested = true WHERE status = 'running' AND {}"
_CARRIED_ON: Final = (
    "SELECT thread_id FROM claims WHERE holder IS NOT NULL AND expires_at > clock_timestamp() AND {} ORDER BY 1"
)


async def request_stops(erasure: Erasure) -> None:
    """Ask for the end of every run; a replica sees it as it renews its claim at the latest [RN-16]."""
    async with erasure.transaction() as connection:
        await connection.execute(text(_STOP.format(erasure.extent.condition)), erasure.extent.parameters)


async def carried_on(erasure: Erasure) -> list[str]:
    """The threads in which somebody carries a run on now."""
    async with erasure.transaction() as connection:
        query = text(_CARRIED_ON.format(erasure.extent.condition))
        return list((await connection.execute(query, erasure.extent.parameters)).scalars())
