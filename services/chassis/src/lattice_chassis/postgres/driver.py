"""Connections to PostgreSQL through aiopg, without the habits of aiopg that a server cannot live with.

aiopg alone closes a connection after 60 s, turns a statement that the server cancelled into a cancelled task, and
leaves the statement of a cancelled task running on the server, with its locks. Here a statement is bounded by
`statement_timeout` on the server only, a cancelled statement is a `QueryCanceledError`, and a cancelled task closes its
connection, which ends its statement on the server within NOTICED_WITHIN [WP-07]. Only this module and the dialect
beside it name aiopg.
"""

# ruff: noqa: ANN401 -- psycopg2 is untyped

import asyncio
import socket
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, cast

import aiopg.connection
import psycopg2

CONNECT_TIMEOUT = timedelta(seconds=10)
"""How long a connection may take from the look-up of its host to the end of its authentication."""

NOTICED_WITHIN = timedelta(milliseconds=250)
"""After how long at the most a server process ends that waits or works for a client who has gone."""

# aiopg's own limit per statement, which closes the connection; its types know no None, its code does.
_NO_LIMIT: Any = None


class Connection(aiopg.connection.Connection):
    """An aiopg connection whose cancelled statements also end on the server."""

    @property
    def closed(self) -> bool:
        """Whether the connection is of no more use."""
        return self._conn is None or bool(self._conn.closed)

    def discard(self) -> None:
        """Close the connection at once; the server rolls back what is open."""
        self._close()

    def _close(self) -> None:
        if self._conn is not None:
            super()._close()

    def new_cursor(self) -> Any:
        """A cursor of psycopg2, for `execute` and for reading what that brought."""
        if self.closed:
            raise psycopg2.InterfaceError("connection already closed")
        self._last_usage = self._loop.time()
        return self._conn.cursor()

    async def execute(self, cursor: Any, statements: bytes) -> None:
        """Run a statement, or several of which the last one's rows are the cursor's, in one round trip.

        It is what aiopg's own cursor does, without that cursor.
        """
        waiter = self._create_waiter("execute")
        try:
            cursor.execute(statements)
        except BaseException:
            self._waiter = None
            raise
        await self._poll(waiter, _NO_LIMIT)

    async def _poll(self, waiter: "asyncio.Future[None]", timeout: float | None) -> None:  # noqa: ARG002, ASYNC109 - none
        if waiter is not self._waiter:
            raise psycopg2.InterfaceError("another coroutine took this connection over")
        self._ready(self._weakref)
        try:
            await waiter
        except asyncio.CancelledError:
            # Not by psycopg2's cancel(), which holds Python's lock while it waits for the server.
            self._close()
            raise
        finally:
            self._waiter = None


async def connect(parameters: Mapping[str, Any]) -> Connection:
    """Open a connection; `parameters` are libpq's, as `create_connect_args` of the dialect yields them.

    Raises `psycopg2.OperationalError` where the server cannot be reached, refuses, or needs more than CONNECT_TIMEOUT.
    """
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT.total_seconds()):
            resolved = await _resolve(_noticing(parameters))
            # The look-up of hstore would cost a query on every connect; the dialect reads the other two.
            readers = {"enable_hstore": False, "enable_json": False, "enable_uuid": False}
            return cast("Connection", await Connection(None, _NO_LIMIT, **readers, **resolved))
    except TimeoutError as error:
        seconds = CONNECT_TIMEOUT.total_seconds()
        raise psycopg2.OperationalError(f"the database did not accept a connection within {seconds:g} s") from error
    except OSError as error:
        raise psycopg2.OperationalError(f"the database's host cannot be resolved: {error}") from error


def _noticing(parameters: Mapping[str, Any]) -> dict[str, Any]:
    interval = f"-c client_connection_check_interval={round(NOTICED_WITHIN.total_seconds() * 1000)}"
    return {**parameters, "options": f"{parameters.get('options', '')} {interval}".strip()}


async def _resolve(parameters: dict[str, Any]) -> dict[str, Any]:
    """Look the host up off the event loop: libpq would do it on the loop, and a slow DNS server would stop us all."""
    host = parameters.get("host", "")
    if not host or host.startswith(("/", "@")) or "," in host or "hostaddr" in parameters:
        return parameters
    port = int(parameters.get("port", 5432))
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(address[4][0]) for address in found))
    # libpq tries one address after the other, and still checks the certificate against the name.
    return parameters | {"host": ",".join([host] * len(addresses)), "hostaddr": ",".join(addresses)}
