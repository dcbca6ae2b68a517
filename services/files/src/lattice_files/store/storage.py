"""How many bytes of blobs a tenant has. The database counts them itself, as their rows come and go [SE-06]."""

from typing import Final

from sqlalchemy import bindparam, func, select

from lattice_files.store.tables import storage
from lattice_files.store.unit_of_work import Reading

_USED: Final = select(func.coalesce(func.sum(storage.c.bytes), 0)).where(storage.c.tenant == bindparam("tenant"))


async def used(reading: Reading) -> int:
    """The bytes of all blobs in all workspaces of the tenant; one row a workspace is read."""
    return int((await reading.connection.execute(_USED, {"tenant": reading.scope.tenant})).scalar_one())
