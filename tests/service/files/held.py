"""Holding what writers need, so that a test decides in which order things happen."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg2
from lattice_chassis.postgres.dialect import connection_parameters
from sqlalchemy import make_url


class HeldWorkspace:
    """A workspace whose lock a test holds: writers queue for it."""

    def __init__(self, connection: "psycopg2.extensions.connection") -> None:
        self._connection = connection

    async def has_waiting(self, count: int) -> bool:
        """Whether so many writers wait for a lock of this database."""
        query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        with self._connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # else the first look is seen for the whole transaction
            cursor.execute(query)
            row = cursor.fetchone()
        return row is not None and row[0] >= count

    def release(self) -> None:
        """Let the writers go on."""
        self._connection.rollback()


@contextmanager
def held_workspace(service_url: str, tenant: str, workspace: str) -> Iterator[HeldWorkspace]:
    """Hold the lock of a workspace that was written to before."""
    connection = psycopg2.connect(**connection_parameters(make_url(service_url)))
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lattice.tenant', %s, true)", (tenant,))
            cursor.execute(
                "SELECT 1 FROM workspaces WHERE tenant = %s AND workspace = %s FOR UPDATE", (tenant, workspace)
            )
            assert cursor.fetchone() is not None
        yield HeldWorkspace(connection)
    finally:
        connection.close()
