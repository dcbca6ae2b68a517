"""Waking whoever waits for changes of a workspace, in this process and in others [SB-07].

A notification is a hint that saves waiting, never the news itself: whoever is woken reads the tables after its own
cursor. So a lost one costs at most the poll interval, and nothing is ever missed or doubled by it. NOTIFY inside a
transaction would serialise all commits of the database; here it is sent after the commit, on a connection of its own,
at once, and what comes within the next few milliseconds goes as one statement. A service has one channel; the payload
is `tenant/workspace number`, each name percent-encoded, or `tenant/workspace/name 0` for a signal, which tells whoever
hears that name of something that no number counts.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import Context
from datetime import timedelta
from typing import NoReturn
from urllib.parse import quote, unquote

import psycopg2
from sqlalchemy import make_url

from lattice_chassis.postgres import driver
from lattice_chassis.postgres.dialect import connection_parameters
from lattice_chassis.telemetry import untraced
from lattice_chassis.transactions import in_transaction

COALESCED = timedelta(milliseconds=5)
"""What passes at least between two announcements: what comes meanwhile goes together."""

POLL = timedelta(milliseconds=500)
"""After how long a subscriber is woken without a notification, in case one was lost."""

_FIRST_DELAY, _LONGEST_DELAY = 0.05, 5.0  # seconds between attempts to connect again

_log = logging.getLogger(__name__)


Position = Callable[[str, str], Awaitable[object]]
"""Answers where the sequence of a workspace stands, given tenant and workspace: equal as long as nothing is new."""


class Subscription:
    """The wakings of one subscriber: `async for may_be_new in it` yields at first, then whenever to read again.

    It yields False where only time has passed: the poll found nothing for anybody. Wakings that come while the
    subscriber reads are one. It never ends by itself.
    """

    def __init__(self, poll: timedelta, *, looks_itself: bool) -> None:
        self._poll = poll.total_seconds()
        self._looks_itself = looks_itself
        self._woken = asyncio.Event()
        self._woken.set()
        self._newest = 0

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> bool:
        try:
            async with asyncio.timeout(self._poll):
                await self._woken.wait()
        except TimeoutError:
            return self._looks_itself  # a notification may have been lost: read all the same
        self._woken.clear()
        return True

    def _wake(self, number: int | None) -> None:
        if number is not None:
            if number <= self._newest:
                return  # the same commit, heard of from this process and then from the database
            self._newest = number
        self._woken.set()


class Listener:
    """One LISTEN connection of a process, shared by its subscribers. Made by `open_listener`."""

    def __init__(self, channel: str, poll: timedelta, position: Position | None) -> None:
        self._channel = channel
        self._poll = poll
        self._position = position
        self._looks: dict[tuple[str, str], asyncio.Task[NoReturn]] = {}
        self._subscriptions: dict[tuple[str, str], set[Subscription]] = defaultdict(set)
        self._hearers: dict[tuple[str, str, str], set[asyncio.Event]] = defaultdict(set)

    @contextmanager
    def subscribed(self, tenant: str, workspace: str) -> Iterator[Subscription]:
        """Wakings for one workspace, until the block is left."""
        key = (tenant, workspace)
        subscription = Subscription(self._poll, looks_itself=self._position is None)
        self._subscriptions[key].add(subscription)
        if self._position is not None and key not in self._looks:
            # A context of its own: neither the trace nor the identity of whoever came first.
            looking = self._look(self._position, key)
            self._looks[key] = asyncio.get_running_loop().create_task(looking, context=Context())
        try:
            yield subscription
        finally:
            self._subscriptions[key].discard(subscription)
            if not self._subscriptions[key]:
                del self._subscriptions[key]
                if looked := self._looks.pop(key, None):
                    looked.cancel()

    @contextmanager
    def hearing(self, tenant: str, workspace: str, name: str) -> Iterator[asyncio.Event]:
        """An event that is set by each signal of that name until the block is left. A signal may be lost."""
        key, event = (tenant, workspace, name), asyncio.Event()
        self._hearers[key].add(event)
        try:
            yield event
        finally:
            self._hearers[key].discard(event)
            if not self._hearers[key]:
                del self._hearers[key]

    def signal(self, tenant: str, workspace: str, name: str) -> None:
        """Set the events of this process that hear a name."""
        for event in self._hearers.get((tenant, workspace, name), ()):
            event.set()

    def wake(self, tenant: str, workspace: str, number: int) -> None:
        """Wake this process's subscribers of a workspace whose sequence has reached `number`."""
        for subscription in self._subscriptions.get((tenant, workspace), ()):
            subscription._wake(number)  # noqa: SLF001  # the two are one mechanism

    def _wake_all(self) -> None:
        for subscriptions in self._subscriptions.values():
            for subscription in subscriptions:
                subscription._wake(None)  # noqa: SLF001

    async def _look(self, position: Position, key: tuple[str, str]) -> NoReturn:
        """Poll for all subscribers of a workspace; where that fails they are woken, to meet the same."""
        seen: object = None
        with untraced():
            while True:
                await asyncio.sleep(self._poll.total_seconds())
                try:
                    now = await position(*key)
                except Exception:  # noqa: BLE001 - whatever it is, it is theirs to tell
                    now = object()
                if now != seen:
                    for subscription in self._subscriptions[key]:
                        subscription._wake(None)  # noqa: SLF001
                seen = now

    async def _listen(self, connection: driver.Connection) -> NoReturn:
        await _execute(connection, f'LISTEN "{self._channel}"')
        self._wake_all()  # nobody heard what was announced while there was no connection
        while True:
            notification = await connection.notifies.get()
            try:
                (tenant, workspace, *name), number = _parsed(notification.payload)
                if name:
                    self.signal(tenant, workspace, *name)
                else:
                    self.wake(tenant, workspace, number)
            except (ValueError, TypeError):  # not from an announcer of ours, so nobody knows what it is about
                self._wake_all()


