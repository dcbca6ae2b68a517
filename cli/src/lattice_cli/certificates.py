"""The certificates with which the services of a suite and its clients know each other."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lattice_chassis.transport import ChannelTls, ServerTls

_THIS_MACHINE: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Certificates:
    """A folder with `ca.pem`, and with `certificate.pem` and `key.pem`, which every program of the suite shows."""

    folder: Path

    @property
    def server(self) -> ServerTls:
        """How the services listen: only for those who show a certificate of the same CA."""
        return ServerTls(certificate=self._certificate, key=self._key, client_ca=self._ca)

    @property
    def client(self) -> ChannelTls:
        """How the services and all others call."""
        return ChannelTls(ca=self._ca, certificate=self._certificate, key=self._key)

    def environment(self, prefix: str) -> dict[str, str]:
        """What a service reads of it; the prefix is that of its settings."""
        return {
            f"{prefix}TLS__CERTIFICATE": str(self._certificate),
            f"{prefix}TLS__KEY": str(self._key),
            f"{prefix}TLS__CLIENT_CA": str(self._ca),
            f"{prefix}PEER_TLS__CA": str(self._ca),
            f"{prefix}PEER_TLS__CERTIFICATE": str(self._certificate),
            f"{prefix}PEER_TLS__KEY": str(self._key),
        }

    def make(self, names: Iterable[str] = _THIS_MACHINE) -> None:
        """Make all three, for servers of these names and addresses.

        The key of the CA is kept nowhere, so nobody can make another certificate of it.
        """
        import trustme  # noqa: PLC0415 - the command is called often, and makes certificates once
        from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415 - as trustme
            Encoding,
            NoEncryption,
            PrivateFormat,
            load_pem_private_key,
        )

        authority = trustme.CA()
        shown = authority.issue_cert(*names)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._key.touch(mode=0o600)
        key = load_pem_private_key(shown.private_key_pem.bytes(), password=None)
        # Not the older form that trustme writes: Java reads no other.
        self._key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        self._certificate.write_bytes(b"".join(it.bytes() for it in shown.cert_chain_pems))
        authority.cert_pem.write_to_path(self._ca)

    @property
    def _ca(self) -> Path:
        return self.folder / "ca.pem"

    @property
    def _certificate(self) -> Path:
        return self.folder / "certificate.pem"

    @property
    def _key(self) -> Path:
        return self.folder / "key.pem"


def certificates_in(folder: Path) -> Certificates:
    """The certificates in a folder, made there for this machine where it is empty or missing.

    A file that is missing from others is not made: whoever needs it says so. Raises OSError where they cannot be made.
    """
    certificates = Certificates(folder.resolve())
    if not folder.is_dir() or not any(folder.iterdir()):
        certificates.make()
    return certificates
