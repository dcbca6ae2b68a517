"""A service's database: an engine, and transactions that belong to one tenant.

A transaction names its tenant once, at its start, and row-level security holds every statement inside to it [TN-01].
No RPC, blob or model call may run inside: `lattice_chassis.transactions.in_transaction` is true there, and client
channels refuse. The roles are those of `lattice_chassis.postgres.roles`.
"""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from typing import Any, Final
from weakref import WeakSet

from opentelemetry.metrics import CallbackOptions, Observation
from sqlalchemy import QueuePool, text
from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from lattice_chassis.errors import PeerUnavailable, WorkspaceErased
from lattice_chassis.metrics import METER
from lattice_chassis.postgres.dialect import AUTOCOMMIT
from lattice_chassis.transactions import in_transaction, transaction_open

ERASED_STATE: Final = "LT410"
"""The SQLSTATE with which a database refuses a row of what was erased."""

_log: Final = logging.getLogger(__name__)

_open: Final["WeakSet[Database]"] = WeakSet()
"""The databases of this process, for whoever measures."""


class UnsafeRoleError(Exception):
    """The database's URL logs in as a role that row-level security does not bind; a service must not run on it."""


class Database:
    """Transactions on a pool of connections; may be shared by all tasks of an event loop. Made by `open_database`."""

    def __init__(self, engine: AsyncEngine, name: str = "") -> None:
        self.name: Final = name
        """What its connections are named by."""
        self._engine = engine
        _open.add(self)

    def connections(self) -> tuple[int, int]:
        """How many connections of the pool are used now, and how many are open and idle."""
        pool = self._engine.pool
        return (pool.checkedout(), pool.checkedin()) if isinstance(pool, QueuePool) else (0, 0)

    @asynccontextmanager
    async def transaction(self, tenant: str) -> AsyncIterator[AsyncConnection]:
        """A transaction on the rows of `tenant`: commits on leaving, rolls back on any exception [WP-02].

        Nothing is sent before the first statement. A task that is cancelled in here leaves no lock behind; cancelled
        while it commits, it may have taken effect all the same [WP-07]. RuntimeError inside another transaction of the
        same task: two connections for one task would exhaust the pool with every task waiting for its second.
        PeerUnavailable ("database") where the server is away, or slower than the limits of `open_database`;
        WorkspaceErased where a row is written into a workspace that was erased [ER-02].
        """
        if not tenant:
            raise ValueError("a transaction needs a tenant; across_tenants is the one without")
        async with self._connected(lattice_tenant=tenant) as connection:
            yield connection

    @asynccontextmanager
    async def autocommit(self, tenant: str) -> AsyncIterator[AsyncConnection]:
        """Statements on the rows of `tenant`, each a transaction by itself: without the round trip that ends one.

        For this task a transaction counts as open all the same, since a connection is in use.
        """
        if not tenant:
            raise ValueError("statements need a tenant")
        async with self._connected(lattice_tenant=tenant, isolation_level=AUTOCOMMIT) as connection:
            yield connection

    @asynccontextmanager
    async def across_tenants(self) -> AsyncIterator[AsyncConnection]:
        """A transaction without a tenant, for the follower role; as the service role it sees and changes no row."""
        async with self._connected() as connection:
            yield connection

    @asynccontextmanager
    async def _connected(self, **options: Any) -> AsyncIterator[AsyncConnection]:  # noqa: ANN401 - SQLAlchemy's
        if in_transaction():
            raise RuntimeError("this task has a transaction open already")
        with _failures_told():
            async with self._engine.connect() as connection:
                own = await connection.execution_options(**options)
                transaction_open.set(True)
                try:
                    async with own.begin():
                        yield own
                finally:
                    transaction_open.set(False)


def _observed(_options: CallbackOptions) -> Iterator[Observation]:
    for database in _open:
        for state, count in zip(("used", "idle"), database.connections(), strict=True):
            yield Observation(
                count, {"db.client.connection.pool.name": database.name, "db.client.connection.state": state}
            )


METER.create_observable_up_down_counter(
    "db.client.connection.count", [_observed], "{connection}", "Connections of the pools to the database, by their use"
)


@contextmanager
def _failures_told() -> Iterator[None]:
    """Make a database that is away, full, or slower than its limits the peer that it is, and tell what was erased.

    What was not committed is undone, and a commit whose answer was lost is told by a repeat [WP-07].
    """
    try:
        yield
    except (OperationalError, InterfaceError, NoFreeConnection) as error:
        _log.warning("the database fails: %s", str(error).splitlines()[0])
        raise PeerUnavailable(peer="database") from error
    except DatabaseError as error:
        if getattr(error.orig, "pgcode", None) != ERASED_STATE:
            raise
        raise WorkspaceErased(id=error.orig.diag.message_detail) from error  # type: ignore[union-attr] # psycopg2's


@asynccontextmanager
async def open_database(
    url: str,
    *,
    application: str,
    pool_size: int = 20,
    pool_timeout: timedelta = timedelta(seconds=10),
    statement_timeout: timedelta = timedelta(seconds=30),
) -> AsyncIterator[Database]:
    """Open the database behind `url`, as the role that the URL names; on leaving, its connections close.

    `application` names the connections in `pg_stat_activity`. At most `pool_size` connections are open, each checked
    for life before use; who finds none free within `pool_timeout` gets PeerUnavailable. The server cancels a statement
    after `statement_timeout`, and ends a transaction idle for as long: PeerUnavailable too.
    Raises UnsafeRoleError for a superuser, and what the driver raises where the database cannot be reached now.
    """
    milliseconds = round(statement_timeout.total_seconds() * 1000)
    settings = {
        "statement_timeout": milliseconds,
        "idle_in_transaction_session_timeout": milliseconds,
        "timezone": "UTC",
    }
    engine = create_async_engine(
        url,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=pool_timeout.total_seconds(),
        pool_pre_ping=True,
        hide_parameters=True,  # they are the tenants', and errors are logged
        connect_args={
            "application_name": application,
            "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
        },
    )
    try:
        await _refuse_unsafe_role(engine)
        yield Database(engine, application)
    finally:
        await engine.dispose()


async def _refuse_unsafe_role(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        query = text("SELECT rolname, rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        name, unsafe = (await connection.execute(query)).one()
    if unsafe:
        raise UnsafeRoleError(f"the role {name} bypasses row-level security; use the database's service role")
