"""The rows of a workspace's blobs, read and aged behind the service's back: a day passes in one statement."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import psycopg2
from lattice_chassis.postgres.dialect import connection_parameters
from sqlalchemy import make_url


class BlobRows:
    """The blobs of one tenant's workspace `main`."""

    def __init__(self, connection: "psycopg2.extensions.connection", tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def states(self) -> Mapping[str, str]:
        """The state of each blob, by its digest."""
        return dict(self._rows("SELECT digest, state FROM blobs WHERE workspace = 'main'"))

    def sizes(self) -> Mapping[str, int]:
        """The size of each blob, by its digest."""
        return dict(self._rows("SELECT digest, size FROM blobs WHERE workspace = 'main'"))

    def used(self) -> int:
        """How many bytes the workspace has by the database's own count."""
        return int(self._rows("SELECT coalesce(sum(bytes), 0) FROM storage WHERE workspace = 'main'")[0][0])

    def touched(self) -> Mapping[str, datetime]:
        """When each blob was touched last, by its digest."""
        return dict(self._rows("SELECT digest, touched_at FROM blobs WHERE workspace = 'main'"))

    def kept(self) -> frozenset[str]:
        """The digests of those that a revision names."""
        return frozenset(row[0] for row in self._rows("SELECT digest FROM blobs WHERE workspace = 'main' AND kept"))

    def pending(self) -> frozenset[str]:
        """The digests of those that a pending proposal names."""
        query = (
            "SELECT file -> part ->> 'digest' FROM proposals, json_each(proposal -> 'change') AS change (name, file),"
            " unnest(ARRAY['native', 'text', 'review']) AS part"
            " WHERE workspace = 'main' AND state = 'pending' AND name IN ('data', 'result')"
        )
        return frozenset(row[0] for row in self._rows(query))

    def images(self) -> frozenset[str]:
        """The digests of the images of cached pages."""
        return frozenset(row[0] for row in self._rows("SELECT image_digest FROM pages WHERE workspace = 'main'"))

    def age(self, by: timedelta) -> None:
        """Let so much time pass since each was touched; locks them in the order in which writers do."""
        self._change(
            "WITH own AS (SELECT digest FROM blobs WHERE workspace = 'main' ORDER BY digest FOR UPDATE)"
            " UPDATE blobs SET touched_at = touched_at - %s FROM own"
            " WHERE workspace = 'main' AND blobs.digest = own.digest",
            by,
        )

    def mark(self, digest: str) -> None:
        """Mark one as a collection does that then dies."""
        self._change("UPDATE blobs SET state = 'deleting', touched_at = clock_timestamp() WHERE digest = %s", digest)

    def forget(self, digest: str) -> None:
        """Delete the row of one, as the end of a collection does."""
        self._change("DELETE FROM blobs WHERE workspace = 'main' AND digest = %s", digest)

    def leave(self, *digests: str, size: int) -> None:
        """Add rows as writers leave them that fail before they store the object; it was a year ago."""
        self._change(
            "INSERT INTO blobs (tenant, workspace, digest, kind, size, state, touched_at)"
            " SELECT %s, 'main', digest, 'native', %s, 'present', clock_timestamp() - interval '1 year'"
            " FROM unnest(%s) AS digest",
            self._tenant,
            size,
            list(digests),
        )

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        with self._connection.cursor() as cursor:
            cursor.execute(query)
            return list(cursor.fetchall())

    def _change(self, statement: str, *parameters: object) -> None:
        with self._connection.cursor() as cursor:
            cursor.execute(statement, parameters)


@contextmanager
def blob_rows(service_url: str, tenant: str) -> Iterator[BlobRows]:
    """The rows, over a connection of their own."""
    connection = psycopg2.connect(**connection_parameters(make_url(service_url)))
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lattice.tenant', %s, false)", (tenant,))
    try:
        yield BlobRows(connection, tenant)
    finally:
        connection.close()
