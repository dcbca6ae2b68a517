"""What an administrator does to the database while agent works: hold a lock, end a connection."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg2
from psycopg2 import sql

DEADLINE = 30.0
"""Seconds to wait for what takes milliseconds on an idle machine."""

_WAITING = """
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0
"""


class DatabaseAdministration:
    """A superuser of one database."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn

    @contextmanager
    def locked(self, table: str) -> Iterator[None]:
        """Hold every row of a table, as a transaction that is slow to end."""
        connection = psycopg2.connect(self._dsn)
        try:
            with connection.cursor() as cursor:
                cursor.execute(sql.SQL("SELECT FROM {} FOR UPDATE").format(sql.Identifier(table)))
            yield
        finally:
            connection.close()

    @contextmanager
    def closed(self, table: str) -> Iterator[None]:
        """Let nobody read a table, as while it is altered."""
        connection = psycopg2.connect(self._dsn)
        try:
            with connection.cursor() as cursor:
                cursor.execute(sql.SQL("LOCK TABLE {}").format(sql.Identifier(table)))
            yield
        finally:
            connection.close()

    async def cut_off_waiting(self) -> None:
        """End the connection that waits for a lock, as the death of its process would; waits until there is one."""
        connection = psycopg2.connect(self._dsn)
        connection.autocommit = True
        try:
            with connection.cursor() as cursor:
                async with asyncio.timeout(DEADLINE):
                    cursor.execute(_WAITING)
                    while (waiting := cursor.fetchone()) is None:
                        await asyncio.sleep(0.01)  # the condition is another connection's
                        cursor.execute(_WAITING)
                cursor.execute("SELECT pg_terminate_backend(%s)", waiting)
        finally:
            connection.close()

    def give_away_claims(self, tenant: str) -> None:
        """Let every claim of a tenant pass to somebody else, as after a stall longer than the claim."""
        self._execute("UPDATE claims SET holder = 'claim_of_another', token = token + 1 WHERE tenant = %s", tenant)

    def lapse_claims(self, tenant: str) -> None:
        """Let every claim of a tenant lapse, as those of a process that is no more."""
        self._execute("UPDATE claims SET expires_at = now() WHERE tenant = %s", tenant)

    def forget_principals(self, tenant: str) -> None:
        """Leave what a tenant has as it was written before it was kept for whom runs work."""
        self._execute("UPDATE messages SET principal = NULL WHERE tenant = %s", tenant)
        self._execute("UPDATE runs SET principal = NULL WHERE tenant = %s", tenant)

    def forget_kinds_of_authors(self, tenant: str) -> None:
        """Leave a tenant's messages as a replica wrote them that kept ids alone."""
        self._execute("UPDATE messages SET author = NULL WHERE tenant = %s", tenant)

    def _execute(self, statement: str, tenant: str) -> None:
        connection = psycopg2.connect(self._dsn)
        connection.autocommit = True
        try:
            with connection.cursor() as cursor:
                cursor.execute(statement, (tenant,))
        finally:
            connection.close()
