"""Where key sets are read from: a file, or a URL."""

import asyncio
import http.client
import socket
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import SplitResult, urlsplit

from lattice_chassis.tokens.key_set import MAX_KEY_SET_BYTES, UnreadableKeys

FETCH_SECONDS: Final = 5.0
"""How long one reading of a key set may take."""


class KeySource(Protocol):
    """Reads the key set of an issuer. It blocks nobody but who awaits it."""

    def state(self) -> Hashable | None:
        """What differs once the key set has changed; None where only reading it tells."""
        ...

    async def read(self) -> bytes:
        """The key set as it is now.

        Raises:
            UnreadableKeys: it cannot be read, is too large, or takes too long.
        """
        ...


def key_source(where: str) -> KeySource:
    """The source for a URL or the path of a file, as settings name it."""
    return KeysByUrl(urlsplit(where)) if "://" in where else KeysInFile(Path(where))


class KeysInFile:
    """A file, which may be replaced at any time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def state(self) -> Hashable:
        """When the file was written and how large it is; nothing of one that is not there."""
        try:
            found = self._path.stat()
        except (OSError, ValueError):
            return ()
        return found.st_ino, found.st_mtime_ns, found.st_size

    async def read(self) -> bytes:
        """The file, up to a byte more than a key set may have."""
        try:
            return await asyncio.to_thread(self._read)
        except (OSError, ValueError) as error:
            raise UnreadableKeys(f"the file cannot be read ({error!r})") from error

    def _read(self) -> bytes:
        with self._path.open("rb") as file:
            return file.read(MAX_KEY_SET_BYTES + 1)


class KeysByUrl:
    """An https or http URL. Redirects are not followed: keys come from where the settings say.

    The standard library's client on a thread: one small GET in five minutes is worth no dependency.
    """

    def __init__(self, url: SplitResult) -> None:
        self._url = url

    def state(self) -> None:
        """Only asking tells."""

    async def read(self) -> bytes:
        """What the URL answers, up to a byte more than a key set may have."""
        connection = await asyncio.to_thread(self._connection)  # which reads the authorities that this machine trusts
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                await asyncio.to_thread(connection.connect)
                with _cut_off(connection.sock):
                    return await asyncio.to_thread(_get, connection, self._target())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise UnreadableKeys(f"the URL does not answer as it should ({error!r})") from error
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        connect = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
        return connect(self._url.hostname or "", self._url.port, timeout=FETCH_SECONDS)

    def _target(self) -> str:
        return (self._url.path or "/") + (f"?{self._url.query}" if self._url.query else "")


def _get(connection: http.client.HTTPConnection, target: str) -> bytes:
    connection.request("GET", target, headers={"Accept": "application/json"})
    response = connection.getresponse()
    if response.status != http.client.OK:
        raise UnreadableKeys(f"the URL answers {response.status}")
    return response.read(MAX_KEY_SET_BYTES + 1)


@contextmanager
def _cut_off(connected: socket.socket) -> Iterator[None]:
    """End the thread too, which a server that sends a byte now and then would keep for ever."""
    try:
        yield
    finally:
        with suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)
