"""The leases of a workspace's files, read and ended behind the service's back: a lease lapses in one statement."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg2
from lattice_chassis.postgres.dialect import connection_parameters
from sqlalchemy import make_url


class LeaseRows:
    """The leases of one workspace."""

    def __init__(self, connection: "psycopg2.extensions.connection", workspace: str) -> None:
        self._connection = connection
        self._workspace = workspace

    def live(self) -> dict[str, int]:
        """The token of each lease that lives now, by its artifact."""
        query = "SELECT artifact_id, token FROM leases WHERE workspace = %s AND expires_at > clock_timestamp()"
        with self._connection.cursor() as cursor:
            cursor.execute(query, [self._workspace])
            return dict(cursor.fetchall())

    def lapse(self) -> None:
        """Let every lease have ended just now."""
        statement = "UPDATE leases SET expires_at = clock_timestamp() WHERE workspace = %s AND expires_at IS NOT NULL"
        with self._connection.cursor() as cursor:
            cursor.execute(statement, [self._workspace])


@contextmanager
def lease_rows(service_url: str, tenant: str, workspace: str) -> Iterator[LeaseRows]:
    """The rows, over a connection of their own."""
    connection = psycopg2.connect(**connection_parameters(make_url(service_url)))
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lattice.tenant', %s, false)", (tenant,))
    try:
        yield LeaseRows(connection, workspace)
    finally:
        connection.close()
