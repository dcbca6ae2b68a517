"""`postgresql+aiopg`: SQLAlchemy's asyncio dialect on top of aiopg.

psycopg2 in asynchronous mode is always in autocommit and refuses commit, isolation levels and executemany, so BEGIN,
COMMIT and ROLLBACK are statements sent from here. BEGIN waits for the first statement of a transaction and rides in
front of it, together with the tenant that row-level security reads: one round trip for the three. In AUTOCOMMIT the
tenant rides in front of every statement, and both are one transaction of the server's.

The execution option `lattice_tenant` names the tenant of the transactions that follow on a connection; it is taken back
when the connection returns to its pool. A commit that is cancelled has an unknown outcome: idempotency keys decide
[ID-03].

A statement with the options DEFERRED rides in front of the next one of its transaction, or of COMMIT, and what it
raises is raised there: all that a unit of work writes shares one round trip with its commit. It answers nothing, so an
insert whose key the server makes has to be `inline()`.

Two-phase commits, COPY and server-side cursors are not offered: no service reads more than a page at a time.
"""

# ruff: noqa: ANN401, ARG002, ARG003 -- SQLAlchemy's interface of drivers is untyped, and its signatures are given

import json
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar, cast

import psycopg2
import psycopg2.extensions
import psycopg2.extras
from sqlalchemy import URL, pool
from sqlalchemy.connectors.asyncio import (
    AsyncAdapt_dbapi_connection,
    AsyncAdapt_dbapi_cursor,
    AsyncAdapt_dbapi_module,
    AsyncAdapt_terminate,
)
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg2 import PGDialect_psycopg2
from sqlalchemy.engine.characteristics import ConnectionCharacteristic
from sqlalchemy.util.concurrency import await_

from lattice_chassis.postgres import driver

TENANT_SETTING = "lattice.tenant"
"""The setting of a transaction that the policies of row-level security compare with."""

TRUSTED_FOR = timedelta(seconds=1)
"""How long after its last use a connection is taken to live without asking the server."""

AUTOCOMMIT = "AUTOCOMMIT"

DEFERRED = {"lattice_deferred": True}
"""The execution options of a statement whose answer nobody needs before the commit."""


class AiopgCursor(AsyncAdapt_dbapi_cursor):
    """A cursor that fetches all rows at once, and starts the transaction with its first statement."""

    __slots__ = ("_rows_of_many",)

    _awaitable_cursor_close = False
    _adapt_connection: "AiopgConnection"

    def __init__(self, adapt_connection: "AiopgConnection") -> None:
        self._rows_of_many: int | None = None
        super().__init__(adapt_connection)

    def _make_new_cursor(self, connection: Any) -> Any:
        return connection.new_cursor()

    def _aenter_cursor(self, cursor: Any) -> Any:
        return cursor

    @property
    def in_autocommit(self) -> bool:
        """Whether each statement is a transaction by itself."""
        return self._adapt_connection.autocommit

    @property
    def connection(self) -> Any:
        """psycopg2's connection, whose notices SQLAlchemy logs."""
        return self._connection.raw

    @property
    def rowcount(self) -> int:
        """The rows that the last statement touched; for several sets of parameters, their sum."""
        return self._cursor.rowcount if self._rows_of_many is None else self._rows_of_many

    async def _execute_async(self, operation: Any, parameters: Any) -> None:
        async with self._adapt_connection._execute_mutex:  # noqa: SLF001  # the base class's own way
            await self._send(operation, parameters)
            if self._cursor.description:
                self._rows = deque(cast("Any", self._cursor).fetchall())

    async def _executemany_async(self, operation: Any, seq_of_parameters: Any) -> None:
        # One statement a row: psycopg2 refuses executemany here, and bulk inserts never come this way.
        async with self._adapt_connection._execute_mutex:  # noqa: SLF001
            touched = 0
            for parameters in seq_of_parameters:
                await self._send(operation, parameters)
                touched += self._cursor.rowcount
            self._rows_of_many = touched

    async def _send(self, operation: str, parameters: Any) -> None:
        bound = self._bound(operation, parameters)  # first: what cannot be bound must not take others with it
        ahead = self._adapt_connection.take_ahead()
        await cast("driver.Connection", self._connection).execute(self._cursor, ahead + bound)

    def defer(self, operation: str, *parameters: Any) -> None:
        """Have the statement, once with each set of parameters, ride in front of the next one or of COMMIT."""
        await_(self._defer_async(operation, parameters))

    async def _defer_async(self, operation: str, sets: Sequence[Any]) -> None:  # async: SQLAlchemy expects an await
        self._adapt_connection.deferred += [self._bound(operation, it) for it in sets]

    def _bound(self, operation: str, parameters: Any) -> bytes:
        statement: bytes = cast("Any", self._cursor).mogrify(operation, parameters)
        return statement

    def setinputsizes(self, *inputsizes: Any) -> None:
        """Do nothing: psycopg2 binds on the client."""


