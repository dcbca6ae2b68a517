"""TLS from clients and between services: certificates in PEM files, read again once they change.

A server with a `client_ca` takes only those who show a certificate of that CA (mTLS). It says that a program may
connect, never who calls: that is told by the credentials of each call [SE-01]. Files that change are read before the
next handshake. Where they do not fit together, as in the middle of an exchange, what was read before stays in use and
the log says why. Connections that stand keep what they began with.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, ClassVar, Final, Generic, TypeVar

import grpc
from pydantic import ConfigDict

from lattice_chassis.server import CannotServe

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

_log: Final = logging.getLogger("lattice.transport")

Read = TypeVar("Read")
Parsed = TypeVar("Parsed")


@dataclass(frozen=True, kw_only=True)
class ServerTls:
    """How a server shows who it is, and whose clients it takes."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    certificate: Path
    """The server's certificate and those between it and its CA, in PEM, the server's first."""
    key: Path
    """Its private key in PEM, not encrypted."""
    client_ca: Path | None = None
    """The CA certificates in PEM of which every client must show one; unset, clients show none."""

    def credentials(self) -> grpc.ServerCredentials:
        """What the server listens with.

        Raises:
            CannotServe: a file is missing or malformed, or the key is not the certificate's; the text names the file.
        """
        files = Renewed([self.certificate, self.key, *_named(self.client_ca)], self._read)
        shown = files.current()

        def renewed() -> grpc.ServerCertificateConfiguration | None:
            nonlocal shown
            before, shown = shown, files.current()
            return None if shown is before else shown

        return grpc.dynamic_ssl_server_credentials(
            shown,
            renewed,  # type: ignore[arg-type]  # asked before each handshake; None for no change
            require_client_authentication=self.client_ca is not None,
        )

    def _read(self) -> grpc.ServerCertificateConfiguration:
        pair = _read_pair(self.certificate, self.key)
        ca = None if self.client_ca is None else _read_certificates(self.client_ca)
        return grpc.ssl_server_certificate_configuration([pair], root_certificates=ca)


@dataclass(frozen=True, kw_only=True)
class ChannelTls:
    """Which servers a client believes, and how it shows who it is."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    ca: Path
    """The CA certificates in PEM of which the server must show one, in the name that is dialled."""
    certificate: Path | None = None
    """The client's certificate in PEM, for servers that want one."""
    key: Path | None = None
    """Its private key in PEM, not encrypted."""

    def __post_init__(self) -> None:
        """Refuse half a pair.

        Raises:
            ValueError: there is a certificate without a key, or a key without a certificate.
        """
        if (self.certificate is None) != (self.key is None):
            raise ValueError("a certificate needs its key, and a key its certificate")

    @cached_property
    def credentials(self) -> "Renewed[grpc.ChannelCredentials]":
        """What channels connect with: the same for all, so that one may also be opened in the middle of an exchange.

        Raises:
            CannotServe: a file is missing or malformed, or the key is not the certificate's; the text names the file.
        """
        return Renewed([self.ca, *_named(self.certificate), *_named(self.key)], self._read)

    def _read(self) -> grpc.ChannelCredentials:
        ca = _read_certificates(self.ca)
        if self.certificate is None or self.key is None:
            return grpc.ssl_channel_credentials(ca)
        key, certificate = _read_pair(self.certificate, self.key)
        return grpc.ssl_channel_credentials(ca, key, certificate)


class Renewed(Generic[Read]):
    """What some files come to, read again once one of them has changed."""

    def __init__(self, paths: Sequence[Path], read: Callable[[], Read]) -> None:
        self._paths = paths
        self._read = read
        self._reading = Lock()  # gRPC asks from threads of its own
        self._seen = self._states()  # before they are read: what changes in between is seen the next time
        self._current = read()

    def current(self) -> Read:
        """What they come to now, the same object as long as none changes; from any thread.

        Where they are of no use, that is what was read before.
        """
        with self._reading:
            states = self._states()
            if states != self._seen:
                self._seen = states
                try:
                    self._current = self._read()
                except CannotServe as error:
                    _log.warning("%s; what was read before stays in use", error)
                else:
                    _log.info("read again: %s", ", ".join(map(str, self._paths)))
            return self._current

    def _states(self) -> list[tuple[int, ...]]:
        return [_state(path) for path in self._paths]


def _state(path: Path) -> tuple[int, ...]:
    """What differs once a file was written or replaced, also behind a link."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _named(path: Path | None) -> Iterable[Path]:
    return () if path is None else (path,)


# What checks the files takes a while to import, and an app's worker has none.


def _read_pair(certificate: Path, key: Path) -> tuple[bytes, bytes]:
    """The key and the certificate; gRPC would take ones that do not fit, and refuse every client."""
    from cryptography import x509  # noqa: PLC0415

    chain = _content(certificate)
    private = _content(key)
    first, *_ = _parsed(certificate, "certificate", x509.load_pem_x509_certificates, chain)
    if first.public_key() != _parsed(key, "private key", _private_key, private).public_key():
        raise CannotServe(f"{key} is not the key of the certificate in {certificate}")
    return private, chain


def _read_certificates(path: Path) -> bytes:
    from cryptography import x509  # noqa: PLC0415

    content = _content(path)
    _parsed(path, "certificate", x509.load_pem_x509_certificates, content)
    return content


def _private_key(content: bytes) -> "PrivateKeyTypes":
    from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415

    return load_pem_private_key(content, password=None)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CannotServe(f"{path} cannot be read: {error.strerror}") from error


def _parsed(path: Path, what: str, parse: Callable[[bytes], Parsed], content: bytes) -> Parsed:
    try:
        return parse(content)
    except (ValueError, TypeError) as error:  # TypeError: it is encrypted
        raise CannotServe(f"{path} holds no {what} in PEM that can be read") from error
