"""The databases of the services as their migrations make them, and rows of tenants in every table that has tenants.

Nothing here names a table: what a migration adds is covered the day it is added.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import artifactr.store.migrations
import lattice_files.store.migrations
import lattice_integrations.store.migrations
import psycopg2
from lattice_chassis.postgres.embedded import DatabaseUrls
from psycopg2 import sql

MIGRATIONS: Final = {
    it.__name__.split(".")[0]: it.__name__
    for it in (artifactr.store.migrations, lattice_files.store.migrations, lattice_integrations.store.migrations)
}
"""The revisions of each service's database."""

SOME: Final[Mapping[str, object]] = {
    "text": "same",
    "uuid": "11111111-1111-4111-8111-111111111111",
    "bigint": 1,
    "integer": 1,
    "smallint": 1,
    "boolean": True,
    "json": "{}",
    "jsonb": "{}",
    "bytea": b"same",
    "timestamp with time zone": "2026-01-01T00:00:00Z",
}
"""A value of each type that a column has: the same for every tenant, so that nothing but the tenant differs."""

_TENANT_TABLES: Final = """
    SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname = 'public' AND relkind IN ('r', 'p') AND EXISTS
        (SELECT 1 FROM pg_attribute a WHERE attrelid = c.oid AND attname = 'tenant' AND NOT attisdropped)
"""
_NECESSARY: Final = """
    SELECT column_name, data_type FROM information_schema.columns
    WHERE table_name = %s AND table_schema = 'public' AND is_nullable = 'NO' AND column_default IS NULL
"""
_CHECKS: Final = "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'c' AND conrelid = %s::regclass"


@dataclass(frozen=True)
class Schema:
    """A migrated database, seen by its administrator, whom row-level security does not bind."""

    service: str
    urls: DatabaseUrls
    dsn: str

    @cached_property
    def _administrator(self) -> "psycopg2.extensions.connection":
        connection = psycopg2.connect(self.dsn)
        connection.autocommit = True
        return connection

    @cached_property
    def tenant_tables(self) -> Sequence[str]:
        """The tables with a tenant."""
        return sorted(str(name) for (name,) in self.asked(_TENANT_TABLES))

    def asked(self, query: str, *parameters: object) -> list[tuple[object, ...]]:
        """The answer to a query of the administrator's."""
        with self._administrator.cursor() as cursor:
            cursor.execute(query, parameters)
            return list(cursor.fetchall()) if cursor.description else []

    def row(self, table: str, tenant: str) -> dict[str, object]:
        """A row of a tenant in a table: what has to be said, and of a checked text the first that is allowed."""
        checks = " ".join(str(check) for (check,) in self.asked(_CHECKS, table))
        found: dict[str, object] = {}
        for column, kind in self.asked(_NECESSARY, table):
            allowed = re.search(rf"\b{column} = ANY \(\(?ARRAY\['([^']+)'", checks)
            found[str(column)] = SOME[str(kind)] if allowed is None else allowed[1]
        return {**found, "tenant": tenant, "workspace": "main"}

    def insertion(self, table: str, tenant: str, more: str = "") -> str:
        """The statement that inserts such a row, whatever stands there."""
        row = self.row(table, tenant)
        names = sql.SQL(", ").join(map(sql.Identifier, row))
        values = sql.SQL(", ").join(map(sql.Literal, row.values()))
        statement = sql.SQL("INSERT INTO {} ({}) VALUES ({}) ").format(sql.Identifier(table), names, values)
        return str(statement.as_string(self._administrator)) + more