class AiopgConnection(AsyncAdapt_terminate, AsyncAdapt_dbapi_connection):
    """What SQLAlchemy takes for a DBAPI connection; transactions are statements of ours."""

    _cursor_cls: Any = AiopgCursor
    _connection: Any

    __slots__ = ("deferrable", "deferred", "isolation_level", "readonly", "tenant")

    def __init__(self, dbapi: Any, connection: driver.Connection) -> None:
        super().__init__(dbapi, cast("Any", connection))
        self.isolation_level: str | None = None
        self.readonly = False
        self.deferrable = False
        self.tenant: str | None = None
        self.deferred: list[bytes] = []

    @property
    def autocommit(self) -> bool:
        """Whether statements run outside of transactions."""
        return self.isolation_level == AUTOCOMMIT

    @property
    def closed(self) -> bool:
        """Whether the connection is lost or closed, as far as is known without asking the server."""
        return bool(self._connection.closed)

    @property
    def status(self) -> int:
        """The transaction's state as libpq knows it, one of psycopg2's TRANSACTION_STATUS constants; costs no I/O."""
        return int(self._connection.raw.get_transaction_status())

    def take_ahead(self) -> bytes:
        """Take what goes in front of the next statement: the transaction's beginning, and what was deferred in it."""
        ahead = [] if self._begun else self._opening()
        ahead += self.deferred
        self.deferred.clear()
        return b"".join(statement + b"; " for statement in ahead)

    @property
    def _begun(self) -> bool:
        return bool(self.status != psycopg2.extensions.TRANSACTION_STATUS_IDLE)

    def _opening(self) -> list[bytes]:
        opening = []
        if not self.autocommit:
            level = "" if self.isolation_level is None else f" ISOLATION LEVEL {self.isolation_level}"
            access = " READ ONLY" if self.readonly else ""
            opening.append(f"BEGIN{level}{access}{' DEFERRABLE' if self.deferrable else ''}".encode())
        if self.tenant is not None:
            opening.append(f"SET LOCAL {TENANT_SETTING} = ".encode() + self._quoted(self.tenant))
        return opening

    def _quoted(self, text: str) -> bytes:
        literal = psycopg2.extensions.adapt(text)
        literal.prepare(self._connection.raw)
        quoted: bytes = literal.getquoted()
        return quoted

    def commit(self) -> None:
        """End the transaction, if a statement began one; after a cancel in here its outcome is unknown."""
        self._require_open()
        if self.status == psycopg2.extensions.TRANSACTION_STATUS_INERROR:
            self.rollback()
            raise psycopg2.InternalError("a statement of the transaction failed: the server would undo it in silence")
        if self._begun or self.deferred:
            try:
                await_(self._run(self.take_ahead() + b"COMMIT"))
            except psycopg2.Error:
                self.rollback()  # a deferred statement that fails leaves the transaction open
                raise

    def rollback(self) -> None:
        """Undo the transaction, if a statement began one; with a lost connection it is undone."""
        self.deferred.clear()
        if not self.closed and self._begun:
            await_(self._run(b"ROLLBACK"))

    def _require_open(self) -> None:
        if self.closed:
            raise psycopg2.InterfaceError("connection already closed")

    def ping(self) -> None:
        """Make sure that the connection lives, outside of any transaction; raises what the driver does.

        A connection that its server closed is known to be closed at once; the server is asked only after a while of
        silence, when one may have died without a word. Asking always would lengthen short transactions by a quarter.
        """
        self._require_open()
        if time.monotonic() - self._connection.last_usage > TRUSTED_FOR.total_seconds():
            await_(self._run(b"SELECT 1"))

    async def _run(self, statement: bytes) -> None:
        await self._connection.execute(self._connection.new_cursor(), statement)

    def close(self) -> None:
        """Close the connection; the server rolls back what is open."""
        self._connection.close()

    async def _terminate_graceful_close(self) -> None:
        self._terminate_force_close()

    def _terminate_force_close(self) -> None:
        if not self.closed:
            self._connection.close()


class AiopgModule(AsyncAdapt_dbapi_module):
    """What SQLAlchemy takes for the DBAPI module: psycopg2's names, with a way to connect of our own."""

    paramstyle = "pyformat"

    def __init__(self) -> None:
        super().__init__(driver, dbapi_module=psycopg2)
        self.__version__ = psycopg2.__version__

    def __getattr__(self, name: str) -> Any:
        return getattr(psycopg2, name)

    def connect(self, **parameters: Any) -> AiopgConnection:
        """Open a connection from within SQLAlchemy's greenlet."""
        return AiopgConnection(self, await_(driver.connect(parameters)))


