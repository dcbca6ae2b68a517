"""What is stored of a workspace: every row of every table, so that a call which changed nothing can be told."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import psycopg2
from lattice_chassis.postgres.dialect import connection_parameters
from lattice_files.store import tables
from sqlalchemy import make_url

_CACHES: Final = frozenset({"blobs", "pages", "storage"})
"""What is stored before a write commits, and may outlive its refusal until it is collected [B-03, B-05]."""

_SHARED: Final = ("requests", "workspaces")
"""Tables that the chassis defines."""

_TABLES: Final = [*sorted(it.name for it in tables.metadata.sorted_tables if it.name not in _CACHES), *_SHARED]
_DEPLOYMENT: Final = frozenset({"artifact_types"})
"""Tables without tenants."""


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The rows of a table."""

    count: int
    digest: str


State = Mapping[str, Rows]
"""The rows of each table."""


class StoredState:
    """The stored state of the workspaces of one tenant."""

    def __init__(self, connection: "psycopg2.extensions.connection") -> None:
        self._connection = connection

    def of(self, workspace: str) -> State:
        """What is stored of a workspace, and of the deployment."""
        with self._connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(map(_query, _TABLES)), {"workspace": workspace})
            return {table: Rows(count=count, digest=digest) for table, count, digest in cursor.fetchall()}

    def counts(self, workspace: str) -> Counter[str]:
        """How many rows each table has of a workspace, and of the deployment."""
        return Counter({table: rows.count for table, rows in self.of(workspace).items()})

    def remembered(self, request_ids: Sequence[str]) -> int:
        """How many of the requests are remembered."""
        with self._connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM requests WHERE request_id = ANY(%s::uuid[])", (list(request_ids),))
            row = cursor.fetchone()
        return 0 if row is None else int(row[0])


@contextmanager
def stored_state(service_url: str, tenant: str) -> Iterator[StoredState]:
    """The state, over a connection of its own."""
    connection = psycopg2.connect(**connection_parameters(make_url(service_url)))
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lattice.tenant', %s, false)", (tenant,))
    try:
        yield StoredState(connection)
    finally:
        connection.close()


def _query(table: str) -> str:
    own = "" if table in _DEPLOYMENT else "WHERE workspace IN (%(workspace)s, '')"
    rows = "md5(coalesce(string_agg(it::text, E'\\n' ORDER BY it::text), ''))"
    return f"SELECT '{table}', count(*), {rows} FROM {table} AS it {own}"  # noqa: S608 - of our own names
