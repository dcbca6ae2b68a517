"""Locks that last as long as what somebody does, over many transactions: one holder of a name in a whole database.

A lock belongs to a connection of its own, so the server frees it however its holder ends. The other way round, a
holder whose connection was lost goes on without the lock, and another one may have it: it asks `still_held` before
each step that must not be taken twice.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any, Final

import psycopg2
from sqlalchemy import make_url

from lattice_chassis.postgres import driver
from lattice_chassis.postgres.dialect import connection_parameters

ANSWERED_WITHIN: Final = timedelta(seconds=5)
"""How long the server may take to answer on a lock's connection before that counts as lost."""

_KEY: Final = "hashtextextended(%s, 0)"


class HeldLock:
    """A lock that was taken. Made by `SessionLocks.taken`."""

    def __init__(self, connection: driver.Connection) -> None:
        self._connection = connection

    async def still_held(self) -> bool:
        """Whether the connection that holds the lock lives; False for ever once it does not."""
        if self._connection.closed:
            return False
        try:
            await _value(self._connection, "SELECT true")
        except (psycopg2.Error, TimeoutError):
            self._connection.discard()
        return not self._connection.closed


class SessionLocks:
    """The locks of a database; may be shared by all tasks of an event loop."""

    def __init__(self, url: str, *, application: str) -> None:
        self._parameters = {
            **connection_parameters(make_url(url)),
            "application_name": application,
            "keepalives_idle": 30,  # seconds: or the server would keep the lock of a machine that is gone for hours
        }

    @asynccontextmanager
    async def taken(self, name: str) -> AsyncIterator[HeldLock | None]:
        """The lock of this name until the block is left; None at once where somebody else holds it.

        Raises psycopg2's errors where the database cannot be reached, TimeoutError where it does not answer.
        """
        connection = await driver.connect(self._parameters)
        try:
            if not await _value(connection, f"SELECT pg_try_advisory_lock({_KEY})", name):
                yield None
                return
            try:
                yield HeldLock(connection)
            finally:
                # Said aloud, for the server notices the end of a connection only a moment after it.
                with suppress(psycopg2.Error, TimeoutError):
                    if not connection.closed:
                        await _value(connection, f"SELECT pg_advisory_unlock({_KEY})", name)
        finally:
            connection.discard()


async def _value(connection: driver.Connection, query: str, *parameters: object) -> Any:  # noqa: ANN401 - a value of SQL
    """The one value that a query answers.

    Raises psycopg2's errors, and TimeoutError where it takes more than ANSWERED_WITHIN.
    """
    async with asyncio.timeout(ANSWERED_WITHIN.total_seconds()):
        cursor = await connection.cursor()
        try:
            await cursor.execute(query, parameters)
            return (await cursor.fetchone())[0]
        finally:
            cursor.close()