class TenantCharacteristic(ConnectionCharacteristic):
    """The execution option `lattice_tenant`: whose rows the connection's next transactions may touch [TN-01]."""

    transactional: ClassVar[bool] = True

    def reset_characteristic(self, dialect: Any, dbapi_conn: Any) -> None:
        """Forget the tenant, so that the pool's next borrower starts with none."""
        dbapi_conn.tenant = None

    def set_characteristic(self, dialect: Any, dbapi_conn: Any, value: Any) -> None:
        """Name the tenant; it takes effect with the next BEGIN."""
        dbapi_conn.tenant = value

    def get_characteristic(self, dialect: Any, dbapi_conn: Any) -> Any:
        """The tenant named last, or None."""
        return dbapi_conn.tenant


class AiopgDialect(PGDialect_psycopg2):
    """psycopg2's SQL, types and errors; connections and transactions of our own."""

    driver = "aiopg"
    is_async = True
    has_terminate = True
    supports_statement_cache = True
    supports_server_side_cursors = False
    supports_sane_multi_rowcount = True
    connection_characteristics = PGDialect_psycopg2.connection_characteristics.union(
        {"lattice_tenant": TenantCharacteristic()}
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(use_native_hstore=False, **options)  # type: ignore[no-untyped-call]

    @classmethod
    def import_dbapi(cls) -> Any:
        """The module whose connections and errors the dialect uses."""
        return AiopgModule()

    @classmethod
    def get_pool_class(cls, url: URL) -> type[pool.Pool]:
        """A queue whose waiters yield to the event loop."""
        return pool.AsyncAdaptedQueuePool

    def get_driver_connection(self, connection: Any) -> Any:
        """The aiopg connection under SQLAlchemy's."""
        return connection._connection  # noqa: SLF001  # this dialect made it

    def on_connect(self) -> Callable[[Any], None]:
        """How values are read from a new connection."""
        loads = self._json_deserializer or json.loads

        def read_uuid_and_json(connection: AiopgConnection) -> None:
            raw = self.get_driver_connection(connection).raw
            psycopg2.extras.register_uuid(None, raw)
            psycopg2.extras.register_default_json(raw, loads=loads)
            psycopg2.extras.register_default_jsonb(raw, loads=loads)

        return read_uuid_and_json

    def set_isolation_level(self, dbapi_connection: Any, level: str) -> None:
        """Begin the next transactions at this level; AUTOCOMMIT begins none."""
        dbapi_connection.isolation_level = level

    def reset_isolation_level(self, dbapi_conn: Any) -> None:
        """Return to the engine's level, or to the server's default."""
        dbapi_conn.isolation_level = self._on_connect_isolation_level

    def get_isolation_level(self, dbapi_connection: Any) -> Any:
        """The level of the connection's transactions; asked of the server unless it is AUTOCOMMIT."""
        if dbapi_connection.autocommit:
            return AUTOCOMMIT
        if dbapi_connection.deferred:
            raise psycopg2.ProgrammingError("statements are deferred, which asking for the level would send")
        begun = dbapi_connection.status != psycopg2.extensions.TRANSACTION_STATUS_IDLE
        level = super().get_isolation_level(dbapi_connection)  # type: ignore[no-untyped-call]
        if not begun:  # a transaction that SQLAlchemy does not know of would outlast a change of level or tenant
            dbapi_connection.rollback()
        return level

    def do_ping(self, dbapi_connection: Any) -> bool:
        """See `AiopgConnection.ping`."""
        dbapi_connection.ping()
        return True

    def do_execute(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        """Send the statement, or keep it until the next."""
        if _deferred(cursor, context):
            cursor.defer(statement, parameters)
        else:
            cursor.execute(statement, parameters)

    def do_executemany(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        """One statement a set of parameters."""
        if _deferred(cursor, context):
            cursor.defer(statement, *parameters)
        else:
            cursor.executemany(statement, parameters)


def _deferred(cursor: AiopgCursor, context: Any) -> bool:
    """Whether the statement waits for the next; alone in AUTOCOMMIT, where none need follow, it does not."""
    return bool(context and context.execution_options.get("lattice_deferred")) and not cursor.in_autocommit


def connection_parameters(url: URL) -> Mapping[str, Any]:
    """The parameters of libpq in a `postgresql+aiopg` URL, for `driver.connect`."""
    parameters: Mapping[str, Any] = AiopgDialect().create_connect_args(url)[1]  # type: ignore[no-untyped-call]
    return parameters


registry.register("postgresql.aiopg", __name__, AiopgDialect.__name__)
