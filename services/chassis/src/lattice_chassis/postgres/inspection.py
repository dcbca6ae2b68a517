"""Looking over a service's database for what is damaged, missing or left over.

One snapshot of all tenants, which takes a role that row-level security does not bind and that needs to read only: the
one that makes backups. A check is a query whose rows are faults, so what is checked reads as a list of statements.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from lattice_chassis.postgres.operating import operating


class BoundRole(Exception):
    """The role sees one tenant at the most: a look through its eyes would find everything well."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Something that should not be."""

    kind: str
    """What is wrong, such as `FEED_GAP`."""
    workspace: str
    """The resource name of the workspace."""
    about: str
    """Which row, number or blob."""


class Inspection:
    """One snapshot of a whole database. Made by `open_inspection`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def rows(self, query: str, **parameters: object) -> list[Any]:
        """The rows of a query."""
        return list((await self._connection.execute(text(query), parameters)).all())

    async def faults(self, checks: Mapping[str, str]) -> list[Fault]:
        """What the checks find: by kind, queries of `tenant`, `workspace` and what it is about."""
        return [
            Fault(kind=kind, workspace=f"tenants/{row[0]}/workspaces/{row[1]}", about=str(row[2]))
            for kind, query in checks.items()
            for row in await self.rows(query)
        ]


@asynccontextmanager
async def open_inspection(url: str) -> AsyncIterator[Inspection]:
    """A snapshot of the database behind `url`; raises BoundRole where its role does not see all rows."""
    async with operating(url, "verify") as engine, engine.connect() as connection:
        inspection = Inspection(await connection.execution_options(isolation_level="REPEATABLE READ"))
        query = "SELECT rolname, rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
        ((name, unbound),) = await inspection.rows(query)
        if not unbound:
            raise BoundRole(f"the role {name} sees no more than one tenant: use one that has BYPASSRLS")
        yield inspection


def gap(table: str, column: str, head: str = "head") -> str:
    """The check that the numbers of a table go from 1 to its workspace's head, each once."""
    return f"""
        SELECT w.tenant, w.workspace, n FROM workspaces w CROSS JOIN LATERAL generate_series(1, w.{head}) n
        WHERE NOT EXISTS (SELECT FROM {table} t
            WHERE (t.tenant, t.workspace, t.{column}) = (w.tenant, w.workspace, n))
        UNION ALL
        SELECT t.tenant, t.workspace, t.{column} FROM {table} t LEFT JOIN workspaces w USING (tenant, workspace)
        WHERE t.{column} > coalesce(w.{head}, 0)
    """  # noqa: S608 - names of ours


def orphan(table: str, of: str, column: str, *, referring: str | None = None, when: str = "true") -> str:
    """The check that what a row of a table names is there: the row of `of` with the same `column`."""
    named = referring or column
    return f"""
        SELECT t.tenant, t.workspace, '{table} ' || t.{named} FROM {table} t
        WHERE {when} AND NOT EXISTS (SELECT FROM {of} o
            WHERE (o.tenant, o.workspace, o.{column}) = (t.tenant, t.workspace, t.{named}))
    """  # noqa: S608 - names of ours
