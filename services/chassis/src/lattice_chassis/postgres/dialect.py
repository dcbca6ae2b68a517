"""`postgresql+aiopg`: SQLAlchemy's asyncio dialect on top of aiopg.

psycopg2 in asynchronous mode is always in autocommit and refuses commit, isolation levels and executemany, so BEGIN,
COMMIT and ROLLBACK are statements sent from here. BEGIN waits for the first statement of a transaction and rides in
front of it, together with the tenant that row-level security reads: one round trip for the three.

The execution option `lattice_tenant` names the tenant of the transactions that follow on a connection; it is taken back
when the connection returns to its pool. A commit that is cancelled has an unknown outcome: idempotency keys decide
[ID-03]. Two-phase commits, COPY and server-side cursors are not offered: no service reads more than a page at a time.
"""

# ruff: noqa: ANN401, ARG002, ARG003 -- SQLAlchemy's interface of drivers is untyped, and its signatures are given

import json
import time
from collections import deque
from collections.abc import Callable, Mapping
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


class AiopgCursor(AsyncAdapt_dbapi_cursor):
    """A cursor that fetches all rows at once, and starts the transaction with its first statement."""

    __slots__ = ("_rows_of_many",)

    _awaitable_cursor_close = False
    _adapt_connection: "AiopgConnection"

    def __init__(self, adapt_connection: "AiopgConnection") -> None:
        self._rows_of_many: int | None = None
        super().__init__(adapt_connection)

    def _aenter_cursor(self, cursor: Any) -> Any:
        return await_(cursor)

    @property
    def _driver_cursor(self) -> Any:
        return cast("Any", self._cursor).raw

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
                self._rows = deque(self._driver_cursor.fetchall())

    async def _executemany_async(self, operation: Any, seq_of_parameters: Any) -> None:
        # One statement a row: psycopg2 refuses executemany here, and bulk inserts never come this way.
        async with self._adapt_connection._execute_mutex:  # noqa: SLF001
            touched = 0
            for parameters in seq_of_parameters:
                await self._send(operation, parameters)
                touched += self._cursor.rowcount
            self._rows_of_many = touched

    async def _send(self, operation: str, parameters: Any) -> None:
        begin = self._adapt_connection.opening_statements()
        if begin and parameters is not None:
            begin = begin.replace("%", "%%")  # the whole text is a format string once there are parameters
        await self._cursor.execute(begin + operation, parameters)

    def setinputsizes(self, *inputsizes: Any) -> None:
        """Do nothing: psycopg2 binds on the client."""


class AiopgConnection(AsyncAdapt_terminate, AsyncAdapt_dbapi_connection):
    """What SQLAlchemy takes for a DBAPI connection; transactions are statements of ours."""

    _cursor_cls: Any = AiopgCursor
    _connection: Any

    __slots__ = ("deferrable", "isolation_level", "readonly", "tenant")

    def __init__(self, dbapi: Any, connection: driver.Connection) -> None:
        super().__init__(dbapi, cast("Any", connection))
        self.isolation_level: str | None = None
        self.readonly = False
        self.deferrable = False
        self.tenant: str | None = None

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

    def opening_statements(self) -> str:
        """What goes in front of the next statement: the beginning of a transaction, or nothing inside of one."""
        if self.autocommit or self.status != psycopg2.extensions.TRANSACTION_STATUS_IDLE:
            return ""
        begin = "BEGIN"
        if self.isolation_level is not None:
            begin += f" ISOLATION LEVEL {self.isolation_level}"
        if self.readonly:
            begin += " READ ONLY"
        if self.deferrable:
            begin += " DEFERRABLE"
        if self.tenant is not None:
            begin += f"; SET LOCAL {TENANT_SETTING} = {self._quoted(self.tenant)}"
        return f"{begin}; "

    def _quoted(self, text: str) -> str:
        literal = psycopg2.extensions.adapt(text)
        literal.prepare(self._connection.raw)
        return str(literal.getquoted().decode(literal.encoding))

    def commit(self) -> None:
        """End the transaction, if a statement began one; after a cancel in here its outcome is unknown."""
        self._end("COMMIT")

    def rollback(self) -> None:
        """Undo the transaction, if a statement began one."""
        self._end("ROLLBACK")

    def _end(self, statement: str) -> None:
        if self.closed:
            raise psycopg2.InterfaceError("connection already closed")
        if self.status != psycopg2.extensions.TRANSACTION_STATUS_IDLE:
            await_(self._run(statement))

    def ping(self) -> None:
        """Make sure that the connection lives, outside of any transaction; raises what the driver does.

        A connection that its server closed is known to be closed at once; the server is asked only after a while of
        silence, when one may have died without a word. Asking always would lengthen short transactions by a quarter.
        """
        if self.closed:
            raise psycopg2.InterfaceError("connection already closed")
        if time.monotonic() - self._connection.last_usage > TRUSTED_FOR.total_seconds():
            await_(self._run("SELECT 1"))

    async def _run(self, statement: str) -> None:
        cursor = await self._connection.cursor()
        try:
            await cursor.execute(statement)
        finally:
            cursor.close()

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
        begun = dbapi_connection.status != psycopg2.extensions.TRANSACTION_STATUS_IDLE
        level = super().get_isolation_level(dbapi_connection)  # type: ignore[no-untyped-call]
        if not begun:  # a transaction that SQLAlchemy does not know of would outlast a change of level or tenant
            dbapi_connection.rollback()
        return level

    def do_ping(self, dbapi_connection: Any) -> bool:
        """See `AiopgConnection.ping`."""
        dbapi_connection.ping()
        return True

    def do_executemany(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        """One statement a set of parameters."""
        cursor.executemany(statement, parameters)


def connection_parameters(url: URL) -> Mapping[str, Any]:
    """The parameters of libpq in a `postgresql+aiopg` URL, for `driver.connect`."""
    parameters: Mapping[str, Any] = AiopgDialect().create_connect_args(url)[1]  # type: ignore[no-untyped-call]
    return parameters


registry.register("postgresql.aiopg", __name__, AiopgDialect.__name__)
