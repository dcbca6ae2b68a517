"""The three roles of a database, and who may do what.

| role | logs in as | may |
|---|---|---|
| owner | migrations | own and alter the tables; forced row-level security holds for it too |
| service | a service's calls | what a table grants, on the rows of the transaction's tenant [TN-01] |
| follower | what looks across tenants | what a table grants, which is little, on the rows of every tenant |

None is a superuser, none bypasses row-level security. Roles belong to the whole server, so the name of their database
leads theirs.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg2
from psycopg2 import sql

_LONGEST_NAME = 63  # bytes; PostgreSQL cuts a longer name off in silence, and two databases would share their roles


@dataclass(frozen=True, kw_only=True)
class Roles:
    """The names of a database's three roles."""

    owner: str
    service: str
    follower: str


def roles_of(database: str) -> Roles:
    """The names of the roles of `database`; ValueError where they would not fit into PostgreSQL's 63 bytes."""
    roles = Roles(owner=f"{database}_owner", service=f"{database}_service", follower=f"{database}_follower")
    if len(roles.follower.encode()) > _LONGEST_NAME:
        raise ValueError(f"the database name {database!r} is too long: its roles would exceed {_LONGEST_NAME} bytes")
    return roles


def provision(admin_dsn: str, database: str) -> None:
    """Create `database` and its three roles, or bring what exists to this state; safe when two run at once.

    `admin_dsn` is libpq's connection string of a role that may create both. The roles log in without a password until
    one is set: who may connect at all is up to the server's `pg_hba.conf`. Raises psycopg2's errors.
    """
    roles = roles_of(database)
    with _administering(admin_dsn) as connection, connection.cursor() as cursor:
        # Roles and databases are the server's, so one lock for all of them; it goes with the connection.
        cursor.execute("SELECT pg_advisory_lock(hashtext('lattice provision'))")
        for role in (roles.owner, roles.service, roles.follower):
            _create_role(cursor, role)
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", (database,))
        if cursor.fetchone() is None:
            cursor.execute(_named("CREATE DATABASE {} OWNER {}", database, roles.owner))
        cursor.execute(_named("REVOKE ALL ON DATABASE {} FROM PUBLIC", database))
        cursor.execute(_named("GRANT CONNECT ON DATABASE {} TO {}, {}", database, roles.service, roles.follower))


@contextmanager
def _administering(dsn: str) -> Iterator[Any]:
    """A connection in autocommit, as CREATE DATABASE demands, closed on leaving."""
    connection = psycopg2.connect(dsn)
    try:
        connection.autocommit = True
        yield connection
    finally:
        connection.close()


def _create_role(cursor: "psycopg2.extensions.cursor", role: str) -> None:
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,))
    verb = "CREATE" if cursor.fetchone() is None else "ALTER"
    cursor.execute(_named(verb + " ROLE {} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION", role))


def _named(statement: str, *names: str) -> sql.Composed:
    return sql.SQL(statement).format(*map(sql.Identifier, names))
