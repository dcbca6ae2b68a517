"""Time that passes in the rows behind the service's back, so that no exploration waits for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

import psycopg2
from lattice_chassis.postgres.dialect import connection_parameters
from sqlalchemy import make_url


class Passing:
    """The times in one workspace's rows."""

    def __init__(self, connection: "psycopg2.extensions.connection", workspace: str) -> None:
        self._connection = connection
        self._workspace = workspace

    def in_workspace(self, workspace: str) -> Self:
        """The same connection, for the rows of another workspace."""
        return type(self)(self._connection, workspace)

    def end_of_lease(self, artifact_id: str, *, a_day: bool = False) -> None:
        """Let the end of a file's lease be just over, or more than a day ago."""
        self._change(
            "UPDATE leases SET expires_at = least(expires_at, clock_timestamp()) - %s::interval"
            " WHERE workspace = %s AND artifact_id = %s AND expires_at IS NOT NULL",
            "25 hours" if a_day else "1 second",
            self._workspace,
            artifact_id,
        )

    def a_year_for_blobs(self) -> None:
        """Let a year be over since any blob was touched."""
        self._change(
            "UPDATE blobs SET touched_at = touched_at - interval '1 year' WHERE workspace = %s", self._workspace
        )

    def _change(self, statement: str, *parameters: object) -> None:
        with self._connection.cursor() as cursor:
            cursor.execute(statement, parameters)


@contextmanager
def passing(database_url: str, tenant: str, workspace: str) -> Iterator[Passing]:
    """Time in a workspace's rows, over a connection of its own."""
    connection = psycopg2.connect(**connection_parameters(make_url(database_url)))
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lattice.tenant', %s, false)", (tenant,))
    try:
        yield Passing(connection, workspace)
    finally:
        connection.close()
