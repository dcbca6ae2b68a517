"""Erasing a tenant, or one workspace of it, from a service's database, for good.

It is an operator's act, done as the owner role: a service has no right to delete what is on record. The tables are
taken from the schema, so none is forgotten. What is erased is closed first: its name, as a digest, goes into the table
`erasures`, and from then on a trigger on every table of tenants' data refuses its rows, whoever writes them and however
late. So a write that races with an erasure is erased or refused [ER-02].
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import Any, Final, Protocol

from sqlalchemy import CursorResult, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from lattice_chassis.failpoints import failpoint
from lattice_chassis.postgres.operating import operating

TENANT_TABLES: Final = """
    SELECT quote_ident(c.relname) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND a.attname = 'tenant' AND NOT a.attisdropped
    ORDER BY c.relname
"""
"""The tables of tenants' data of a database, by name."""

WRITERS_END_WITHIN: Final = timedelta(minutes=1)
"""How long transactions that write may take to end; the database ends those of services after 30 s."""

_WAIT: Final = timedelta(milliseconds=100)
_LOOK_AGAIN: Final = timedelta(milliseconds=400)
_LOCK_NOT_AVAILABLE: Final = "55P03"

_CLOSE: Final = text("INSERT INTO erasures (digest) VALUES (:digest) ON CONFLICT DO NOTHING")


class WritersRemain(Exception):
    """A transaction that writes has not ended in time; nothing was deleted, and a repeat goes on."""


@dataclass(frozen=True, kw_only=True)
class Extent:
    """What is erased: a tenant with all its workspaces, or one workspace of it; ValueError for an empty name."""

    tenant: str
    workspace: str | None = None

    def __post_init__(self) -> None:
        if not self.tenant or self.workspace == "":
            raise ValueError("an empty name would stand for everything there is")

    @property
    def name(self) -> str:
        """Its resource name."""
        return f"tenants/{self.tenant}" + ("" if self.workspace is None else f"/workspaces/{self.workspace}")

    @property
    def digest(self) -> bytes:
        """What is kept of its name, as the trigger computes it."""
        return hashlib.sha256(f"{len(self.tenant)}:{self.tenant}{self.workspace or ''}".encode()).digest()

    @property
    def condition(self) -> str:
        """Which rows are of it, in SQL; `parameters` belong to it."""
        return "tenant = :tenant" + ("" if self.workspace is None else " AND workspace = :workspace")

    @property
    def parameters(self) -> dict[str, str]:
        """The values of the condition."""
        return {"tenant": self.tenant} if self.workspace is None else vars(self)


class Erasure:
    """The steps of one erasure, each of which may be repeated. Made by `open_erasure`."""

    def __init__(self, engine: AsyncEngine, extent: Extent) -> None:
        self._engine = engine
        self.extent = extent
        """What is erased."""

    async def close(self) -> None:
        """Have the database refuse rows from now on, and wait until whoever may have missed that has ended.

        Raises WritersRemain where a writer does not end within WRITERS_END_WITHIN.
        """
        async with self.transaction() as connection:
            await connection.execute(_CLOSE, {"digest": self.extent.digest})
            tables = await _tenant_tables(connection)
        deadline = monotonic() + WRITERS_END_WITHIN.total_seconds()
        for table in tables:  # one at a time: whoever waits holds nothing that a writer could wait for
            while not await self._had_alone(table):
                if monotonic() > deadline:
                    raise WritersRemain(f"somebody has been writing to {table} for too long")
                await asyncio.sleep(_LOOK_AGAIN.total_seconds())

    async def delete(self) -> dict[str, int]:
        """Delete every row, in one transaction, and answer how many of each table."""
        async with self.transaction() as connection:
            tables = await _tenant_tables(connection)
            # First what every writer locks first, or one that is refused in the end could wait for us as we for it.
            await self._of(connection, "SELECT FROM", "workspaces", "FOR UPDATE")
            return {table: (await self._of(connection, "DELETE FROM", table)).rowcount for table in tables}

    async def count(self) -> dict[str, int]:
        """How many rows each table has now, read anew."""
        async with self.transaction() as connection:
            tables = await _tenant_tables(connection)
            return {it: (await self._of(connection, "SELECT count(*) FROM", it)).scalar_one() for it in tables}

    async def count_where(self, table: str, condition: str) -> int:
        """How many rows of a table meet a further condition of ours."""
        async with self.transaction() as connection:
            found = await self._of(connection, "SELECT count(*) FROM", table, f"AND {condition}")
            return int(found.scalar_one())

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that row-level security holds to the tenant."""
        async with self._engine.connect() as connection:
            own = await connection.execution_options(lattice_tenant=self.extent.tenant)
            async with own.begin():
                yield own

    async def _had_alone(self, table: str) -> bool:
        """Whether no transaction that writes to the table was open at one moment.

        Every writer of every tenant waits behind whoever waits for that, so nobody waits for long.
        """
        try:
            async with self.transaction() as connection:
                wait = f"{_WAIT / timedelta(milliseconds=1):g}ms"
                await connection.execute(text(f"SET LOCAL lock_timeout = '{wait}'"))
                await connection.execute(text(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE"))
        except OperationalError as error:
            if getattr(error.orig, "pgcode", None) != _LOCK_NOT_AVAILABLE:
                raise
            return False
        return True

    async def _of(self, connection: AsyncConnection, verb: str, table: str, how: str = "") -> CursorResult[Any]:
        statement = text(f"{verb} {table} WHERE {self.extent.condition} {how}")
        return await connection.execute(statement, self.extent.parameters)


@asynccontextmanager
async def open_erasure(owner_url: str, extent: Extent) -> AsyncIterator[Erasure]:
    """Open a service's database, migrated, as its owner role."""
    async with operating(owner_url, "erase") as engine:
        yield Erasure(engine, extent)


async def _tenant_tables(connection: AsyncConnection) -> Sequence[str]:
    return (await connection.execute(text(TENANT_TABLES))).scalars().all()


class ContentMissing(Exception):
    """What the database tells of is not where the content should be; nothing was deleted."""


class Content(Protocol):
    """What a service keeps of tenants outside of its database."""

    async def require(self, erasure: Erasure) -> None:
        """Raise ContentMissing where this cannot be the place whose objects the rows tell of."""
        ...

    async def clear(self, extent: Extent) -> int:
        """Delete all of it, whatever the database says of it, and answer how many objects."""
        ...

    async def count(self, extent: Extent) -> int:
        """How many objects there are now."""
        ...


@dataclass(frozen=True, kw_only=True)
class Report:
    """What one service erased, and what a look afterwards found; by table, and `objects` of content."""

    erased: dict[str, int]
    left: dict[str, int]

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not any(self.left.values())


async def erase(owner_url: str, extent: Extent, content: Content | None = None) -> Report:
    """Close what is named, delete it, and look afterwards; whoever is killed in the middle is finished by a repeat.

    Raises WritersRemain where somebody writes on and on, and ContentMissing before anything is done.
    """
    async with open_erasure(owner_url, extent) as erasure:
        if content is not None:
            await content.require(erasure)
        await erasure.close()
        failpoint("erase.closed")
        erased = await erasure.delete()
        if content is not None:
            failpoint("erase.deleted")
            erased["objects"] = await content.clear(extent)
            failpoint("erase.cleared")
        left = await erasure.count()
        if content is not None:
            left["objects"] = await content.count(extent)
        return Report(erased=erased, left=left)