def _payload(key: tuple[str, ...], number: int) -> str:
    return f"{'/'.join(quote(part, safe='') for part in key)} {number}"


def _parsed(payload: str) -> tuple[list[str], int]:
    key, number = payload.split(" ")
    return [unquote(part) for part in key.split("/")], int(number)


class Announcer:
    """Tells the other processes of a service, after a commit, that a workspace moved on. Made by `open_announcer`."""

    def __init__(self, channel: str, local: Listener) -> None:
        self._channel = channel
        self._local = local
        self._pending: dict[tuple[str, ...], int] = {}
        self._some = asyncio.Event()

    def announce(self, tenant: str, workspace: str, number: int) -> None:
        """Say that the workspace's sequence has reached `number`; call it after the commit, never before.

        Returns at once: subscribers here wake now, those elsewhere within milliseconds, or by their
        poll while the database cannot be reached. RuntimeError inside a transaction: readers would come too early.
        """
        _require_no_transaction()
        self._local.wake(tenant, workspace, number)
        self._send((tenant, workspace), number)

    def signal(self, tenant: str, workspace: str, name: str) -> None:
        """Tell whoever hears a name, here and elsewhere; call it after the commit, as `announce`."""
        _require_no_transaction()
        self._local.signal(tenant, workspace, name)
        self._send((tenant, workspace, name), 0)

    def _send(self, key: tuple[str, ...], number: int) -> None:
        self._pending[key] = max(number, self._pending.get(key, 0))
        self._some.set()

    async def _notify(self, connection: driver.Connection) -> NoReturn:
        # PostgreSQL would wait for its disk, for what is no news once the server was gone.
        await _execute(connection, "SET synchronous_commit = off")
        while True:
            await self._some.wait()
            sent = self._pending.copy()
            payloads = [_payload(key, number) for key, number in sent.items()]
            statement = "SELECT pg_notify(%s, payload) FROM unnest(%s::text[]) payload"
            await _execute(connection, statement, (self._channel, payloads))
            # Only now: what a lost connection swallowed goes again with the next one.
            self._pending = {key: number for key, number in self._pending.items() if sent.get(key) != number}
            if not self._pending:
                self._some.clear()
            await asyncio.sleep(COALESCED.total_seconds())


def _require_no_transaction() -> None:
    if in_transaction():
        raise RuntimeError("announce after the commit: whoever is woken now would not see the change yet")


@asynccontextmanager
async def open_listener(
    url: str, channel: str, *, poll: timedelta = POLL, position: Position | None = None
) -> AsyncIterator[Listener]:
    """Listen on `channel` of the database behind `url` until the block is left; a lost connection is made again.

    It starts at once whether or not the database answers: until then subscribers live by their poll. With `position`
    one poll serves all subscribers of a workspace; without it each reads for itself.
    """
    listener = Listener(channel, poll, position)
    async with _connected(url, f"{channel} listener", listener._listen):  # noqa: SLF001
        yield listener


@asynccontextmanager
async def open_announcer(url: str, channel: str, listener: Listener) -> AsyncIterator[Announcer]:
    """Announce on `channel` until the block is left; `listener` is this process's own, woken without the detour."""
    announcer = Announcer(channel, listener)
    async with _connected(url, f"{channel} announcer", announcer._notify):  # noqa: SLF001
        yield announcer


@asynccontextmanager
async def _connected(
    url: str, application: str, use: Callable[[driver.Connection], Awaitable[NoReturn]]
) -> AsyncIterator[None]:
    """Keep a connection of its own in `use` while the block runs."""
    task = asyncio.create_task(_keep_connected(url, application, use), name=application)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()  # it ends by itself only through a fault of ours, which must not stay unseen


async def _keep_connected(
    url: str, application: str, use: Callable[[driver.Connection], Awaitable[NoReturn]]
) -> NoReturn:
    parameters = {
        **connection_parameters(make_url(url)),
        "application_name": application,
        "keepalives_idle": 30,  # seconds: or a connection that a firewall forgot would listen to nothing for ever
    }
    delay = _FIRST_DELAY
    while True:
        try:
            connection = await driver.connect(parameters)
            delay = _FIRST_DELAY
            try:
                await use(connection)
            finally:
                connection.discard()
        except psycopg2.Error as error:
            _log.warning("the connection of the %s is lost, trying again in %g s: %s", application, delay, error)
        await asyncio.sleep(delay)
        delay = min(delay * 2, _LONGEST_DELAY)


async def _execute(connection: driver.Connection, statement: str, parameters: tuple[object, ...] | None = None) -> None:
    cursor = await connection.cursor()
    try:
        await cursor.execute(statement, parameters)
    finally:
        cursor.close()
