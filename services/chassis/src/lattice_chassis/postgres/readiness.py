"""Whether a service's database answers and is migrated far enough for this release; asked by `server.serving`."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Final

from sqlalchemy import text

from lattice_chassis.postgres.database import open_database

_MODULE: Final = re.compile(r"r(\d{4})_\w+\.py")


class SchemaBehind(Exception):
    """The database has not the last revision of this release yet: the migration has still to run."""


@asynccontextmanager
async def open_readiness(
    url: str, migrations: str, *, application: str
) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """What looks at the database behind `url`, as the service's role, for the revisions of the package `migrations`.

    A look raises SchemaBehind, PeerUnavailable ("database") where the server is away, or what the driver raises. A
    database that is ahead will do: its migration has run before the programs of the next release are started. The
    connection is its own, so that a service whose pool is in full use is not taken for one that cannot work.
    """
    wanted = last_revision(migrations)
    async with open_database(url, application=f"{application} readiness", pool_size=1) as database:

        async def look() -> None:
            async with database.across_tenants() as connection:
                applied: str | None = await connection.scalar(text("SELECT version_num FROM alembic_version"))
            if applied is None or applied < wanted:
                raise SchemaBehind(f"the database is at revision {applied}, this release needs {wanted}")

        yield look


def last_revision(migrations: str) -> str:
    """The id of the last revision in a package, by the names of its modules: Alembic is no load for a server."""
    found = (_MODULE.fullmatch(module.name) for module in files(migrations).iterdir())
    return max(module[1] for module in found if module is not None)
